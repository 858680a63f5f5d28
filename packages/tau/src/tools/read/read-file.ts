// A local file. What fits is loaded whole, so that its lines carry the tag of its whole
// content; what does not is read where it is asked for, and cannot be edited by lines.

import { ToolError, type ToolOutput } from "@tau/agent/tool";
import { printFileHeader } from "@tau/hashline/file-header";
import { LineIndex } from "@tau/hashline/line-index";
import { detectLanguage } from "@tau/host/syntax/detect-language";
import { readFileLines } from "@tau/host/text/read-file-lines";
import { isBinary, openPlain } from "../../resources/local-kind.ts";
import { printRange, type LineRange } from "../../resources/line-range.ts";
import type { FileResource } from "../../resources/resource.ts";
import type { Selector } from "../../resources/selector.ts";
import type { Workspace } from "../workspace.ts";
import { findConflicts, showConflicts } from "./conflicts.ts";
import {
  byteBudget,
  lineBudget,
  LONG_LINE_CHARS,
  MAX_LINES,
  moreNote,
  moreNotes,
  pastEndNote,
  printRow,
  showLines,
  wantedRanges,
  type Numbering,
  type ShowOptions,
} from "./show-lines.ts";
import { showSummary } from "./show-summary.ts";

/** What can be edited by lines: larger files are data. */
export const MAX_LOADED_BYTES = 8 * 1024 * 1024;

export async function readFileResource(
  workspace: Workspace,
  resource: FileResource,
  selector: Selector,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { path, shown } = resource;
  await using opened = await openPlain(path, shown);
  const { size } = await opened.stat();
  if (!selector.isRaw && (await isBinary(opened))) {
    throw new ToolError(
      `${shown} is a binary file of ${size} bytes. Look at it with bash (file, xxd, strings).`,
    );
  }
  if (size > MAX_LOADED_BYTES) return readLarge(workspace, resource, selector, size, signal);
  // The mark at the beginning is part of the file: an edit must not lose it.
  const bytes = await opened.readFile();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const index = new LineIndex(text);
  const canEdit = !selector.isRaw && isUtf8(bytes, text);
  const file = await workspace.files.identify(path);
  const numbering = numberingOf(workspace, selector, canEdit);
  const head = canEdit && numbering === "tagged" ? [header(workspace, file, shown, text)] : [];
  const details = { resolvedPath: path, lines: index.count };
  const onShown = noteShown(workspace, file);
  if (selector.isConflicts) {
    const conflicts = findConflicts(index);
    if (conflicts.length === 0) return textOf([`[${shown} has no unresolved conflicts]`], details);
    const known = workspace.files.conflicts.record(path, text, conflicts);
    const how = howToResolve(workspace.files.conflicts.all.length);
    const rows = showConflicts(index, known, onShown);
    return textOf([...head, ...rows, how], { ...details, conflicts });
  }
  const summary = await summarise(workspace, path, index, selector, signal);
  if (summary) {
    const { rows, footer } = showSummary(index, summary, {
      path: shown,
      isOnePage:
        index.count <= MAX_LINES && index.text.length <= byteBudget({ ...selector, ranges: [] }),
      maxBytes: byteBudget(selector),
      onShown,
    });
    const { elidedLines, elidedSpans } = summary;
    return textOf([...head, ...rows, footer], {
      ...details,
      summary: { lines: index.count, elidedLines, elidedSpans },
    });
  }
  const body = showLines(index, {
    selector,
    defaultLines: workspace.files.settings.readLines,
    numbering: numbering === "bare" ? "bare" : "numbers",
    maxColumns: workspace.files.settings.maxColumns,
    onShown,
  });
  if (body.rows.length === 0) return textOf([pastEndNote(shown, index.count)], details);
  const foreign = canEdit || selector.isRaw ? [] : [NOT_UTF8];
  const more = moreNotes(shown, body, index.count, selector);
  return textOf([...head, ...body.rows, ...foreign, ...more], { ...details, shown: body.ranges });
}

function howToResolve(known: number): string {
  const one =
    "write what is to stand there to conflict://N; conflict://N/ours and /theirs are its sides";
  const all = known > 1 ? `; conflict://* puts one text in place of each of the ${known}` : "";
  return `[to resolve one, ${one}${all}]`;
}

