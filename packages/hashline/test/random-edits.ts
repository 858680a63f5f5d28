// Random texts with every kind of line end, and random hunks that fit them.

import fc from "fast-check";
import type { Hunk } from "../src/hunk.ts";

/** What a text is made of, before it is put together. */
export interface TextParts {
  mark: "" | "\uFEFF";
  lines: { text: string; ending: "\n" | "\r\n" }[];
  isEnded: boolean;
}

/** A lone CR and other controls inside a line are content; LF is not, CR at its end neither. */
const anyLine = fc
  .oneof(
    fc.constantFrom(
      "",
      "}",
      "  return x;",
      "+plus",
      "-minus",
      "¶a#0000",
      "1:one",
      "a\rb",
      "é😀\u2028",
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  )
  .map((line) => line.replaceAll("\n", "").replace(/\r+$/, "").replaceAll("\uFEFF", ""));

export function textParts(line: fc.Arbitrary<string> = anyLine): fc.Arbitrary<TextParts> {
  return fc.record({
    mark: fc.constantFrom("", "\uFEFF"),
    lines: fc.array(fc.record({ text: line, ending: fc.constantFrom("\n", "\r\n") }), {
      maxLength: 14,
    }),
    isEnded: fc.boolean(),
  });
}

export function joinParts({ mark, lines, isEnded }: TextParts): string {
  const body = lines.map(({ text, ending }) => text + ending).join("");
  // An empty last line cannot lack its end: there would be no line.
  const last = lines.at(-1);
  const cut = isEnded || !last || last.text === "" ? 0 : last.ending.length;
  return mark + body.slice(0, body.length - cut);
}

/** Plain lines without meaning for the language, so that every body is content. */
export const plainRow = fc.constantFrom("new", "", "  x", "two words", "ü", "+", "-", "¶");

/** Hunks for a text of `count` lines; they may overlap. */
export function hunksFor(count: number): fc.Arbitrary<Hunk[]> {
  const body = fc.array(plainRow, { minLength: 1, maxLength: 3 });
  const patchLine = fc.constant(1);
  const edge = fc.record({
    kind: fc.constantFrom("insert_head" as const, "insert_tail" as const),
    body,
    patchLine,
  });
  if (count === 0) return fc.array(edge, { minLength: 1, maxLength: 3 });
  const line = fc.integer({ min: 1, max: count });
  const range = fc
    .tuple(line, fc.integer({ min: 0, max: 3 }))
    .map(([start, more]) => ({ start, end: Math.min(count, start + more) }));
  const hunk: fc.Arbitrary<Hunk> = fc.oneof(
    fc
      .tuple(range, body)
      .map(([at, rows]) => ({ kind: "replace" as const, ...at, body: rows, patchLine: 1 })),
    range.map((at) => ({ kind: "delete" as const, ...at, patchLine: 1 })),
    fc.record({
      kind: fc.constantFrom("insert_before" as const, "insert_after" as const),
      line,
      body,
      patchLine,
    }),
    edge,
  );
  return fc
    .array(hunk, { minLength: 1, maxLength: 4 })
    .map((hunks) => hunks.map((one, at) => Object.assign(one, { patchLine: at + 1 })));
}
