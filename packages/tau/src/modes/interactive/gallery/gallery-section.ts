// What the gallery shows: things that can be drawn, by area. A section is data for two readers,
// the person who looks at `tau gallery` and the test that compares every row with its snapshot.

import type { CodeHighlighter } from "@tau/tui/markdown/code-highlighter";
import type { Theme } from "@tau/tui/theme/theme";
import { fitLine } from "@tau/tui/width";

export interface GalleryLook {
  readonly theme: Theme;
  readonly columns: number;
  readonly highlighter: CodeHighlighter;
}

export interface GalleryItem {
  /** Unique within its section; a few words with hyphens. */
  readonly name: string;
  /** The same rows for the same look, whenever and wherever it is drawn. */
  rows(look: GalleryLook): readonly string[] | Promise<readonly string[]>;
}

export interface GallerySection {
  /** Unique; one word. */
  readonly name: string;
  /** What is in it, in a few words. */
  readonly about: string;
  readonly items: readonly GalleryItem[];
}

/** Variants of one thing below one another, each under its name. */
export function captioned(
  { theme, columns }: GalleryLook,
  variants: readonly (readonly [caption: string, rows: readonly string[]])[],
): string[] {
  const muted = theme.style("muted");
  return variants.flatMap(([caption, rows], at) => [
    ...(at > 0 ? [""] : []),
    muted(fitLine(`(${caption})`, columns)),
    ...rows,
  ]);
}
