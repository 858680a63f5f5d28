// The law of the edit language: a patch gives exactly what a plain model of it gives, or it
// is refused; and what it does not name keeps its bytes.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { hunksFor, joinParts, textParts, type TextParts } from "../test/random-edits.ts";
import { applyHunks } from "../test/apply-hunks.ts";
import { printSection } from "../test/print-patch.ts";
import type { Hunk } from "./hunk.ts";
import { LineIndex } from "./line-index.ts";
import { parsePatch } from "./parse-patch.ts";
import { PatchError } from "./patch-error.ts";

const patchedText = textParts().chain((parts) =>
  fc.record({ parts: fc.constant(parts), hunks: hunksFor(new LineIndex(joinParts(parts)).count) }),
);

/** Line by line, with no regard to cost; undefined if two hunks are in each other's way. */
function model(parts: TextParts, hunks: readonly Hunk[]): string | undefined {
  const text = joinParts(parts);
  const lines = new LineIndex(text).count === 0 ? [] : parts.lines;
  const count = lines.length;
  const owner = new Map<number, Hunk>();
  const rows = { head: [] as string[], tail: [] as string[] };
  const after: string[][] = Array.from({ length: count + 1 }, () => []);
  const before: string[][] = Array.from({ length: count + 2 }, () => []);
  for (const hunk of hunks) {
    if (hunk.kind === "insert_head") rows.head.push(...hunk.body);
    if (hunk.kind === "insert_tail") rows.tail.push(...hunk.body);
    if (hunk.kind === "insert_after") after[hunk.line]!.push(...hunk.body);
    if (hunk.kind === "insert_before") before[hunk.line]!.push(...hunk.body);
    if (hunk.kind !== "replace" && hunk.kind !== "delete") continue;
    for (let line = hunk.start; line <= hunk.end; line++) {
      if (owner.has(line)) return undefined;
      owner.set(line, hunk);
    }
  }
  // The last line of a text that is not ended has no ending to offer.
  const isEnded = text === "" || text === "\uFEFF" || text.endsWith("\n");
  const ending = (line: number): string => {
    if (line < 1) return "\n";
    return line === count && !isEnded ? ending(line - 1) : lines[line - 1]!.ending;
  };
  const out: { text: string; ending: string }[] = [];
  const near = (line: number) => (count === 0 ? "\n" : ending(Math.min(Math.max(line, 1), count)));
  const put = (body: readonly string[], line: number) =>
    out.push(...body.map((text) => ({ text, ending: near(line) })));
  put(rows.head, 1);
  for (let line = 1; line <= count; line++) {
    put(before[line]!, line - 1);
    const hunk = owner.get(line);
    const isInside = (at: number) =>
      owner.get(at) !== undefined && owner.get(at) === owner.get(at + 1);
    if (before[line]!.length > 0 && isInside(line - 1)) return undefined;
    if (after[line]!.length > 0 && isInside(line)) return undefined;
    if (!hunk) out.push({ text: lines[line - 1]!.text, ending: near(line) });
    else if (hunk.kind === "replace" && hunk.start === line) {
      for (const [at, text] of hunk.body.entries()) {
        out.push({ text, ending: near(Math.min(line + at, hunk.end)) });
      }
    }
    put(after[line]!, line);
  }
  put(rows.tail, count);
  const joined = out.map((row) => row.text + row.ending).join("");
  const cut = isEnded ? 0 : (out.at(-1)?.ending.length ?? 0);
  return parts.mark + joined.slice(0, joined.length - cut);
}

test("a patch gives what the plain model gives, or is refused", () => {
  let applied = 0;
  fc.assert(
    fc.property(patchedText, ({ parts, hunks }) => {
      const text = joinParts(parts);
      const expected = model(parts, hunks);
      const written = parsePatch(printSection("¶a.ts#0A3B", hunks)).sections[0]!.hunks;
      try {
        expect(applyHunks(text, written).text).toBe(expected!);
        applied++;
      } catch (error) {
        if (!(error instanceof PatchError)) throw error;
        if (expected === undefined) expect(error.code).toBe("overlap");
        else {
          expect(error.code).toBe("no_change");
          expect(expected).toBe(text);
        }
      }
    }),
    { numRuns: 2000 },
  );
  expect(applied).toBeGreaterThan(500);
});

test("the first changed line is the first that differs", () => {
  fc.assert(
    fc.property(patchedText, ({ parts, hunks }) => {
      const before = joinParts(parts);
      let result: ReturnType<typeof applyHunks>;
      try {
        result = applyHunks(before, hunks);
      } catch (error) {
        if (error instanceof PatchError) return;
        throw error;
      }
      const [old, made] = [new LineIndex(before), new LineIndex(result.text)];
      const { firstChangedLine: first } = result;
      for (let line = 1; line < first; line++) expect(made.line(line)).toBe(old.line(line));
      const differs = first > old.count || made.count === 0 || made.line(first) !== old.line(first);
      // Lines cut off at the end, or only line ends that differ, leave the last line to name.
      expect(differs || first === made.count).toBe(true);
    }),
  );
});

test("a hundred thousand lines keep every byte that no hunk names", () => {
  const endings = ["\n", "\r\n"];
  const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at} é${endings[at % 2]}`);
  const text = `\uFEFF${lines.join("")}`;
  const started = performance.now();
  const hunks = Array.from({ length: 1000 }, (_, at): Hunk => ({
    kind: "replace",
    start: at * 100 + 7,
    end: at * 100 + 8,
    body: ["x"],
    patchLine: at + 1,
  }));
  const result = applyHunks(text, hunks);
  const elapsedMs = performance.now() - started;
  for (const { start } of hunks as { start: number }[]) {
    lines[start - 1] = `x${endings[(start - 1) % 2]}`;
    lines[start] = "";
  }
  expect(result.text === `\uFEFF${lines.join("")}`).toBe(true);
  expect(result.firstChangedLine).toBe(7);
  // About 30 ms on an idle machine; the bar only tells linear from quadratic.
  expect(elapsedMs).toBeLessThan(3000);
});
