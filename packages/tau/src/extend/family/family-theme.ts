// The theme that the family's code paints with: Tau's own, under the family's names for colours.

import type { Theme } from "@tau/tui/theme/theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";

const plain = (text: string): string => text;

export function familyTheme(theme: Theme | undefined): object {
  const paint = (token: string): ((text: string) => string) => {
    if (!theme) return plain;
    try {
      return theme.style(token as ThemeToken);
    } catch {
      // A colour of another theme: the text is worth more than its colour.
      return plain;
    }
  };
  const attribute =
    (name: "bold" | "dim" | "italic" | "underline" | "inverse" | "strikethrough") =>
    (text: string): string =>
      theme ? theme.attribute(name)(text) : text;
  return {
    name: theme?.name ?? "none",
    fg: (token: string, text: string) => paint(token)(String(text)),
    bg: (token: string, text: string) => paint(token)(String(text)),
    bold: attribute("bold"),
    dim: attribute("dim"),
    italic: attribute("italic"),
    underline: attribute("underline"),
    inverse: attribute("inverse"),
    strikethrough: attribute("strikethrough"),
    getFgAnsi: () => "",
    getBgAnsi: () => "",
    getColorMode: () => "truecolor",
    getThinkingBorderColor: () => plain,
    getBashModeBorderColor: () => plain,
  };
}
