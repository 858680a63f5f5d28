// What of an extension's own code matters before it is called: whether it asks for the list of models, which
// takes a moment to read, and which branch of the family it was written for. The branches differ in what
// they hand over under the same name.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ExtensionSource } from "../extension-source.ts";
import { IDLE_METHODS } from "./idle-methods.ts";
import { absentNames } from "../shims/absent.ts";

export interface ModuleTraits {
  readonly asksForModels: boolean;
  /** There the system prompt is a list of parts, not one text. */
  readonly hasPromptParts: boolean;
  /** What it imports of the family's packages that is not here: `NAME of PACKAGE`. */
  readonly absent: readonly string[];
  /** Methods of `ctx.ui` in its code that do nothing here. */
  readonly idleMethods: readonly string[];
  /** It says at `resources_discover` where its themes are. */
  readonly bringsThemes: boolean;
}

/** A package with more modules of its own than this is looked at in part. */
const MAX_FILES = 200;
const MAX_FILE_CHARS = 500_000;

export function traitsOf(source: ExtensionSource): ModuleTraits {
  let asksForModels = false;
  let hasPromptParts = false;
  let bringsThemes = false;
  const absent = new Set<string>();
  const idle = new Set<string>();
  for (const text of textsOf(source)) {
    asksForModels ||= /\bmodelRegistry\b/.test(text);
    hasPromptParts ||= /["']@oh-my-pi\//.test(text);
    bringsThemes ||= /\bthemePaths\b/.test(text);
    for (const one of absentIn(text)) absent.add(one);
    for (const [, method] of text.matchAll(IDLE_CALL)) idle.add(method!);
  }
  const idleMethods = [...idle];
  return { asksForModels, hasPromptParts, absent: [...absent], idleMethods, bringsThemes };
}

const IDLE_CALL = new RegExp(`\\.\\s*(${Object.keys(IDLE_METHODS).join("|")})\\s*\\??\\.?\\(`, "g");

const FAMILY_IMPORT =
  /import\s*\{([^}]*)\}\s*from\s*["']@(?:earendil-works|mariozechner|oh-my-pi)\/([\w-]+)[^"']*["']/g;

function* absentIn(text: string): Iterable<string> {
  for (const [, names = "", packageName = ""] of text.matchAll(FAMILY_IMPORT)) {
    const absent = absentNames(packageName);
    for (const one of names.split(",")) {
      const [name = ""] = one.trim().split(/\s+as\s+/);
      if (absent.includes(name)) yield `${name} of ${packageName}`;
    }
  }
}

/** The module, and what it imports by relative paths, as far as that has been loaded: not its neighbours. */
function* textsOf({ path }: ExtensionSource): Iterable<string> {
  const seen = new Set([path]);
  for (const file of seen) {
    const text = readText(file);
    yield text;
    for (const [, named] of text.matchAll(RELATIVE_IMPORT)) {
      const found = loadedAs(resolve(dirname(file), named!));
      if (found !== undefined && seen.size < MAX_FILES) seen.add(found);
    }
  }
}

const RELATIVE_IMPORT = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;
/** As it may be written without its ending, with another one, or as a directory. */
const ENDINGS = ["", ".ts", ".js", ".mjs", "/index.ts", "/index.js"] as const;

function loadedAs(path: string): string | undefined {
  const stem = path.replace(/\.[cm]?js$/, "");
  const candidates = [path, stem].flatMap((one) => ENDINGS.map((ending) => one + ending));
  return candidates.find((one) => one in require.cache);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, MAX_FILE_CHARS);
  } catch {
    // It ran a moment ago: that it cannot be read any more is nobody's concern here.
    return "";
  }
}
