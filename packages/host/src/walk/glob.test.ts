import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compileGlob, hasGlob, splitGlob } from "./glob.ts";

describe("splitGlob", () => {
  const table: [input: string, base: string, pattern: string, directoriesOnly?: true][] = [
    ["*.ts", ".", "**/*.ts"],
    ["**/*.ts", ".", "**/*.ts"],
    ["**", ".", "**"],
    ["**.ts", ".", "**/**.ts"],
    ["{a,b}/*.ts", ".", "**/{a,b}/*.ts"],
    ["[ab].ts", ".", "**/[ab].ts"],
    ["file?.ts", ".", "**/file?.ts"],
    ["./*.ts", ".", "*.ts"],
    ["src/*.ts", "src", "*.ts"],
    ["src/**/*.ts", "src", "**/*.ts"],
    ["a/b c/*/d.ts", "a/b c", "*/d.ts"],
    ["/abs/dir/*.ts", "/abs/dir", "*.ts"],
    ["/*.ts", "/", "*.ts"],
    ["../x/*.ts", "../x", "*.ts"],
    ["src/*/", "src", "*", true],
    ["*/", ".", "**/*", true],
  ];
  for (const [input, base, pattern, directoriesOnly = false] of table) {
    test(input, () => {
      expect(splitGlob(input)).toEqual({ base, pattern, hasGlob: true, directoriesOnly });
      expect(hasGlob(input)).toBe(true);
    });
  }
  for (const [input, base] of [
    ["src", "src"],
    ["src/", "src"],
    ["a b/c.ts", "a b/c.ts"],
    ["/", "/"],
    [".", "."],
  ] as const) {
    test(`${input} has no glob and means all of it`, () => {
      const split = splitGlob(input);
      expect(split).toEqual({ base, pattern: "**/*", hasGlob: false, directoriesOnly: false });
      expect(hasGlob(input)).toBe(false);
    });
  }
});

describe("compileGlob", () => {
  const table: [pattern: string, yes: string[], no: string[]][] = [
    ["**/*.ts", ["a.ts", "x/a.ts", ".h/.a.ts"], ["a.tsx", "ts"]],
    ["*.ts", ["a.ts", ".a.ts"], ["x/a.ts"]],
    ["**/*", ["a", "a/b", ".a/b"], []],
    ["src/**", ["src/a", "src/a/b"], ["a", "x/src/a"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js"]],
    ["[!a]*", ["b"], ["a", "ab"]],
    ["?.md", ["語.md", "a.md"], ["ab.md", ".md/x"]],
    ["!x", ["!x"], ["y", "x"]],
    ["a b/c:d", ["a b/c:d"], ["a b/cd"]],
  ];
  for (const [pattern, yes, no] of table) {
    test(pattern, () => {
      const glob = compileGlob(pattern);
      expect(yes.filter((path) => !glob.matches(path))).toEqual([]);
      expect(no.filter((path) => glob.matches(path))).toEqual([]);
    });
  }

  test("says how deep a walk must go and which names can match", () => {
    expect(compileGlob("*.ts")).toMatchObject({ maxDepth: 1, nameGlob: "*.ts" });
    expect(compileGlob("a/*/c")).toMatchObject({ maxDepth: 3, nameGlob: "c" });
    expect(compileGlob("**/*.{ts,tsx}")).toMatchObject({
      maxDepth: Infinity,
      nameGlob: "*.{ts,tsx}",
    });
    expect(compileGlob("{a/b,c}/*")).toMatchObject({ maxDepth: Infinity, nameGlob: undefined });
    expect(compileGlob("**/[ab].ts").nameGlob).toBeUndefined();
  });

  test("no matching path is deeper than it says", () => {
    const part = fc.constantFrom("a", "*", "b?", "**", "{a,b}", "{a/b,c}", "[ab]");
    const path = fc.array(fc.constantFrom("a", "b", "bc", "c"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 3 }), path, (parts, segments) => {
        const glob = compileGlob(parts.join("/"));
        if (glob.matches(segments.join("/"))) {
          expect(segments.length).toBeLessThanOrEqual(glob.maxDepth);
          if (glob.nameGlob !== undefined) {
            expect(new Bun.Glob(glob.nameGlob).match(segments.at(-1)!)).toBe(true);
          }
        }
      }),
    );
  });
});
