// A theme in use: paints text by token for one terminal. Paints close only what they
// opened, so that they may stand inside one another.

import { resetOf, sgrOf, type ColorDepth, type Layer } from "./color.ts";
import {
  spinnerFramesOf,
  symbolsOf,
  type SpinnerFrames,
  type SymbolPreset,
  type Symbols,
} from "./symbols.ts";
import type { ResolvedTheme } from "./theme-document.ts";
import { BACKGROUND_TOKENS, type ThemeToken } from "./tokens.ts";

/** Gives text a look without changing what it says. */
export type Paint = (text: string) => string;

export const plain: Paint = (text) => text;

export type TextAttribute = "bold" | "dim" | "italic" | "underline" | "inverse" | "strikethrough";

export interface ThemeOptions {
  depth: ColorDepth;
  /** A user's choice goes before the theme's. */
  symbolPreset?: SymbolPreset;
  /** `none` for terminals and files that know no bold. */
  attributes?: "all" | "none";
}

export interface Theme {
  readonly name: string;
  readonly depth: ColorDepth;
  style(token: ThemeToken): Paint;
  attribute(name: TextAttribute): Paint;
  readonly symbols: Symbols;
  readonly spinnerFrames: SpinnerFrames;
}

const ATTRIBUTE_CODES: Readonly<Record<TextAttribute, readonly [open: string, close: string]>> = {
  bold: ["1", "22"],
  dim: ["2", "22"],
  italic: ["3", "23"],
  underline: ["4", "24"],
  inverse: ["7", "27"],
  strikethrough: ["9", "29"],
};

function paintWith(open: string, close: string): Paint {
  const before = `\x1b[${open}m`;
  const after = `\x1b[${close}m`;
  return (text) => (text === "" ? "" : before + text + after);
}

const backgrounds = new Set<string>(BACKGROUND_TOKENS);

export function createTheme(resolved: ResolvedTheme, options: ThemeOptions): Theme {
  const preset = options.symbolPreset ?? resolved.symbolPreset ?? "unicode";
  const paints = new Map<ThemeToken, Paint>();
  const makePaint = (token: ThemeToken): Paint => {
    const layer: Layer = backgrounds.has(token) ? "background" : "foreground";
    const code = sgrOf(resolved.colors[token], layer, options.depth);
    // The default colour inside nothing is what the terminal shows anyway.
    if (code === undefined || code === resetOf(layer)) return plain;
    return paintWith(code, resetOf(layer));
  };
  return {
    name: resolved.name,
    depth: options.depth,
    symbols: { ...symbolsOf(preset), ...resolved.symbolOverrides },
    spinnerFrames: { ...spinnerFramesOf(preset), ...resolved.spinnerFrames },
    style(token) {
      let paint = paints.get(token);
      if (!paint) {
        paint = makePaint(token);
        paints.set(token, paint);
      }
      return paint;
    },
    attribute(name) {
      return options.attributes === "none" ? plain : paintWith(...ATTRIBUTE_CODES[name]);
    },
  };
}

/** First `inner`, then `outer` around it. */
export const layered =
  (outer: Paint, inner: Paint): Paint =>
  (text) =>
    outer(inner(text));
