// A local file. What fits is loaded whole, so that its lines carry the tag of its whole
// content; what does not is read where it is asked for, and cannot be edited by lines.

import { ToolError, type ToolOutput } from "@tau/agent/tool";
import { printFileHeader } from "@tau/hashline/file-header";
import { LineIndex } from "@tau/hashline/line-index";
import { detectLanguage } from "@tau/host/syntax/detect-language";
import { readFileLines } from "@tau/host/text/read-file-lines";
import { isBinary, openPlain } from "../../resources/local-kind.ts";
import type { FileResource } from "../../resources/resource.ts";
import type { Selector } from "../../resources/selector.ts";
import type { Workspace } from "../workspace.ts";
import { findConflicts, showConflicts } from "./conflicts.ts";
import {
  byteBudget,
  lineBudget,
  MAX_LINE_CHARS,
  moreNote,
  pastEndNote,
  printRow,
  showLines,
  wantedRanges,
  type Numbering,
} from "./show-lines.ts";
import { showSummary } from "./show-summary.ts";

/** What can be edited by lines: larger files are data. */
export const MAX_LOADED_BYTES = 8 * 1024 * 1024;
/** Bytes of one character at most. */
const CHARACTER_BYTES = 4;

export async function readFileResource(
  workspace: Workspace,
  resource: FileResource,
  selector: Selector,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const { path, shown } = resource;
  await using file = await openPlain(path, shown);
  const { size } = await file.stat();
  if (!selector.isRaw && (await isBinary(file))) {
    throw new ToolError(
      `${shown} is a binary file of ${size} bytes. Look at it with bash (file, xxd, strings).`,
    );
  }
  if (size > MAX_LOADED_BYTES) return readLarge(workspace, resource, selector, size, signal);
  // The mark at the beginning is part of the file: an edit must not lose it.
  const bytes = await file.readFile();
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const index = new LineIndex(text);
  const canEdit = !selector.isRaw && isUtf8(bytes, text);
  const numbering = numberingOf(workspace, selector, canEdit);
  const head =
    canEdit && numbering === "tagged" ? [await header(workspace, path, shown, text)] : [];
  const details = { resolvedPath: path, lines: index.count };
  if (selector.isConflicts) {
    const conflicts = findConflicts(index);
    if (conflicts.length === 0) return textOf([`[${shown} has no unresolved conflicts]`], details);
    const known = workspace.files.conflicts.record(path, text, conflicts);
    const how =
      "[resolve one by writing its lines to conflict://N, or all of them to conflict://*]";
    return textOf([...head, ...showConflicts(index, known), how], { ...details, conflicts });
  }
  const summary = await summarise(workspace, path, index, selector, signal);
  if (summary) {
    const { rows, footer } = showSummary(index, summary, shown);
    const { elidedLines, elidedSpans } = summary;
    return textOf([...head, ...rows, footer], {
      ...details,
      summary: { lines: index.count, elidedLines, elidedSpans },
    });
  }
  const lines = lineBudget(selector, workspace.files.settings.readLines);
  const body = showLines(index, wantedRanges(selector), {
    lines,
    numbering: numbering === "bare" ? "bare" : "numbers",
  });
  if (body.rows.length === 0) return textOf([pastEndNote(shown, index.count)], details);
  const more = body.nextLine === undefined ? [] : [moreNote(shown, body.nextLine, index.count)];
  return textOf([...head, ...body.rows, ...more], { ...details, shown: body.ranges });
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

async function header(
  workspace: Workspace,
  path: string,
  shown: string,
  text: string,
): Promise<string> {
  const { tag } = workspace.files.snapshots.record(await workspace.files.identify(path), text);
  return printFileHeader(shown, tag);
}

async function summarise(
  workspace: Workspace,
  path: string,
  index: LineIndex,
  { ranges, isRaw }: Selector,
  signal: AbortSignal,
) {
  const { summarize, summarizeProse, readLines } = workspace.files.settings;
  // What is shown whole anyway needs no summary.
  if (!summarize || ranges || isRaw || index.count <= readLines / 3) return undefined;
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
  const maxLines = lineBudget(selector, workspace.files.settings.readLines);
  const read = await readFileLines(
    path,
    {
      ranges: wantedRanges(selector),
      maxLines,
      maxBytes: byteBudget(maxLines),
      maxLineBytes: MAX_LINE_CHARS * CHARACTER_BYTES,
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
    const row = printRow(number, text, numbering);
    rows.push(cutBytes > 0 && !row.isCut ? `${row.text}…` : row.text);
    previous = number;
  }
  const more = read.nextLine === undefined ? [] : [moreNote(shown, read.nextLine, read.lineCount)];
  const note = selector.isRaw ? [] : [`[${shown} has ${size} bytes: too large to edit by lines]`];
  return textOf([...note, ...rows, ...more], details);
}

function textOf(rows: readonly string[], details: Record<string, unknown>): ToolOutput {
  return { content: [{ type: "text", text: rows.join("\n") }], details };
}
