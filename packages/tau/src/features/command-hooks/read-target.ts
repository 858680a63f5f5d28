// What the read tool is given (a path with lines, an address) and what others' read tools are given (a
// path, a first line, a number of lines), each from the other.

import { ToolError } from "@tau/agent/tool";
import { splitSelector } from "../../resources/selector.ts";

const WEB = /^(?:https?:\/\/|www\.)/i;

export function isWebAddress(given: string): boolean {
  return WEB.test(given);
}

export function pathAndLines(given: string): { path: string; offset?: number; limit?: number } {
  try {
    const { path, selector } = splitSelector(given);
    const [range] = selector.ranges ?? [];
    if (!range) return { path };
    const { first, last } = range;
    return { path, offset: first, limit: last === undefined ? undefined : last - first + 1 };
  } catch (error) {
    // Numbers that make no sense: the tool says so.
    if (error instanceof ToolError) return { path: given };
    throw error;
  }
}

export function withLines(path: string, offset: unknown, limit: unknown): string {
  if (typeof offset !== "number" && typeof limit !== "number") return path;
  const first = typeof offset === "number" ? offset : 1;
  return typeof limit === "number" ? `${path}:${first}-${first + limit - 1}` : `${path}:${first}-`;
}
