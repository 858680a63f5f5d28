// A list of places as a model writes it. Models put several paths into one string now and then;
// such an entry is taken apart only where what is on disk says that this is what was meant.

import { ToolError } from "@tau/agent/tool";
import { hasGlob } from "@tau/host/walk/glob";
import { tidyPath } from "./local-path.ts";
import { locateEntry, type EntryPlace } from "./locate-entry.ts";
import { parseAddress } from "./schemes.ts";

/** A string with more delimiters than this is no list that anybody wrote. */
const MAX_PARTS = 200;

/** Without quotes and spaces around them; throws a `ToolError` where an entry is empty. */
export async function listPaths(
  given: string | readonly string[],
  place: EntryPlace,
): Promise<string[]> {
  const entries = typeof given === "string" ? [given] : given;
  const lists = await Promise.all(entries.map((entry) => expandEntry(entry, place)));
  const paths = lists.flat();
  if (paths.length === 0 || paths.includes("")) {
    throw new ToolError('Name at least one path or glob, none of them empty; "." is all of it.');
  }
  return [...new Set(paths)];
}

async function expandEntry(entry: string, place: EntryPlace): Promise<string[]> {
  const whole = tidyPath(entry);
  const how = await howItIsThere(whole, place);
  if (how === "exactly") return [whole];
  const listed = jsonList(whole);
  if (listed) return (await Promise.all(listed.map((one) => expandEntry(one, place)))).flat();
  const listedParts = splitOutside(entry, /[,;]/);
  if (isFew(listedParts)) {
    const ways = await Promise.all(listedParts.map((part) => howItIsThere(part, place)));
    // A glob or an address may hold a comma of its own; then its pieces are no places.
    const isSplit =
      how === "by form"
        ? listedParts.every((part, at) => ways[at] !== "not" || hasForm(part))
        : ways.some((way) => way !== "not");
    if (isSplit) return listedParts;
  }
  const words = splitOutside(entry, /\s/);
  if (isFew(words)) {
    const ways = await Promise.all(words.map((part) => howItIsThere(part, place)));
    if (ways.every((way) => way !== "not")) return words;
  }
  return [whole];
}

function isFew({ length }: readonly string[]): boolean {
  return length > 1 && length <= MAX_PARTS;
}

/** Of a glob or an address the form alone is known; whether anything matches is not. */
type Presence = "exactly" | "by form" | "not";

async function howItIsThere(path: string, place: EntryPlace): Promise<Presence> {
  if (path === "") return "not";
  try {
    const { kind } = await locateEntry(path, place);
    if (kind === "missing") return "not";
    return kind === "glob" || kind === "address" ? "by form" : "exactly";
  } catch (error) {
    // A selector without sense still belongs to a path; whoever opens it says so.
    if (error instanceof ToolError) return "not";
    throw error;
  }
}

function hasForm(path: string): boolean {
  return hasGlob(path) || parseAddress(path) !== undefined;
}

/** `["a", "b"]` in one string. */
function jsonList(text: string): string[] | undefined {
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    return isList ? (value as string[]) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** At delimiters that are in no quotes, braces or brackets; empty parts are none. */
function splitOutside(text: string, delimiter: RegExp): string[] {
  const parts: string[] = [];
  let part = "";
  let closer: string | undefined;
  for (const character of text.trim()) {
    if (closer === undefined && delimiter.test(character)) {
      parts.push(part);
      part = "";
      continue;
    }
    if (character === closer) closer = undefined;
    else if (closer === undefined) closer = openedBy(character, part);
    part += character;
  }
  return [...parts, part].map(tidyPath).filter((one) => one !== "");
}

function openedBy(character: string, before: string): string | undefined {
  // A quote inside a word is an apostrophe.
  const isQuote = /["'`]/.test(character) && before.trim() === "";
  return isQuote ? character : CLOSERS[character];
}
