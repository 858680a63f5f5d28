// Why an edit was not made, in words, with what to do instead. Every refusal left the
// file exactly as it was, and says so.

import { inlineCode, clip, prose } from "../markdown.ts";
import type { EditRequest } from "./edit-request.ts";
import { MAX_FILE_BYTES, MAX_REPLACEMENTS } from "./edit-script.ts";

const QUOTED_COLUMNS = 40;
const SHOWN_LINES = 8;

type Because = (edit: { path: string; old: string }, lines: readonly number[]) => string;

const KILOBYTES = MAX_FILE_BYTES / 1024;

const REASONS: Readonly<Record<string, Because>> = {
  absent: ({ path, old }) =>
    `${old} does not occur in ${path}. The search is exact: check the spelling, case and spaces.`,
  many: ({ path, old }, lines) =>
    `${old} occurs more than once in ${path}${onLines(lines)}. Quote more of the text around it, ` +
    "or add `everywhere` to change all.",
  same: () => "the old and the new text are the same.",
  outside: ({ path }) => `${path} leads out of the working directory.`,
  link: ({ path }) => `${path} is a link. Name the file that it points to.`,
  missing: ({ path }) => `${path} does not exist.`,
  exists: ({ path }) => `${path} exists already. Use \`add\` or \`replace\` to change it.`,
  binary: ({ path }) => `${path} is not a text file: it contains NUL bytes.`,
  inexact: ({ path }) => `I could not prove that I would keep the rest of ${path} exactly.`,
  "no-folder": ({ path }) =>
    `the folder of ${path} does not exist. Create it first, with \`run mkdir\`.`,
  "not-a-file": ({ path }) => `${path} is not a regular file.`,
  "not-writable": ({ path }) => `you may not read and write ${path}.`,
  "not-written": ({ path }) =>
    `${path} could not be written. Is the disk full, or the folder read-only?`,
  "too-large": ({ path }) => `${path} is larger than the ${KILOBYTES} KB that I edit.`,
  "too-many": ({ old }) =>
    `${old} occurs more than ${MAX_REPLACEMENTS.toLocaleString("en-US")} times.`,
};

export function explainRefusal(
  edit: EditRequest,
  reason: string,
  lines: readonly number[] = [],
): string {
  const old = edit.kind === "replace" ? edit.old : "";
  const named = { path: inlineCode(edit.path), old: inlineCode(clip(old, QUOTED_COLUMNS)) };
  const because = REASONS[reason]?.(named, lines) ?? `the script refused (${reason}).`;
  return prose(`I left everything as it was: ${because}`);
}

function onLines(lines: readonly number[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > SHOWN_LINES ? " and others" : "";
  return ` (lines ${lines.slice(0, SHOWN_LINES).join(", ")}${more})`;
}
