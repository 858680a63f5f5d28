// A theme as users write it: JSON with colours by token, variables, and a parent whose
// values hold where it says nothing. Reading names every mistake at once; a theme with a
// mistake is refused as a whole, so that the colours on screen stay as they were.

import { displayWidth } from "../width.ts";
import { parseHex, type Color } from "./color.ts";
import {
  SYMBOL_NAMES,
  SYMBOL_PRESETS,
  type SpinnerKind,
  type SymbolName,
  type SymbolPreset,
} from "./symbols.ts";
import { THEME_TOKENS, type ThemeToken } from "./tokens.ts";

export const EXPORT_TOKENS = ["pageBg", "cardBg", "infoBg"] as const;
export type ExportToken = (typeof EXPORT_TOKENS)[number];

/** Hex, an index of the 256 colours, the name of a variable, or "" for the terminal's own. */
export type ColorValue = string | number;

export interface ThemeDocument {
  name: string;
  /** The theme whose values hold where this one has none. */
  extends?: string;
  vars?: Readonly<Record<string, ColorValue>>;
  colors?: Readonly<Record<string, ColorValue>>;
  export?: Readonly<Record<string, ColorValue>>;
  symbols?: {
    preset?: SymbolPreset;
    overrides?: Readonly<Record<string, string>>;
    spinnerFrames?: readonly string[] | Readonly<Partial<Record<SpinnerKind, readonly string[]>>>;
  };
}

export interface ResolvedTheme {
  name: string;
  colors: Readonly<Record<ThemeToken, Color>>;
  export: Readonly<Partial<Record<ExportToken, Color>>>;
  symbolPreset?: SymbolPreset;
  symbolOverrides: Readonly<Partial<Record<SymbolName, string>>>;
  spinnerFrames: Readonly<Partial<Record<SpinnerKind, readonly string[]>>>;
}

export type ThemeReading =
  | { ok: true; theme: ResolvedTheme; warnings: readonly string[] }
  | { ok: false; mistakes: readonly string[] };

/** Finds a theme that another one, `child`, extends. */
export type FindTheme = (name: string, child: object) => unknown;

// A chain longer than this is a loop or a joke.
const MAX_ANCESTORS = 8;
const MAX_SYMBOL_COLUMNS = 4;
const MAX_SPINNER_FRAMES = 64;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function readTheme(document: unknown, find: FindTheme = () => undefined): ThemeReading {
  const mistakes: string[] = [];
  const warnings: string[] = [];
  const chain = ancestry(document, find, mistakes);
  if (chain.length === 0) return { ok: false, mistakes };
  const merged = (section: string): Fields =>
    Object.assign({}, ...chain.map((theme) => fieldsOf(theme, section, mistakes))) as Fields;
  const vars = merged("vars");
  const colors = merged("colors");
  const resolved: Partial<Record<ThemeToken, Color>> = {};
  const known = new Set<string>(THEME_TOKENS);
  for (const name of Object.keys(colors)) {
    // Tokens come and go between releases: one too many must not break a user's file.
    if (!known.has(name)) warnings.push(`colors.${name} is not a known token and is ignored.`);
  }
  const missing = THEME_TOKENS.filter((token) => !Object.hasOwn(colors, token));
  if (missing.length > 0) {
    mistakes.push(
      `colors lacks ${missing.join(", ")}; add them, or "extends" a theme that has them.`,
    );
  }
  for (const token of THEME_TOKENS) {
    if (!Object.hasOwn(colors, token)) continue;
    const color = resolveColor(`colors.${token}`, colors[token], vars, mistakes);
    if (color) resolved[token] = color;
  }
  const exported: Partial<Record<ExportToken, Color>> = {};
  const exportFields = merged("export");
  for (const token of EXPORT_TOKENS) {
    if (!Object.hasOwn(exportFields, token)) continue;
    const color = resolveColor(`export.${token}`, exportFields[token], vars, mistakes);
    if (color) exported[token] = color;
  }
  const symbols = readSymbols(chain, mistakes, warnings);
  if (mistakes.length > 0) return { ok: false, mistakes };
  const theme: ResolvedTheme = {
    name: (chain.at(-1) as { name: string }).name,
    colors: resolved as Record<ThemeToken, Color>,
    export: exported,
    ...symbols,
  };
  return { ok: true, theme, warnings };
}

