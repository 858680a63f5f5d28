// Which exports nobody uses: neither another module of the product nor the rest of their own. Imports
// are resolved: a static one uses exactly the names that it lists. Of a module that is imported where it
// is needed, what the importer mentions is used; of one that is handed on whole, what its contract asks for.

import { dirname, join } from "node:path/posix";

export interface SourceFile {
  /** From the repository's root. */
  path: string;
  text: string;
  /** Uses of tests are none. */
  isTest: boolean;
}

/** `import { a, type B as C } from "…"`, `export { a } from "…"`, `import * as all from "…"`. */
const STATIC =
  /^(?:import|export)\s+(?:type\s+)?(?:([\w$]+)\s*,?\s*)?(?:\{([^}]*)\}|(\*)(?:\s+as\s+[\w$]+)?)?\s*from\s*"([@.][\w@./-]*)"/gm;
const DYNAMIC = /(=>\s*)?\bimport\(\s*"([@.][\w@./-]*)"\s*\)(\s*\.)?/g;
/** Whole lines of them: a string may hold the signs of one. */
const COMMENT = /^\s*(?:\/\*\*[\s\S]*?\*\/|\/\/[^\n]*)/gm;

/** What is used of one module. */
class Uses {
  readonly #names = new Set<string>();
  readonly #mentions: ReadonlyMap<string, number>[] = [];

  name(name: string): void {
    this.#names.add(name);
  }

  /** Whatever the importer says somewhere. */
  mentions(words: ReadonlyMap<string, number>): void {
    this.#mentions.push(words);
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#mentions.some((words) => words.has(name));
  }
}

/**
 * `path name` of each; values only, for a type costs nothing. `contracts`: the members that modules
 * which are handed on whole (`load: () => import("…")`) are asked for.
 */
export function unusedExports(
  files: readonly SourceFile[],
  contracts: readonly string[] = [],
): string[] {
  const uses = new Map<string, Uses>();
  const of = (path: string): Uses => {
    const known = uses.get(path) ?? new Uses();
    uses.set(path, known);
    return known;
  };
  const product = files.filter(({ isTest }) => !isTest);
  const own = new Map(product.map(({ path, text }) => [path, wordsOf(text)]));
  const everything = new Map<string, number>();
  for (const words of own.values()) for (const word of words.keys()) everything.set(word, 1);
  for (const { path, text } of product) {
    for (const [, fallback, list = "", all, specifier] of text.matchAll(STATIC)) {
      const used = of(moduleAt(path, specifier!));
      if (fallback !== undefined) used.name("default");
      if (all !== undefined) used.mentions(everything);
      for (const one of list.split(",")) used.name(one.trim().replace(/^type\s+|\s+as\s.*$/g, ""));
    }
    for (const [, arrow, specifier, member] of text.matchAll(DYNAMIC)) {
      const used = of(moduleAt(path, specifier!));
      const isWhole = arrow !== undefined && member === undefined;
      if (isWhole) contracts.forEach((name) => used.name(name));
      used.mentions(own.get(path)!);
    }
  }
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  return product.flatMap(({ path, text }) =>
    transpiler
      .scan(text)
      .exports.filter((name) => (own.get(path)!.get(name) ?? 0) <= 1 && !of(path).has(name))
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
