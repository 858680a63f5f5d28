// Instructions that a user or a project keeps for agents, with what they import: a line that is
// nothing but `@path` stands for that file. Imports stay where the file may look: a project's in
// the project, the user's in the home.

import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";

/** Files in files; more is a mistake or a circle. */
const MAX_DEPTH = 5;
/** Of one file with its imports: about 16,000 tokens. */
const MAX_BYTES = 64 * 1024;

export interface ContextFile {
  /** As the model sees it. */
  shown: string;
  text: string;
}

export interface ImportPlace {
  /** Absolute and without links: nothing outside of it is imported. */
  root: string;
  home: string;
}

const IMPORT = /^[ \t]*@((?:~|\.{0,2})?[^\s@`'"]+)[ \t]*$/;
const FENCE = /^[ \t]*(```|~~~)/;

/** The text with its imports in place; what cannot be imported stays as it stands. */
export async function withImports(path: string, text: string, place: ImportPlace): Promise<string> {
  const budget = { bytes: MAX_BYTES };
  return expand(text, dirname(path), place, budget, new Set([path]));
}

async function expand(
  text: string,
  directory: string,
  place: ImportPlace,
  budget: { bytes: number },
  seen: ReadonlySet<string>,
): Promise<string> {
  const lines: string[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) isCode = !isCode;
    const wanted = isCode ? undefined : IMPORT.exec(line)?.[1];
    const imported =
      wanted === undefined ? undefined : await load(wanted, directory, place, budget, seen);
    const kept = imported ?? line;
    budget.bytes -= imported === undefined ? line.length + 1 : 0;
    if (budget.bytes < 0) {
      lines.push("[… the rest is left out: it is too long]");
      break;
    }
    lines.push(kept);
  }
  return lines.join("\n");
}

async function load(
  wanted: string,
  directory: string,
  place: ImportPlace,
  budget: { bytes: number },
  seen: ReadonlySet<string>,
): Promise<string | undefined> {
  const named = wanted.startsWith("~/")
    ? resolve(place.home, wanted.slice(2))
    : resolve(directory, wanted);
  try {
    const real = await realpath(named);
    const isInside = isBelow(real, place.root);
    if (!isInside || seen.has(real) || seen.size > MAX_DEPTH) return undefined;
    const found = await stat(real);
    if (!found.isFile() || found.size > MAX_BYTES) return undefined;
    const text = (await readFile(real, "utf8")).trimEnd();
    return await expand(text, dirname(real), place, budget, new Set([...seen, real]));
  } catch (error) {
    // Something that looks like an import and is none: a name, an address.
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  }
}

function isBelow(path: string, root: string): boolean {
  const inside = relative(root, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
