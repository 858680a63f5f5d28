// The theme that the family's code paints with: Tau's own, under the family's names for colours, which are
// Tau's but for a few.

import type { Theme } from "@tau/tui/theme/theme";
import { THEME_TOKENS, type ThemeToken } from "@tau/tui/theme/tokens";

type Paint = (text: string) => string;

const plain: Paint = (text) => text;

const TOKENS: ReadonlySet<string> = new Set(THEME_TOKENS);

/** Names of the family's that Tau has another for. */
const OTHER_NAMES: Readonly<Record<string, ThemeToken>> = {
  scrollbarThumb: "borderAccent",
  scrollbarTrack: "borderMuted",
  searchMatchBg: "selectedBg",
  searchMatchText: "accent",
  thinkingMax: "thinkingXhigh",
  info: "accent",
  primary: "accent",
  secondary: "muted",
};

export function familyTheme(theme: Theme | undefined): object {
  /** A colour of another theme: the text is worth more than its colour. */
  const paint = (token: unknown): Paint => {
    const name = String(token);
    const known = TOKENS.has(name) ? (name as ThemeToken) : OTHER_NAMES[name];
    return theme && known !== undefined ? theme.style(known) : plain;
  };
  const attribute =
    (name: "bold" | "dim" | "italic" | "underline" | "inverse" | "strikethrough") =>
    (text: string): string =>
      theme ? theme.attribute(name)(String(text)) : String(text);
  const painted = (token: unknown, text: unknown): string => paint(token)(String(text));
  /** What switches the colour on. */
  const opening = (token: unknown): string => paint(token)("x").split("x", 1)[0] ?? "";
  return {
    name: theme?.name ?? "none",
    fg: painted,
    bg: painted,
    bold: attribute("bold"),
    dim: attribute("dim"),
    italic: attribute("italic"),
    underline: attribute("underline"),
    inverse: attribute("inverse"),
    strikethrough: attribute("strikethrough"),
    getFgAnsi: opening,
    getBgAnsi: opening,
    getColorMode: () => "truecolor",
    getThinkingBorderColor: (level: unknown) => paint(thinkingToken(level)),
    getBashModeBorderColor: () => paint("bashMode"),
  };
}

function thinkingToken(level: unknown): string {
  const name = String(level);
  return `thinking${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
