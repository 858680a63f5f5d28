// Short stand-ins for values that are only compared: equal values have equal ones,
// whatever the order of their keys.

import type { ToolContent } from "./tool.ts";

export function fingerprintOfContent(content: readonly ToolContent[]): string {
  let print = "";
  for (const block of content) {
    print += `${block.type}:${hash(block.type === "text" ? block.text : block.data)};`;
  }
  return print;
}

/**
 * Of a failure: names that are made up anew each time, and numbers, do not make it another one. What
 * went well is compared as it is: there, another number may be progress.
 */
export function fingerprintOfFailure(content: readonly ToolContent[]): string {
  return fingerprintOfContent(
    content.map((block) =>
      block.type === "text" ? { ...block, text: block.text.replace(MADE_UP, "#") } : block,
    ),
  );
}

/** Words with a digit in them, and longer ones in both cases, as temporary names have. */
const MADE_UP = /\w*\d\w*|\b(?=[A-Z]*[a-z])(?=[a-z]+[A-Z]|[A-Z]{2,}[a-z])\w{6,}\b/g;

export function fingerprintOfJson(value: unknown): string {
  return hash(stableJson(value));
}

/** The same text for the same value. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

function hash(text: string): string {
  return Bun.hash(text).toString(36);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
