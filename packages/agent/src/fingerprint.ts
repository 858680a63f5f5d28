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
