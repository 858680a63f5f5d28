// What a tool call says while it arrives, as rules look at it: the text that an edit or a write would
// put into files, for other tools the words of their arguments; and the files that it names.

import { parsePartialJson } from "../../tools/edit/partial-json.ts";

export interface CallText {
  text: string;
  paths: string[];
}

/** Deeper than any tool's arguments. */
const MAX_DEPTH = 6;
const HEADERS = [
  /^¶(.+?)(?:#[0-9A-Fa-f]+)?[ \t]*$/gm,
  /^\*\*\* (?:Add|Update|Delete) File: (.+?)[ \t]*$/gm,
  /^(?:\+\+\+|---) (?:[ab]\/)?(?!\/dev\/null)(.+?)[ \t]*$/gm,
];

/** `json`: the arguments, up to where they have come. */
export function callText(tool: string, json: string): CallText {
  const given = parsePartialJson(json);
  const args = (typeof given === "object" && given !== null ? given : {}) as Record<
    string,
    unknown
  >;
  const { path, paths, content, input, edits } = args;
  const named = [path, paths].flat().filter((one) => typeof one === "string");
  if (tool === "write" && typeof content === "string") return { text: content, paths: named };
  if (tool === "edit") {
    if (typeof input === "string") return { text: addedRows(input), paths: headersIn(input) };
    return { text: replacements(edits), paths: named };
  }
  const words: string[] = [];
  collect(args, words, 0);
  return { text: words.join("\n"), paths: named };
}

function addedRows(input: string): string {
  const rows = input.split("\n").filter((row) => row.startsWith("+") && !row.startsWith("+++ "));
  return rows.map((row) => row.slice(1)).join("\n");
}

function headersIn(input: string): string[] {
  const found = HEADERS.flatMap((header) => [...input.matchAll(header)].map(([, path]) => path!));
  return [...new Set(found)];
}

function replacements(edits: unknown): string {
  if (!Array.isArray(edits)) return "";
  const texts = edits.map((edit) => (edit as { newText?: unknown } | undefined)?.newText);
  return texts.filter((text) => typeof text === "string").join("\n");
}

function collect(value: unknown, words: string[], depth: number): void {
  if (typeof value === "string") words.push(value);
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const one of Object.values(value)) collect(one, words, depth + 1);
  }
}