/** Oldest ancestor first, the theme itself last. */
function ancestry(document: unknown, find: FindTheme, mistakes: string[]): Fields[] {
  const chain: Fields[] = [];
  const seen = new Set<object>();
  let current = document;
  for (let depth = 0; ; depth++) {
    if (!isFields(current)) {
      mistakes.push("A theme must be a JSON object with a name and colors.");
      return [];
    }
    const { name, extends: parent } = current;
    if (typeof name !== "string" || name === "") {
      mistakes.push("name is missing; give the theme one.");
      return [];
    }
    if (seen.has(current) || depth > MAX_ANCESTORS) {
      mistakes.push(`extends forms a loop at "${name}"; break it.`);
      return [];
    }
    chain.unshift(current);
    seen.add(current);
    if (parent === undefined) return chain;
    if (typeof parent !== "string") {
      mistakes.push("extends must be the name of a theme.");
      return [];
    }
    current = find(parent, current);
    if (current === undefined) {
      mistakes.push(`extends names "${parent}", which is not a theme; see the list of themes.`);
      return [];
    }
  }
}

function fieldsOf(theme: Fields, section: string, mistakes: string[]): Fields {
  const value = theme[section];
  if (value === undefined) return {};
  if (isFields(value)) return value;
  mistakes.push(`${section} must be an object.`);
  return {};
}

function resolveColor(
  path: string,
  value: unknown,
  vars: Fields,
  mistakes: string[],
): Color | undefined {
  const followed: string[] = [];
  let current = value;
  for (;;) {
    if (current === "") return { kind: "default" };
    if (typeof current === "number") {
      if (Number.isInteger(current) && current >= 0 && current <= 255) {
        return { kind: "index", index: current };
      }
      mistakes.push(`${path}: ${current} is not a colour index; use 0 to 255.`);
      return undefined;
    }
    if (typeof current !== "string") {
      mistakes.push(`${path} must be "#rrggbb", 0 to 255, a variable or "".`);
      return undefined;
    }
    const hex = parseHex(current);
    if (hex) return hex;
    if (followed.includes(current)) {
      mistakes.push(`${path}: the variables ${[...followed, current].join(" → ")} form a loop.`);
      return undefined;
    }
    if (!Object.hasOwn(vars, current)) {
      mistakes.push(`${path}: "${current}" is neither "#rrggbb" nor a variable of vars.`);
      return undefined;
    }
    followed.push(current);
    current = vars[current];
  }
}

type SymbolParts = Pick<ResolvedTheme, "symbolPreset" | "symbolOverrides" | "spinnerFrames">;

function readSymbols(
  chain: readonly Fields[],
  mistakes: string[],
  warnings: string[],
): SymbolParts {
  let symbolPreset: SymbolPreset | undefined;
  const symbolOverrides: Partial<Record<SymbolName, string>> = {};
  const spinnerFrames: Partial<Record<SpinnerKind, readonly string[]>> = {};
  for (const theme of chain) {
    const symbols = fieldsOf(theme, "symbols", mistakes);
    if (symbols.preset !== undefined) {
      const preset = SYMBOL_PRESETS.find((name) => name === symbols.preset);
      if (preset) symbolPreset = preset;
      else mistakes.push(`symbols.preset must be one of ${SYMBOL_PRESETS.join(", ")}.`);
    }
    for (const [name, sign] of Object.entries(fieldsOf(symbols, "overrides", mistakes))) {
      const key = SYMBOL_NAMES.find((known) => known === name);
      if (!key) warnings.push(`symbols.overrides.${name} is not a known symbol and is ignored.`);
      else if (isSign(sign)) symbolOverrides[key] = sign;
      else
        mistakes.push(
          `symbols.overrides.${name} must be 1 to ${MAX_SYMBOL_COLUMNS} columns of text.`,
        );
    }
    const frames = symbols.spinnerFrames;
    if (frames === undefined) continue;
    const given = Array.isArray(frames) ? { status: frames, activity: frames } : frames;
    for (const kind of ["status", "activity"] as const) {
      const list = isFields(given) ? given[kind] : [];
      if (list === undefined) continue;
      const sound = Array.isArray(list) && list.length > 0 && list.length <= MAX_SPINNER_FRAMES;
      if (sound && list.every(isSign)) spinnerFrames[kind] = list;
      else
        mistakes.push(`symbols.spinnerFrames must be a list of 1 to ${MAX_SPINNER_FRAMES} signs.`);
    }
  }
  return { ...(symbolPreset && { symbolPreset }), symbolOverrides, spinnerFrames };
}

function isSign(value: unknown): value is string {
  if (typeof value !== "string" || /[\u0000-\u001f\u007f-\u009f]/.test(value)) return false;
  const columns = displayWidth(value);
  return columns >= 1 && columns <= MAX_SYMBOL_COLUMNS;
}
