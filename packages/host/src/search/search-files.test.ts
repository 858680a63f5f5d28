import { describe, expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { InvalidPatternError } from "./search-error.ts";
import { searchFiles } from "./search-files.ts";
import type { SearchFile, SearchQuery, SearchResult, SearchTarget } from "./search-query.ts";

const tree = (scratch: ScratchDirectory, glob?: string): SearchTarget =>
  glob === undefined
    ? { kind: "directory", path: scratch.root }
    : { kind: "directory", path: scratch.root, glob };

/** Paths below the scratch directory, and the lines as they would be shown. */
function shown(scratch: ScratchDirectory, { files }: SearchResult): Record<string, string[]> {
  return Object.fromEntries(
    files.map((file) => [file.name.replace(`${scratch.root}/`, ""), lineTexts(file)]),
  );
}

function lineTexts({ lines }: SearchFile): string[] {
  return lines.map(({ kind, line, text }) => `${kind === "match" ? "*" : " "}${line}:${text}`);
}

async function searchText(
  text: string,
  pattern: string,
  more: Partial<SearchQuery> = {},
): Promise<string[]> {
  const targets = [{ kind: "text", name: "t", text } as const];
  const { files } = await searchFiles({ pattern, targets, ...more });
  return files.flatMap(lineTexts);
}

for (const kind of ["ripgrep", "plain"] as const) {
  const engine = { kind };
  describe(kind, () => {
    test("finds lines with their context", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write("a.ts", "one\ntwo\nthree\nfour\nfive\nsix\n");
      const result = await searchFiles({
        pattern: "three",
        targets: [tree(scratch)],
        contextBefore: 1,
        contextAfter: 2,
        engine,
      });
      expect(shown(scratch, result)).toEqual({
        "a.ts": [" 2:two", "*3:three", " 4:four", " 5:five"],
      });
      expect(result.files[0]!.lines[1]).toMatchObject({ column: 1, ranges: [[0, 5]] });
    });

    test("hidden files are searched, ignored ones only when asked, the repository never", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write(".git/config", "needle");
      await scratch.write(".gitignore", "dist/\n");
      await scratch.write(".env", "needle");
      await scratch.write("dist/out.js", "needle");
      const query = { pattern: "needle", targets: [tree(scratch)], engine };
      expect(Object.keys(shown(scratch, await searchFiles(query)))).toEqual([".env"]);
      const all = await searchFiles({ ...query, gitignore: false });
      expect(Object.keys(shown(scratch, all))).toEqual([".env", "dist/out.js"]);
      const visible = await searchFiles({ ...query, gitignore: false, hidden: false });
      expect(Object.keys(shown(scratch, visible))).toEqual(["dist/out.js"]);
    });

    const BLOCKING = [".gitignore", "src/deep/.gitignore", ".git/info/exclude", "../.gitignore"];
    for (const place of BLOCKING) {
      test(`a FIFO in the place of ${place} is passed over, not waited for`, async () => {
        await using outer = await createScratchDirectory();
        await outer.write("repo/src/deep/a.ts", "needle\n");
        await outer.write("repo/src/.gitignore", "b.ts\n");
        await outer.write("repo/src/b.ts", "needle\n");
        await outer.write(place.startsWith("..") ? ".git/HEAD" : "repo/.git/info/x", "");
        expect(Bun.spawnSync(["mkfifo", outer.path("repo", place)]).success).toBe(true);
        const target = { kind: "directory", path: outer.path("repo") } as const;
        const result = await searchFiles({ pattern: "needle", targets: [target], engine });
        expect(result.files.map(({ name }) => name)).toEqual([outer.path("repo/src/deep/a.ts")]);
        expect(result.incomplete).toBeUndefined();
      });
    }

    test("a glob confines a tree and does not bring back what is ignored", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write(".gitignore", "ignored.ts\n");
      for (const path of ["a.ts", "a.tsx", "src/b.ts", "src/deep/c.ts", "src/d.js", "ignored.ts"]) {
        await scratch.write(path, "needle");
      }
      const found = async (glob: string): Promise<string[]> =>
        Object.keys(
          shown(
            scratch,
            await searchFiles({ pattern: "needle", targets: [tree(scratch, glob)], engine }),
          ),
        );
      expect(await found("**/*.ts")).toEqual(["a.ts", "src/b.ts", "src/deep/c.ts"]);
      expect(await found("*.ts")).toEqual(["a.ts"]);
      expect(await found("src/*.{ts,js}")).toEqual(["src/b.ts", "src/d.js"]);
      expect(await found("src/**")).toEqual(["src/b.ts", "src/d.js", "src/deep/c.ts"]);
      expect(await found("**/[ab].ts")).toEqual(["a.ts", "src/b.ts"]);
    });

    test("forty-five matching files come as 20, 20 and 5", async () => {
      await using scratch = await createScratchDirectory();
      for (let index = 0; index < 45; index += 1) await scratch.write(`f${index}`, "needle\n");
      const sizes: number[] = [];
      for (let skip: number | undefined = 0; skip !== undefined;) {
        const page: SearchResult = await searchFiles({
          pattern: "needle",
          targets: [tree(scratch)],
          skip,
          engine,
        });
        expect(page.totals).toEqual({ files: 45, matches: 45 });
        expect(page.limits.files).toBe(page.nextSkip !== undefined);
        sizes.push(page.files.length);
        skip = page.nextSkip;
      }
      expect(sizes).toEqual([20, 20, 5]);
    });

    test("limits cut and say so", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write("hot", "needle\n".repeat(30));
      await scratch.write("warm", "needle\n".repeat(3));
      const query = { pattern: "needle", targets: [tree(scratch)], engine };
      const perFile = await searchFiles({ ...query, maxMatchesPerFile: 5 });
      expect(perFile.files.map(({ shown, matches }) => [shown, matches])).toEqual([
        [5, 30],
        [3, 3],
      ]);
      expect(perFile.limits).toMatchObject({ matchesPerFile: true, matches: false });
      const total = await searchFiles({ ...query, maxMatchesPerFile: 5, maxMatches: 6 });
      expect(total.files.map(({ shown }) => shown)).toEqual([5, 1]);
      expect(total.limits.matches).toBe(true);
      const exact = await searchFiles({ ...query, maxMatchesPerFile: 30 });
      expect(exact.limits).toMatchObject({ matchesPerFile: false, matches: false, files: false });
    });

    test("a long line is shown around its match and marked", async () => {
      const text = `${"x".repeat(2000)}needle${"y".repeat(2000)}\n`;
      const targets = [{ kind: "text", name: "t", text } as const];
      const { files, limits } = await searchFiles({ pattern: "needle", targets, engine });
      const line = files[0]!.lines[0]!;
      expect(line.text.length).toBe(512);
      expect(line.text.slice(...line.ranges[0]!)).toBe("needle");
      expect(line).toMatchObject({ truncated: true, column: 2001 });
      expect(limits.columns).toBe(true);
    });

    test("named files and confined lines", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write(".gitignore", "*");
      const path = await scratch.write("f.ts", "needle\n".repeat(10));
      const whole = await searchFiles({
        pattern: "needle",
        targets: [{ kind: "file", path }],
        engine,
      });
      expect(whole.files).toMatchObject([{ name: path, matches: 10, shown: 10 }]);
      const lines = [
        { start: 2, end: 3 },
        { start: 9, end: Infinity },
      ];
      const confined = await searchFiles({
        pattern: "needle",
        targets: [{ kind: "file", path, lines }],
        engine,
      });
      expect(confined.files.map((file) => file.lines.map(({ line }) => line))).toEqual([
        [2, 3, 9, 10],
      ]);
      expect(confined.totals).toEqual({ files: 1, matches: 4 });
    });

    test("what is named twice, or lies in a named tree, comes once", async () => {
      await using scratch = await createScratchDirectory();
      const path = await scratch.write("src/a", "needle");
      await scratch.write("src/b", "needle");
      const targets: SearchTarget[] = [
        { kind: "directory", path: scratch.path("src") },
        { kind: "file", path },
        { kind: "file", path },
        tree(scratch),
      ];
      const { totals, files } = await searchFiles({ pattern: "needle", targets, engine });
      expect(totals).toEqual({ files: 2, matches: 2 });
      expect(files).toHaveLength(2);
    });

    test("missing and binary files are named, not searched", async () => {
      await using scratch = await createScratchDirectory();
      const binary = await scratch.write("bin", "needle\n\0\nneedle\n");
      const missing = scratch.path("gone");
      const utf16 = await scratch.write("wide.txt", Buffer.from("\ufeffneedle\n", "utf16le"));
      const targets: SearchTarget[] = [binary, missing, utf16].map((path) => ({
        kind: "file",
        path,
      }));
      targets.push({ kind: "directory", path: scratch.path("nowhere") });
      const result = await searchFiles({ pattern: "needle", targets, engine });
      expect(result.skipped).toEqual([
        { path: binary, reason: "binary" },
        { path: missing, reason: "missing" },
        { path: scratch.path("nowhere"), reason: "missing" },
      ]);
      expect(result.files.map(({ name }) => name)).toEqual([utf16]);
      const inTree = await searchFiles({ pattern: "needle", targets: [tree(scratch)], engine });
      expect(Object.keys(shown(scratch, inTree))).toEqual(["wide.txt"]);
    });

    test("case, word boundaries, lines from Windows and Unicode", async () => {
      expect(await searchText("Needle\n", "needle", { engine })).toEqual([]);
      expect(await searchText("Needle\n", "needle", { engine, ignoreCase: true })).toEqual([
        "*1:Needle",
      ]);
      expect(await searchText("Needle\n", "(?i)needle", { engine })).toEqual(["*1:Needle"]);
      expect(await searchText("a\r\nb\r\n", "^a$", { engine })).toEqual(["*1:a"]);
      expect(await searchText("straße\n", "\\bstra\\w+$", { engine })).toEqual(["*1:straße"]);
      expect(await searchText("x-y\n", "[a-z\\-]+", { engine })).toEqual(["*1:x-y"]);
      expect(await searchText('say "x"\n', '\\"x\\"', { engine })).toEqual(['*1:say "x"']);
      expect(await searchText("ab12\n", "[[:alpha:]]+[[:digit:]]+", { engine })).toEqual([
        "*1:ab12",
      ]);
      expect(await searchText("é\n", "\\x{e9}", { engine })).toEqual(["*1:é"]);
    });

    test("only a pattern that needs it spans lines", async () => {
      const text = "foo\nbar\nbaz\nfoo\nbar\n";
      expect(await searchText(text, "foo\\nbar", { engine })).toEqual(
        "*1:foo,*2:bar,*4:foo,*5:bar".split(","),
      );
      expect(await searchText(text, "foo.bar", { engine })).toEqual([]);
      expect(await searchText(text, "foo[^\\n]*", { engine })).toEqual(["*1:foo", "*4:foo"]);
    });

    test("braces and parentheses that can only be meant literally", async () => {
      expect(await searchText("a ${x} b\nx\n", "${x}", { engine })).toEqual(["*1:a ${x} b"]);
      expect(await searchText("aaa\na{2,4}\n", "^a{2,4}$", { engine })).toEqual(["*1:aaa"]);
      expect(await searchText("call(x\ncall\n", "call(", { engine })).toEqual(["*1:call(x"]);
      expect(await searchText("a)\na\n", "a)", { engine })).toEqual(["*1:a)"]);
      expect(await searchText("fn main() {\n", "main() {", { engine })).toEqual([]);
    });

    test("look-around works", async () => {
      expect(await searchText("ab\nac\n", "a(?!b)", { engine })).toEqual(["*2:ac"]);
      expect(await searchText("abab\nabac\n", "(ab)\\1", { engine })).toEqual(["*1:abab"]);
    });

    test("an invalid pattern is refused with the engine's reason in one line", async () => {
      for (const pattern of ["x[", "*a", "\\p{Nonsense}"]) {
        const refused = searchText("x", pattern, { engine });
        await expect(refused).rejects.toThrow(InvalidPatternError);
        await expect(refused).rejects.toThrow(
          /^Invalid regular expression \([^\n]+\): correct it[^\n]+\.$/,
        );
      }
      for (const pattern of ["", "a\0b", "x".repeat(100_000)]) {
        await expect(searchText("x", pattern, { engine })).rejects.toThrow(InvalidPatternError);
      }
    });

    test("an invalid pattern is refused before a tree is looked at", async () => {
      await using scratch = await createScratchDirectory();
      await scratch.write("a", "x");
      const refused = searchFiles({ pattern: "x[", targets: [tree(scratch)], engine });
      await expect(refused).rejects.toThrow("class");
    });

    test("many texts, in the order they were given", async () => {
      const targets = Array.from({ length: 30 }, (_, index): SearchTarget => ({
        kind: "text",
        name: `t${29 - index}`,
        text: index % 3 === 0 ? "needle\0\n" : "hay",
      }));
      const { files, totals } = await searchFiles({ pattern: "needle", targets, engine });
      expect(files.map(({ name }) => name)).toEqual(
        [29, 26, 23, 20, 17, 14, 11, 8, 5, 2].map((index) => `t${index}`),
      );
      expect(totals.files).toBe(10);
    });
  });
}
