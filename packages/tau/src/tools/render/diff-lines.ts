// Diffs as tools leave them, read for a screen: unified ones from the details of a call, and the
// compact ones (`-4:old`, `+4:new`) from the text that the model was given.

import { parseFileHeader } from "@tau/hashline/file-header";
import type { DiffLine } from "@tau/tui/components/diff-view";
import { firstLines, rowText, wholeText } from "./clip-text.ts";
import { MAX_FULL_LINES } from "./output-rows.ts";
import type { CallLook } from "../../feature-api/tool-view.ts";

export interface FileDiff {
  /** Undefined where the text does not say. */
  path: string | undefined;
  lines: DiffLine[];
}

export interface ChangeCount {
  added: number;
  removed: number;
}

/** How the text of a line is brought to what will be shown. */
export type ClipLine = (line: string) => string;

export const clipFor = (look: CallLook): ClipLine =>
  look.detail === "full" ? wholeText : (line) => rowText(line, look.columns);

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** A diff of one or more files; what is no diff is left out. */
export function readUnifiedDiff(diff: string, clip: ClipLine): FileDiff[] {
  const files: FileDiff[] = [];
  // Lines that the open hunk still has: a removed line may look like the head of a file.
  let left = { old: 0, new: 0 };
  let at = { old: 0, new: 0 };
  for (const line of firstLines(diff, MAX_FULL_LINES).lines) {
    const file = files.at(-1);
    const sign = line[0] ?? " ";
    if ((left.old > 0 || left.new > 0) && (sign === " " || sign === "+" || sign === "-")) {
      const { lines } = file!;
      const text = clip(line.slice(1));
      if (sign === "+") lines.push({ kind: "added", text, newLine: at.new });
      else if (sign === "-") lines.push({ kind: "removed", text, oldLine: at.old });
      else lines.push({ kind: "context", text, oldLine: at.old, newLine: at.new });
      if (sign !== "+") [at.old, left.old] = [at.old + 1, left.old - 1];
      if (sign !== "-") [at.new, left.new] = [at.new + 1, left.new - 1];
      continue;
    }
    // What was cut off says so; no line of a file begins like this here.
    if (line.startsWith("[…")) file?.lines.push({ kind: "gap", text: clip(line) });
    const hunk = HUNK.exec(line);
    if (hunk) {
      const [oldStart, oldCount = "1", newStart, newCount = "1"] = hunk.slice(1);
      const { lines } = file ?? pushed(files);
      if (lines.length > 0) lines.push({ kind: "gap" });
      at = { old: Number(oldStart), new: Number(newStart) };
      left = { old: Number(oldCount), new: Number(newCount) };
    } else if (line.startsWith("--- ")) files.push({ path: nameIn(line), lines: [] });
    else if (line.startsWith("+++ ") && file) file.path = nameIn(line) ?? file.path;
  }
  return files.filter(({ lines }) => lines.length > 0);
}

function nameIn(line: string): string | undefined {
  const name = line.slice(4);
  return name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "");
}

const COMPACT = /^([ +-])(\d{1,9}):(.*)$/s;

/** What a result shows of changed files; other rows of it are left out. */
export function readCompactDiff(text: string, clip: ClipLine): FileDiff[] {
  const files: FileDiff[] = [];
  for (const line of firstLines(text, MAX_FULL_LINES).lines) {
    const name = parseFileHeader(line)?.path ?? /^# (.+)$/.exec(line)?.[1];
    if (name !== undefined) {
      files.push({ path: name, lines: [] });
      continue;
    }
    const row = COMPACT.exec(line);
    const file = files.at(-1);
    if (!row) {
      if (file && file.lines.length > 0 && (line === "…" || line.startsWith("[…"))) {
        file.lines.push({ kind: "gap", text: clip(line) });
      }
      continue;
    }
    const lines = file?.lines ?? pushed(files).lines;
    const number = Number(row[2]);
    const shown = clip(row[3]!);
    if (row[1] === "+") lines.push({ kind: "added", text: shown, newLine: number });
    else if (row[1] === "-") lines.push({ kind: "removed", text: shown, oldLine: number });
    else lines.push({ kind: "context", text: shown, oldLine: number, newLine: number });
  }
  return files.filter(({ lines }) => lines.length > 0);
}

function pushed(files: FileDiff[]): FileDiff {
  const file: FileDiff = { path: undefined, lines: [] };
  files.push(file);
  return file;
}

export function countChanges(files: readonly FileDiff[]): ChangeCount {
  const count = { added: 0, removed: 0 };
  for (const { lines } of files) {
    for (const { kind } of lines) if (kind === "added" || kind === "removed") count[kind]++;
  }
  return count;
}

/** `+3 −1`; undefined where nothing changed. */
export function changeRemark({ added, removed }: ChangeCount): string | undefined {
  const parts = [added > 0 ? `+${added}` : "", removed > 0 ? `−${removed}` : ""].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(" ");
}
