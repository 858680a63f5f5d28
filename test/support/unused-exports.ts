// Which exports nobody uses: neither another module of the product nor the rest of their own. Text
// is looked at, not types: a module that imports another one uses whatever it mentions by name.

import { dirname, join } from "node:path/posix";

export interface SourceFile {
  /** From the repository's root. */
  path: string;
  text: string;
  /** Uses of tests are none. */
  isTest: boolean;
}

const SPECIFIER = /\b(?:from|import)\s*\(?\s*"([@.][\w@./-]*)"/g;
/** Whole lines of them: a string may hold the signs of one. */
const COMMENT = /^\s*(?:\/\*\*[\s\S]*?\*\/|\/\/[^\n]*)/gm;

/** `path name` of each; values only, for a type costs nothing. */
export function unusedExports(files: readonly SourceFile[]): string[] {
  const words = new Map(files.map((file) => [file.path, wordsOf(file.text)]));
  const importers = new Map<string, string[]>();
  for (const { path, text, isTest } of files) {
    if (isTest) continue;
    for (const [, specifier] of text.matchAll(SPECIFIER)) {
      const target = moduleAt(path, specifier!);
      if (target !== path) importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  return files
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, text }) =>
      transpiler
        .scan(text)
        .exports.filter((name) => {
          const isUsedHere = (words.get(path)?.get(name) ?? 0) > 1;
          return !isUsedHere && !importers.get(path)?.some((by) => words.get(by)?.has(name));
        })
        .map((name) => `${path} ${name}`),
    );
}

function moduleAt(from: string, specifier: string): string {
  if (specifier.startsWith(".")) return join(dirname(from), specifier);
  const [, name, rest] = /^@tau\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === undefined ? specifier : `packages/${name}/src/${rest ?? "sdk"}.ts`;
}

function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [word] of text.replace(COMMENT, "").matchAll(/[\w$]+/g)) {
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return words;
}