const NOT_UTF8 =
  "[it is not UTF-8: what cannot be read is shown as \ufffd, and it cannot be edited]";

/** For what shows lines of this file. */
export function noteShown({ files }: Workspace, file: string): ShowOptions["onShown"] {
  return (line, shownChars) => files.seenLines.note(file, line, shownChars);
}

type FileNumbering = "tagged" | Numbering;

function numberingOf(workspace: Workspace, selector: Selector, canEdit: boolean): FileNumbering {
  const { editMode, hashLines, lineNumbers } = workspace.files.settings;
  if (selector.isRaw) return "bare";
  if (canEdit && workspace.canEdit && editMode === "hashline" && hashLines) return "tagged";
  return lineNumbers ? "numbers" : "bare";
}

/** A file in another encoding can be read, more or less; written back it would be ruined. */
function isUtf8(bytes: Uint8Array, text: string): boolean {
  return !text.includes("\ufffd") || Buffer.from(text, "utf8").equals(bytes);
}

function header(workspace: Workspace, file: string, shown: string, text: string): string {
  return printFileHeader(shown, workspace.files.snapshots.record(file, text).tag);
}

async function summarise(
  workspace: Workspace,
  path: string,
  index: LineIndex,
  { ranges, isRaw }: Selector,
  signal: AbortSignal,
) {
  const { summarize, summarizeProse, readLines } = workspace.files.settings;
  // What is shown whole anyway needs no summary: an edit would need a second read.
  if (!summarize || ranges || isRaw) return undefined;
  if (index.count <= readLines && index.text.length <= byteBudget({ isRaw, isConflicts: false }))
    return undefined;
  const language = detectLanguage(path, index.count > 0 ? index.line(1) : "");
  if (!language || (language.name === "markdown" && !summarizeProse)) return undefined;
  const syntax = await workspace.syntax();
  const answer = await syntax.ask("summary", { text: index.text, language: language.name }, signal);
  signal.throwIfAborted();
  if (!answer.ok || !answer.value.ok || !answer.value.value.worthwhile) return undefined;
  return answer.value.value;
}

async function readLarge(
  workspace: Workspace,
  { path, shown }: FileResource,
  selector: Selector,
  size: number,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (selector.isConflicts) {
    throw new ToolError(`${shown} is too large to look for conflicts; search it for <<<<<<<.`);
  }
  if (selector.columns) {
    const [{ first }] = selector.ranges as [LineRange];
    throw new ToolError(
      `${shown} is too large for columns; with bash: sed -n '${first}{p;q}' FILE | cut -c${printRange(selector.columns)}`,
    );
  }
  const maxLines = lineBudget(selector, workspace.files.settings.readLines);
  const read = await readFileLines(
    path,
    {
      ranges: wantedRanges(selector, selector.isRaw ? "bare" : "numbers"),
      maxLines,
      maxBytes: byteBudget(selector),
      maxLineBytes: LONG_LINE_CHARS,
    },
    { offsets: workspace.files.offsets, signal },
  );
  const details = { resolvedPath: path, bytes: size };
  const [first] = read.lines;
  if (!first) return textOf([pastEndNote(shown, read.lineCount ?? 0)], details);
  const numbering = selector.isRaw ? "bare" : "numbers";
  let previous = first.number - 1;
  const rows: string[] = [];
  for (const { number, text, cutBytes } of read.lines) {
    if (number > previous + 1) rows.push("…");
    const { text: row } = printRow(number, text, numbering);
    const bytes = cutBytes.toLocaleString("en-US");
    rows.push(cutBytes > 0 ? `${row}… [line ${number}: ${bytes} bytes of it left out]` : row);
    previous = number;
  }
  const more =
    read.nextLine === undefined
      ? []
      : [moreNote(shown, read.nextLine, read.lineCount, selector.isRaw)];
  const note = selector.isRaw ? [] : [`[${shown} has ${size} bytes: too large to edit by lines]`];
  return textOf([...note, ...rows, ...more], details);
}

function textOf(rows: readonly string[], details: Record<string, unknown>): ToolOutput {
  return { content: [{ type: "text", text: rows.join("\n") }], details };
}
