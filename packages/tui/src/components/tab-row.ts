// Names of groups side by side, as many as fit, the open one always among them.

import { layered, type Theme } from "../theme/theme.ts";
import { displayWidth } from "../width.ts";
import { cleanLine } from "./clean-text.ts";
import { fitSpans, type Span } from "./spans.ts";

export function tabRow(
  theme: Theme,
  titles: readonly string[],
  open: number,
  columns: number,
): string {
  const { ellipsis } = theme.symbols;
  const texts = titles.map((title, index) => {
    const text = cleanLine(title);
    return index === open ? `[${text}]` : ` ${text} `;
  });
  const widthFrom = (from: number): number =>
    texts
      .slice(from, open + 1)
      .reduce((sum, text) => sum + displayWidth(text) + 1, from > 0 ? 2 : 0);
  let from = 0;
  // Room for a sign that more follow.
  while (from < open && widthFrom(from) > columns - 2) from += 1;
  const muted = theme.style("muted");
  const chosen = layered(theme.attribute("bold"), theme.style("accent"));
  const spans: Span[] = from > 0 ? [{ text: `${ellipsis} `, paint: muted }] : [];
  for (const [index, text] of texts.entries()) {
    if (index < from) continue;
    spans.push({ text: `${text} `, paint: index === open ? chosen : muted });
  }
  return fitSpans(spans, columns);
}
