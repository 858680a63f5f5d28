// Several paths in one string: what is on disk decides whether it is taken apart.

import { describe, expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { mkdir } from "node:fs/promises";
import { listPaths } from "./path-list.ts";

async function withFiles(...paths: string[]): Promise<ScratchDirectory> {
  const scratch = await createScratchDirectory();
  for (const path of paths) await scratch.write(path, "x\n");
  return scratch;
}

const placeOf = ({ root }: ScratchDirectory) => ({ cwd: root, home: root });

describe("an entry", () => {
  const cases: [what: string, given: string | string[], expected: string[]][] = [
    ["loses its quotes and the space around it", ' "a.ts" ', ["a.ts"]],
    ["that exists stays whole: comma", "b,c.ts", ["b,c.ts"]],
    ["that exists stays whole: spaces", "my notes.md", ["my notes.md"]],
    ["that exists stays whole: semicolon and colon", "x;y:1.ts", ["x;y:1.ts"]],
    ["with ranges of lines stays whole", "a.ts:1-2,5-9", ["a.ts:1-2,5-9"]],
    ["at commas, if one part is there", "a.ts, missing.ts", ["a.ts", "missing.ts"]],
    ["at semicolons", "a.ts;src", ["a.ts", "src"]],
    ["at commas, with quotes", `"a.ts", 'src'`, ["a.ts", "src"]],
    ["not at commas, if no part is there", "no.ts,nor.ts", ["no.ts,nor.ts"]],
    ["at spaces, if all parts are there", "a.ts src", ["a.ts", "src"]],
    ["not at spaces, if one part is missing", "a.ts missing", ["a.ts missing"]],
    ["is not taken apart within braces", "src/{a,b}.ts", ["src/{a,b}.ts"]],
    ["of two globs is two", "*.ts,src/*.md", ["*.ts", "src/*.md"]],
    ["of a glob and a path is two", "src/*.ts a.ts", ["src/*.ts", "a.ts"]],
    ["is one glob with a comma in it", "b,*.ts", ["b,*.ts"]],
    ["is one glob below a directory with a space", "my dir/*.ts", ["my dir/*.ts"]],
    ["of two addresses is two", "artifact://1, artifact://2", ["artifact://1", "artifact://2"]],
    ["is one address with a comma in it", "pr://1?a=1,2", ["pr://1?a=1,2"]],
    ["that is a list in JSON is that list", '["a.ts", "src"]', ["a.ts", "src"]],
    ["that comes twice comes once", ["a.ts", "a.ts", "src"], ["a.ts", "src"]],
  ];
  for (const [what, given, expected] of cases) {
    test(what, async () => {
      await using scratch = await withFiles("a.ts", "b,c.ts", "my notes.md", "x;y:1.ts");
      await mkdir(scratch.path("src"));
      await mkdir(scratch.path("my dir"));
      expect(await listPaths(given, placeOf(scratch))).toEqual(expected);
    });
  }

  test("of thousands of words is no list", async () => {
    await using scratch = await withFiles("a.ts");
    const long = Array.from({ length: 5000 }, () => "a.ts").join(",");
    expect(await listPaths(long, placeOf(scratch))).toEqual([long]);
  });

  test("that is empty is refused", async () => {
    await using scratch = await withFiles();
    for (const given of ["", "  ", [], ["a", ""]]) {
      await expect(listPaths(given, placeOf(scratch))).rejects.toThrow("none of them empty");
    }
  });
});

test("law: names that exist survive alone, as a list, and joined where they hold no delimiter", async () => {
  const sign = fc.constantFrom(..."abc12.-_[]{}()'!+@=~^");
  const plain = fc.string({ unit: sign, minLength: 1, maxLength: 8 });
  const wild = fc.string({
    unit: fc.oneof(sign, fc.constantFrom(",", ";", " ", ":")),
    minLength: 1,
    maxLength: 8,
  });
  const usable = (name: string) =>
    name === name.trim() && !/^[.~]*$/.test(name) && !name.startsWith("~") && !/^'.*'$/.test(name);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(wild.filter(usable), { minLength: 1 }), async (names) => {
      await using scratch = await withFiles(...names);
      expect(await listPaths(names, placeOf(scratch))).toEqual(names);
      for (const name of names) expect(await listPaths(name, placeOf(scratch))).toEqual([name]);
    }),
    { numRuns: 40 },
  );
  const bare = plain.filter((name) => usable(name) && /^[\w.-]+$/.test(name));
  const joint = fc.constantFrom(",", ", ", ";", " ");
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(bare, { minLength: 1 }), joint, async (names, delimiter) => {
      await using scratch = await withFiles(...names);
      expect(await listPaths(names.join(delimiter), placeOf(scratch))).toEqual(names);
    }),
    { numRuns: 40 },
  );
});
