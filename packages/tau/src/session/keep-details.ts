// What a tool said for renderers, as the log keeps it: plain data of a bounded size. What is too
// large is left out part by part, the largest first, and named, so that a count survives beside a
// text that does not, and nobody takes what is left for all there was.

import type { RanCall } from "@tau/agent/record";
import type { KeptRun } from "./entry.ts";

/**
 * Of JSON. Twice what the table lets a result have: details are about a result, and a line of the
 * log is read whole whenever its branch is.
 */
export const MAX_DETAILS_CHARACTERS = 128 * 1024;

/** What stands for details that are not made of parts. */
const ALL = "details";

export function keepRun({ details, ...ran }: RanCall, hide: <T>(value: T) => T): KeptRun {
  if (details === undefined) return ran;
  const json = jsonOf(details);
  if (json === undefined) return { ...ran, omitted: [ALL] };
  const { kept, omitted } = fit(hide(JSON.parse(json) as unknown), json.length);
  return omitted.length === 0 ? { ...ran, details: kept } : { ...ran, details: kept, omitted };
}

function fit(plain: unknown, characters: number): { kept: unknown; omitted: string[] } {
  if (characters <= MAX_DETAILS_CHARACTERS) return { kept: plain, omitted: [] };
  if (typeof plain !== "object" || plain === null || Array.isArray(plain)) {
    return { kept: undefined, omitted: [ALL] };
  }
  const sizes = Object.entries(plain).map(([name, part]) => ({
    name,
    characters: name.length + (jsonOf(part)?.length ?? 0),
  }));
  let left = sizes.reduce((sum, part) => sum + part.characters, 0);
  const omitted: string[] = [];
  for (const part of sizes.toSorted((a, b) => b.characters - a.characters)) {
    if (left <= MAX_DETAILS_CHARACTERS) break;
    left -= part.characters;
    omitted.push(part.name);
  }
  const kept = Object.entries(plain).filter(([name]) => !omitted.includes(name));
  return { kept: Object.fromEntries(kept), omitted };
}

/** Undefined for what cannot be written down: circles, numbers beyond JSON, functions. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
