// Markdown as models write it: everything at once, and as it arrives.

import { MarkdownView } from "@tau/tui/markdown/markdown-view";
import { captioned, type GalleryLook, type GallerySection } from "./gallery-section.ts";

const KITCHEN_SINK = `# What I found

The **parser** drops the last *token* when the input ends in a comment; see \`scan()\` in
[lexer.ts](https://example.com/lexer.ts). ~~Not~~ the printer's fault.

## Why

1. \`scan()\` returns before it flushes
2. the caller asks for \`peek()\` only
   - which is \`undefined\` then
   - and taken for the end
3. so nobody sees it

- [x] reproduced
- [ ] fixed

> A quote that is long enough to be broken into several rows where the terminal is narrow, as
> most of them are.
>
> > and one inside of it

\`\`\`ts
export function scan(text: string): Token[] {
  // Flushes what is open at the end.
  const tokens: Token[] = [];
  return [...tokens, end(text.length)];
}
\`\`\`

| file | lines | tests |
| :--- | ----: | :---: |
| lexer.ts | 120 | yes |
| printer.ts | 48 | no |
| a-name-that-is-rather-long-for-a-table.ts | 3 | \`?\` |

---

#### Deep heading

Line one  
line two after a hard break. <b>HTML stays text</b>, and so does \\*this\\*.
`;

/** Cut in the middle of what is hard: a bold word, a list, a fence, a table. */
const CUTS = ["The **par", "3. so no", "  const tokens: Tok", "| lexer.ts | 12"];

function drawn(text: string, end: "finished" | "open", look: GalleryLook): readonly string[] {
  const view = new MarkdownView({
    theme: look.theme,
    hyperlinks: "off",
    highlighter: look.highlighter,
  });
  view.append(text);
  if (end === "finished") view.finish();
  return view.render(look.columns).rows;
}

export const markdownSection: GallerySection = {
  name: "markdown",
  about: "Markdown, whole and as it arrives",
  items: [
    { name: "kitchen-sink", rows: (look) => drawn(KITCHEN_SINK, "finished", look) },
    {
      name: "streaming",
      rows: (look) =>
        captioned(
          look,
          CUTS.map((cut) => {
            const end = KITCHEN_SINK.indexOf(cut) + cut.length;
            // The last rows are what changes.
            return [
              `cut at "${cut.trim()}"`,
              drawn(KITCHEN_SINK.slice(0, end), "open", look).slice(-6),
            ];
          }),
        ),
    },
    {
      name: "narrow",
      rows: (look) =>
        drawn(KITCHEN_SINK, "finished", { ...look, columns: Math.min(30, look.columns) }),
    },
  ],
};
