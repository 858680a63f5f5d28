// The user's own themes: JSON files in one directory, read with care, since a name may come from a
// project's settings and a file may be half written or no file at all.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { systemCode } from "@tau/host/storage-error";
import { DEFAULT_THEMES } from "@tau/tui/theme/default-themes";
import { readTheme, type ResolvedTheme } from "@tau/tui/theme/theme-document";
import { fitLine, oneLine } from "@tau/tui/width";
import { agentDirectory } from "../../../config/places.ts";

/** A theme is a few kilobytes; what is larger is something else. */
const MAX_THEME_BYTES = 256 * 1024;
/** A theme, what it extends, and so on; a chain longer than this is refused anyway. */
const MAX_FILES = 10;
/** A file's name without its ending; nothing that leads out of the directory. */
const SAFE_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u;
const ENDING = ".json";
const MAX_SHOWN_NAME_COLUMNS = 60;

const NONE: ReadonlyMap<string, string> = new Map();

export const themesDirectory = (env: Environment): string => join(agentDirectory(env), "themes");

export type LoadedTheme =
  | { ok: true; theme: ResolvedTheme; warnings: readonly string[]; files: ReadonlySet<string> }
  /** `missing`: there is no theme of that name. */
  | { ok: false; why: "missing" | "mistakes"; problem: string; files: ReadonlySet<string> };

/** The user's own one of that name, or the built-in one. Never rejects for what is in a file. */
export async function loadTheme(
  name: string,
  directory: string,
  installed: ReadonlyMap<string, string> = NONE,
): Promise<LoadedTheme> {
  const files = new Set<string>();
  const own = new Map<string, object>();
  // Parents are asked for synchronously: the chain is read first, as far as it is of files.
  for (let next: string | undefined = name; next !== undefined && files.size < MAX_FILES;) {
    const current: string = next;
    files.add(`${current}${ENDING}`);
    const read = await readOwn(current, directory, installed);
    if (read.problem !== undefined) {
      return { ok: false, why: "mistakes", problem: sentence(name, [read.problem]), files };
    }
    if (!read.document) break;
    own.set(current, read.document);
    const parent: unknown = (read.document as { extends?: unknown }).extends;
    next = typeof parent === "string" && !own.has(parent) ? parent : undefined;
  }
  const first = own.get(name) ?? DEFAULT_THEMES.get(name);
  if (!first) {
    const names = [...DEFAULT_THEMES.keys()].join(", ");
    const problem = `There is no theme "${shownName(name)}"; the built-in themes are ${names}.`;
    return { ok: false, why: "missing", problem, files };
  }
  const reading = readTheme(first, (parent, child) => {
    // Built-in themes are what they are; one of the user's that extends its own name means them.
    const isOwn = [...own.values()].includes(child) && own.get(parent) !== child;
    return (isOwn ? own.get(parent) : undefined) ?? DEFAULT_THEMES.get(parent);
  });
  if (!reading.ok) {
    return { ok: false, why: "mistakes", problem: sentence(name, reading.mistakes), files };
  }
  return { ...reading, files };
}

function sentence(name: string, mistakes: readonly string[]): string {
  // What is quoted of a file may hold anything; the sentence goes to a terminal.
  const all = mistakes.map((mistake) => oneLine(mistake).replace(/\.$/, "")).join("; ");
  return `The theme "${shownName(name)}" has ${mistakes.length === 1 ? "a mistake" : "mistakes"}: ${all}.`;
}

/** A project's settings may name anything. */
const shownName = (name: string): string => fitLine(name, MAX_SHOWN_NAME_COLUMNS);

interface ReadDocument {
  document?: object;
  problem?: string;
}

/** The user's own, or one that was installed. */
async function readOwn(
  name: string,
  directory: string,
  installed: ReadonlyMap<string, string>,
): Promise<ReadDocument> {
  if (!SAFE_NAME.test(name)) return {};
  const own = await readDocument(join(directory, `${name}${ENDING}`));
  const brought = installed.get(name);
  const isTaken =
    own.document !== undefined || own.problem !== undefined || DEFAULT_THEMES.has(name);
  return isTaken || brought === undefined ? own : readDocument(brought);
}

/** Neither where there is no such file. */
async function readDocument(file: string): Promise<ReadDocument> {
  try {
    const { size, isFile } = await stat(file).then((found) => ({
      size: found.size,
      isFile: found.isFile(),
    }));
    if (!isFile) return { problem: `${file} is not a regular file` };
    if (size > MAX_THEME_BYTES) {
      return { problem: `${file} has ${size} bytes; a theme has at most ${MAX_THEME_BYTES}` };
    }
    const document: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof document !== "object" || document === null) {
      return { problem: `${file} must contain a JSON object with a name and colors` };
    }
    return { document };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${file} is not JSON (${error.message})` };
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return {};
    if (code === undefined) throw error;
    return { problem: `${file} cannot be read (${code})` };
  }
}

export interface ThemeName {
  name: string;
  origin: "built-in" | "installed" | "yours";
}

/** All there are, by name; one of the user's goes before a built-in one. */
export async function listThemes(
  directory: string,
  installed: ReadonlyMap<string, string> = NONE,
): Promise<ThemeName[]> {
  const themes = new Map<string, ThemeName>();
  for (const name of installed.keys()) {
    if (SAFE_NAME.test(name)) themes.set(name, { name, origin: "installed" });
  }
  for (const name of DEFAULT_THEMES.keys()) themes.set(name, { name, origin: "built-in" });
  for (const name of await ownNames(directory)) themes.set(name, { name, origin: "yours" });
  return [...themes.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

async function ownNames(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory))
      .filter((file) => file.endsWith(ENDING))
      .map((file) => file.slice(0, -ENDING.length))
      .filter((name) => SAFE_NAME.test(name));
  } catch (error) {
    // Most users have none, and a directory that may not be read has none for us.
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
