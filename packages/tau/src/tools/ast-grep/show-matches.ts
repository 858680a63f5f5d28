// The matches of one file as the model sees them: the lines that match with a few around them,
// under the header that an edit names, and what the holes of the pattern stand for.

import { printFileHeader } from "@tau/hashline/file-header";
import { LineIndex } from "@tau/hashline/line-index";
import type { StructuralMatch } from "@tau/host/syntax/structural-search";
import { atCharacter, CUT_CHARS, cutNote } from "../seen-lines.ts";
import type { Workspace } from "../workspace.ts";

/** Lines of one match; its first ones tell what it is, and its place where the rest is. */
const MAX_MATCH_LINES = 6;
/** Of what one hole stands for, which is in the lines above anyway. */
const MAX_CAPTURE_CHARS = 60;
/** Holes of one match that are shown. */
const MAX_CAPTURES = 8;

export interface FileToShow {
  path: string;
  text: string;
  matches: readonly StructuralMatch[];
}

/** Whether lines are shown for an edit that names them. */
export function isTagged({ canEdit, files: { settings } }: Workspace): boolean {
  return canEdit && settings.editMode === "hashline" && settings.hashLines;
}

/** What stands above the lines of a file; the whole text is what an edit then refers to. */
export async function fileHeading(
  workspace: Workspace,
  path: string,
  text: string,
): Promise<string> {
  const shown = workspace.files.shown(path);
  if (!isTagged(workspace)) return `# ${shown}`;
  const { tag } = workspace.files.snapshots.record(await workspace.files.identify(path), text);
  return printFileHeader(shown, tag);
}

export async function showMatches(
  workspace: Workspace,
  { path, text, matches }: FileToShow,
): Promise<string[]> {
  const index = new LineIndex(text);
  const sign = isTagged(workspace) ? ":" : "|";
  const { marked, around, captures } = layOut(index, matches, workspace.files.settings);
  const rows = [await fileHeading(workspace, path, text)];
  const file = await workspace.files.identify(path);
  let previous = 0;
  for (const line of [...around].toSorted((a, b) => a - b)) {
    if (previous > 0 && line > previous + 1) rows.push("…");
    const whole = index.line(line);
    workspace.files.seenLines.note(file, whole, CUT_CHARS);
    rows.push(`${marked.has(line) ? "*" : " "}${line}${sign}${cutLine(whole, line)}`);
    rows.push(...(captures.get(line) ?? []));
    previous = line;
  }
  return rows;
}

function layOut(
  index: LineIndex,
  matches: readonly StructuralMatch[],
  { searchBefore, searchAfter }: { searchBefore: number; searchAfter: number },
) {
  const marked = new Set<number>();
  const around = new Set<number>();
  /** Below the last line of a match that is shown. */
  const captures = new Map<number, string[]>();
  for (const match of matches) {
    const { line: first } = match.start;
    const last = lastLine(match);
    const end = Math.min(last, first + MAX_MATCH_LINES - 1);
    for (let line = first; line <= end; line++) marked.add(line);
    const from = Math.max(1, first - searchBefore);
    // What follows a match that is not shown to its end says nothing about it.
    const to = Math.min(index.count, end === last ? last + searchAfter : end);
    for (let line = from; line <= to; line++) around.add(line);
    const row = captureRow(match, last > end ? last : undefined);
    if (row !== undefined) captures.set(end, [...(captures.get(end) ?? []), row]);
  }
  return { marked, around, captures };
}

/** A node that ends with its line ends at the beginning of the next one. */
function lastLine({ start, end }: StructuralMatch): number {
  return end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
}

function captureRow(match: StructuralMatch, last: number | undefined): string | undefined {
  const named = Object.entries(match.captures);
  const parts = named.slice(0, MAX_CAPTURES).map(([name, { text }]) => {
    const [head, ...rest] = text.split(/\r?\n/);
    return `$${name}=${cut(rest.length > 0 ? `${head}…` : head!, MAX_CAPTURE_CHARS)}`;
  });
  if (named.length > MAX_CAPTURES) parts.push("…");
  if (last !== undefined) parts.unshift(`… to line ${last}`);
  return parts.length === 0 ? undefined : `    ${parts.join("  ")}`;
}

function cutLine(text: string, line: number): string {
  if (text.length <= CUT_CHARS) return text;
  const to = atCharacter(text, CUT_CHARS);
  return `${text.slice(0, to)}… ${cutNote(line, 0, to, text.length)}`;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, atCharacter(text, most))}…`;
}
