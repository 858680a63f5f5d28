import { expect, test } from "bun:test";
import { detectLanguage, findLanguage } from "./detect-language.ts";
import { LANGUAGES } from "./language-table.ts";

test.each([
  ["src/a.py", "", "python"],
  ["C:\\work\\Main.JAVA", "", "java"],
  ["a.h", "", "cpp"],
  ["a.d.ts", "", "typescript"],
  ["Gemfile", "", "ruby"],
  ["/home/ada/.zshrc", "", "bash"],
  ["Cargo.lock", "", "toml"],
  ["run", "#!/bin/sh -e", "bash"],
  ["run", "#!/usr/bin/env python3.12", "python"],
  ["run", "#!/usr/bin/env -S LANG=C node --no-warnings", "javascript"],
  ["run", "#!/usr/bin/env", undefined],
  ["run", "print(1)", undefined],
  ["a.py", "#!/bin/sh", "python"],
  ["a.xyz", "", undefined],
  ["", "", undefined],
] as const)("%s with the first line %p is %p", (path, firstLine, name) => {
  expect(detectLanguage(path, firstLine)?.name).toBe(name as string);
});

test("a language answers to its name, its aliases and its extensions, in any case", () => {
  expect(findLanguage("TypeScript")?.name).toBe("typescript");
  expect(findLanguage("C++")?.name).toBe("cpp");
  expect(findLanguage(".rs")?.name).toBe("rust");
  expect(findLanguage("klingon")).toBeUndefined();
});

test("no two languages claim the same word", () => {
  const fields = ["extensions", "fileNames", "interpreters"] as const;
  for (const field of fields) {
    const all = LANGUAGES.flatMap((row) => row[field] ?? []);
    expect(all).toEqual([...new Set(all)]);
  }
  const names = LANGUAGES.flatMap((row) => [row.name, ...row.aliases]);
  expect(names).toEqual([...new Set(names)]);
});
