// Both engines give what a naive look at every line gives, over random trees with random
// ignore files and random patterns; and pages join to the whole.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readFile } from "node:fs/promises";
import { createScratchRepository } from "@tau/testkit/scratch";
import { gitListing, randomTree, writeTree } from "../walk/test/random-tree.ts";
import type { EngineChoice } from "./choose-engine.ts";
import { searchFiles } from "./search-files.ts";
import type { SearchFile, SearchQuery } from "./search-query.ts";

const RUNS = 30;

const content = fc
  .array(
    fc
      .array(fc.constantFrom("a", "b", "ab", "{", "}", "$", "(", "é", "日", "😀", " ", "X"), {
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
    { maxLength: 6 },
  )
  .chain((lines) => fc.constantFrom("", "\n", "\r\n").map((end) => lines.join(end || "\n") + end));

const atom = fc.constantFrom("a", "b", "ab", "[ab]", "[^a]", ".", "\\w", "é", "日", "(a|b)", "\\{");
const piece = fc
  .tuple(atom, fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,2}"))
  .map((parts) => parts.join(""));
const pattern = fc
  .tuple(
    fc.constantFrom("", "", "^"),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "$"),
  )
  .map(([start, pieces, end]) => `${start}${pieces.join("")}${end}`);

/** The dialect of the engine, as far as these patterns use it. */
function reference(pattern: string): RegExp {
  const word = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";
  return new RegExp(pattern.replaceAll("\\w", word), "gu");
}

async function naive(root: string, paths: readonly string[], regexp: RegExp) {
  const files: {
    name: string;
    lines: { line: number; text: string; column: number | undefined }[];
  }[] = [];
  for (const path of paths) {
    const text = await readFile(`${root}/${path}`, "utf8");
    const all = text.split("\n");
    if (all.at(-1) === "") all.pop();
    const lines = all.flatMap((whole, index) => {
      const line = whole.replace(/\r$/, "");
      const found = [...line.matchAll(regexp)];
      const first = found.find(([text]) => text !== "");
      const column = first && first.index + 1;
      return found.length > 0 ? [{ line: index + 1, text: line, column }] : [];
    });
    if (lines.length > 0) files.push({ name: `${root}/${path}`, lines });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const shape = (files: readonly SearchFile[]) =>
  files.map(({ name, lines }) => ({
    name,
    lines: lines.map(({ line, text, column }) => ({ line, text, column })),
  }));

const unbounded = { maxFiles: 1000, maxMatchesPerFile: 1000, maxMatches: 100_000 };

const engines: Record<string, EngineChoice> = {
  ripgrep: { kind: "ripgrep" },
  plain: { kind: "plain" },
};

for (const [name, engine] of Object.entries(engines)) {
  describe(name, () => {
    test("finds what a naive look at what git lists finds", async () => {
      await using repository = await createScratchRepository();
      await repository.write(".gitignore", "*.log\n");
      let run = 0;
      await fc.assert(
        fc.asyncProperty(randomTree(content), pattern, async (tree, pattern) => {
          run += 1;
          const root = repository.path(`run${run}`);
          await writeTree(root, tree);
          const listed = await gitListing(repository, `run${run}`);
          const expected = await naive(root, listed, reference(pattern));
          const targets = [{ kind: "directory", path: root } as const];
          const result = await searchFiles({ pattern, targets, engine, ...unbounded });
          expect(shape(result.files)).toEqual(expected);
          expect(result.totals).toEqual({
            files: expected.length,
            matches: expected.reduce((sum, { lines }) => sum + lines.length, 0),
          });
          expect(result).toMatchObject({ unreadable: 0, skipped: [], engine: name });
        }),
        { numRuns: RUNS },
      );
    });

    test("pages join to the whole result", async () => {
      await using repository = await createScratchRepository();
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          randomTree(content),
          fc.integer({ min: 1, max: 4 }),
          async (tree, size) => {
            run += 1;
            const root = repository.path(`run${run}`);
            await writeTree(root, tree);
            const query: SearchQuery = {
              pattern: "a",
              targets: [
                { kind: "directory", path: root },
                { kind: "text", name: "note", text: "a\nb\na" },
              ],
              contextBefore: 1,
              contextAfter: 1,
              engine,
            };
            const whole = await searchFiles({ ...query, ...unbounded });
            const pages: SearchFile[] = [];
            for (let skip: number | undefined = 0; skip !== undefined;) {
              const page = await searchFiles({ ...query, ...unbounded, maxFiles: size, skip });
              expect(page.totals).toEqual(whole.totals);
              expect(page.files.length).toBeLessThanOrEqual(size);
              pages.push(...page.files);
              skip = page.nextSkip;
            }
            expect(pages).toEqual([...whole.files]);
          },
        ),
        { numRuns: RUNS / 3 },
      );
    });
  });
}

test("both engines agree on texts, with context, ranges and several lines", async () => {
  const wide = fc.oneof(
    pattern,
    fc.tuple(pattern, pattern).map(([a, b]) => `${a.replace(/\$$/, "")}\\n${b.replace(/^\^/, "")}`),
  );
  await fc.assert(
    fc.asyncProperty(content, wide, fc.nat(2), fc.nat(2), async (text, pattern, before, after) => {
      // A line break in a pattern is just that; the other kind is the line's own.
      const plain = text.replaceAll("\r", "");
      const query: SearchQuery = {
        pattern,
        targets: [{ kind: "text", name: "t", text: plain }],
        contextBefore: before,
        contextAfter: after,
        maxMatchesPerFile: 1000,
      };
      const [first, second] = await Promise.all(
        Object.values(engines).map((engine) => searchFiles({ ...query, engine })),
      );
      expect({ ...second, engine: "" }).toEqual({ ...first!, engine: "" });
    }),
    { numRuns: 2 * RUNS },
  );
});
