import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { frecencyOf, HALF_LIFE_MS, type PathUse } from "./frecency.ts";
import { prepareCandidates } from "./path-candidates.ts";
import { PathFinder } from "./path-finder.ts";
import { rankPaths } from "./rank-paths.ts";

const NOW = 1_700_000_000_000;

async function ranked(
  paths: readonly string[],
  query: string,
  uses: readonly PathUse[] = [],
): Promise<string[]> {
  const found = await rankPaths(await prepareCandidates(paths), {
    query,
    limit: 9,
    uses,
    now: NOW,
  });
  return found.map(({ path }) => path);
}

describe("ranking", () => {
  test("the name counts more than the directories before it", async () => {
    const paths = ["search/other.ts", "lib/search.ts", "search/x/y.ts"];
    expect((await ranked(paths, "search"))[0]).toBe("lib/search.ts");
  });

  test("the beginning of a part counts more than its middle", async () => {
    expect((await ranked(["src/remain.ts", "src/main.ts"], "main"))[0]).toBe("src/main.ts");
    expect((await ranked(["mysrc/a.ts", "src/a.ts"], "src/a"))[0]).toBe("src/a.ts");
    expect((await ranked(["a/quiet.ts", "a/UserInterface.ts"], "ui"))[0]).toBe(
      "a/UserInterface.ts",
    );
  });

  test("letters may be far apart, words in any part", async () => {
    expect(await ranked(["src/search/search-files.ts", "b"], "schfi")).toEqual([
      "src/search/search-files.ts",
    ]);
    expect(await ranked(["docs/my file.txt", "b"], "my file")).toEqual(["docs/my file.txt"]);
  });

  test("wide and composed characters match, and positions hold whole ones", async () => {
    const decomposed = "src/u\u0308ber.ts";
    expect(await ranked([decomposed, "x"], "über")).toEqual([decomposed]);
    expect(await ranked(["docs/日本語/設計書.md", "x"], "設計")).toEqual(["docs/日本語/設計書.md"]);
    const candidates = await prepareCandidates(["x/👩👧/family.txt"]);
    const [found] = await rankPaths(candidates, { query: "👧", limit: 1, now: NOW });
    expect(found!.positions.map((at) => found!.label[at]).join("")).toBe("👧");
  });

  test("what is in use comes first among equals, and when nothing is typed", async () => {
    const paths = ["a/file1.ts", "a/file2.ts", "a/file3.ts", "readme.md"];
    const uses = [{ path: "a/file3.ts", count: 4, lastUsed: NOW - 1000 }];
    expect((await ranked(paths, "file"))[0]).toBe("a/file1.ts");
    expect((await ranked(paths, "file", uses))[0]).toBe("a/file3.ts");
    expect(await ranked(paths, "", uses)).toEqual([
      "a/file3.ts",
      "readme.md",
      "a/file1.ts",
      "a/file2.ts",
    ]);
    expect((await ranked(paths, "readme", uses))[0]).toBe("readme.md");
  });

  test("results hold the letters of the query in order, within the limit, without repeats", async () => {
    const path = fc
      .array(fc.array(fc.constantFrom("a", "b", "c", "日", "😀", "-"), { minLength: 1 }), {
        minLength: 1,
        maxLength: 3,
      })
      .map((parts) => parts.map((part) => part.join("")).join("/"));
    const query = fc.array(fc.constantFrom("a", "b", "日", "/"), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path), query, fc.nat(5), async (paths, letters, limit) => {
        const candidates = await prepareCandidates(paths);
        const found = await rankPaths(candidates, { query: letters.join(""), limit, now: NOW });
        expect(found.length).toBeLessThanOrEqual(limit);
        expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
        expect(found).toEqual(found.toSorted((a, b) => b.score - a.score));
        for (const { path, label, positions } of found) {
          expect(paths).toContain(path);
          expect(positions).toEqual(positions.toSorted((a, b) => a - b));
          expect(positions.map((at) => label[at]).join("")).toBe(letters.join(""));
        }
      }),
    );
  });
});

test("frecency grows with use and fades with time", () => {
  const use = fc.record({
    path: fc.constant("p"),
    count: fc.integer({ min: 1, max: 1000 }),
    lastUsed: fc.integer({ min: NOW - 40 * HALF_LIFE_MS, max: NOW }),
  });
  fc.assert(
    fc.property(use, fc.integer({ min: 1, max: HALF_LIFE_MS }), (use, later) => {
      const score = frecencyOf(use, NOW);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThan(1);
      expect(frecencyOf({ ...use, count: use.count + 1 }, NOW)).toBeGreaterThan(score);
      expect(frecencyOf(use, NOW + later)).toBeLessThan(score);
    }),
  );
  expect(frecencyOf({ path: "p", count: 0, lastUsed: NOW }, NOW)).toBe(0);
  // A clock that was set back.
  expect(frecencyOf({ path: "p", count: 1, lastUsed: NOW + 1e9 }, NOW)).toBe(0.5);
});

describe("PathFinder", () => {
  test("lists what is not ignored, directories with a slash, and sees what is new", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write(".gitignore", "out\n");
    await scratch.write("out/a", "x");
    await scratch.write("src/a.ts", "x");
    using finder = new PathFinder({ root: scratch.root, freshMs: 1e6, firstAnswerMs: 20_000 });
    const names = async (query: string): Promise<string[]> =>
      (await finder.find({ query, limit: 9 })).paths.map(({ path }) => path);
    expect((await names("")).sort()).toEqual([".gitignore", "src/", "src/a.ts"]);
    await scratch.write("src/new.ts", "x");
    expect(await names("new")).toEqual([]);
    await finder.refresh();
    expect(await names("new")).toEqual(["src/new.ts"]);
  });

  test("an old listing answers at once and is renewed behind it", async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("a.ts", "x");
    using finder = new PathFinder({ root: scratch.root, freshMs: 0, firstAnswerMs: 20_000 });
    expect((await finder.find({ query: "a", limit: 9 })).paths).toHaveLength(1);
    await scratch.write("ab.ts", "x");
    let answers = (await finder.find({ query: "a", limit: 9 })).paths.length;
    while (answers < 2) {
      await Bun.sleep(1);
      answers = (await finder.find({ query: "a", limit: 9 })).paths.length;
    }
    expect(answers).toBe(2);
  });

  test("a workspace too large is listed in part and says so", async () => {
    await using scratch = await createScratchDirectory();
    for (let index = 0; index < 20; index += 1) await scratch.write(`f${index}`, "x");
    using finder = new PathFinder({ root: scratch.root, maxPaths: 5, firstAnswerMs: 20_000 });
    const { paths, isPartial } = await finder.find({ query: "", limit: 99 });
    expect([paths.length, isPartial]).toEqual([5, true]);
  });
});
