// What one entry of a list of places means, before anything is opened: a path that is there, a
// glob below a directory that is there, an address, something inside a file, or nothing. What
// exists under exactly this name always wins, whatever signs the name has.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "@tau/host/walk/byte-path";
import { hasGlob, splitGlob } from "@tau/host/walk/glob";
import { resolvePath, spelledOnDisk, tidyPath } from "./local-path.ts";
import { parseAddress, type SchemeAddress } from "./schemes.ts";
import { splitSelector, WHOLE, type Selector } from "./selector.ts";

export interface EntryPlace {
  cwd: string;
  home: string;
}

export type LocatedEntry =
  | { kind: "path"; path: string; selector: Selector }
  | { kind: "glob"; root: string; pattern: string; directoriesOnly: boolean; selector: Selector }
  | { kind: "address"; address: SchemeAddress }
  /** A member of an archive, a table of a database: a file, and what is meant within it. */
  | { kind: "inside" }
  | { kind: "missing" };

/** Throws a `ToolError` for a selector whose numbers make no sense. */
export async function locateEntry(entry: string, place: EntryPlace): Promise<LocatedEntry> {
  const input = tidyPath(entry);
  const literal = resolvePath(input, place);
  if (await exists(literal)) return { kind: "path", path: literal, selector: WHOLE };
  const { path, selector } = splitSelector(input);
  const address = parseAddress(path);
  if (address) return { kind: "address", address };
  const without = resolvePath(path, place);
  if (path !== input && (await exists(without))) return { kind: "path", path: without, selector };
  if (await isInsideFile(path, place)) return { kind: "inside" };
  if (hasGlob(path)) return locateGlob(path, selector, place);
  const spelled = spelledOnDisk(without);
  return spelled === undefined ? { kind: "missing" } : { kind: "path", path: spelled, selector };
}

async function locateGlob(
  input: string,
  selector: Selector,
  place: EntryPlace,
): Promise<LocatedEntry> {
  const { base, pattern, directoriesOnly } = splitGlob(input);
  let root = /^\/+$/.test(base) ? "/" : resolvePath(base, place);
  if (!(await isDirectory(root))) return { kind: "missing" };
  // A directory may be called `[id]`: what is there under that name is meant.
  const rest = pattern.split("/");
  while (rest.length > 1 && (await isDirectory(join(root, rest[0]!)))) {
    root = join(root, rest.shift()!);
  }
  return { kind: "glob", root, pattern: rest.join("/"), directoriesOnly, selector };
}

/** `a.zip:dir/x`, `b.sqlite:table`, `b.sqlite?q=…`: what stands before the sign is a file. */
async function isInsideFile(path: string, place: EntryPlace): Promise<boolean> {
  for (const { index } of path.matchAll(/(?<=.):(?=.)|(?<=.)\?(?=\w+=)/gs)) {
    const status = await statusOf(resolvePath(path.slice(0, index), place));
    if (status !== "missing" && status?.isFile()) return true;
  }
  return false;
}

async function isDirectory(path: string): Promise<boolean> {
  const status = await statusOf(path);
  return status !== "missing" && status?.isDirectory() === true;
}

/** Also what may not be looked at: whoever opens it says why. */
async function exists(path: string): Promise<boolean> {
  return (await statusOf(path)) !== "missing";
}

const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

async function statusOf(path: string) {
  if (path.includes("\0")) return "missing";
  try {
    return await stat(onDisk(path));
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (typeof code !== "string") throw error;
    return NOT_THERE.has(code) ? "missing" : undefined;
  }
}
