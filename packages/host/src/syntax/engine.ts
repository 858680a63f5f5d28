// The parser engine with every language that loads on this machine. It takes the packaged
// languages once per process and ignores later ones, so all are registered together on first
// use (about 30 ms). A parser is foreign native code that can hang or end its process over
// hostile text: whoever reads what others wrote goes through `syntax-process.ts`.

import type { SgNode } from "@ast-grep/napi";
import { LANGUAGES, type LanguageRow } from "./language-table.ts";
import { findLibrary } from "./parser-library.ts";

export type SyntaxNode = SgNode;
/** What the engine takes to find nodes: its rule objects, which patterns are a part of. */
export type EngineRule = Record<string, unknown>;

export interface Engine {
  /** Why a language has no parser here; nothing for one that has. */
  missing(row: LanguageRow): string | undefined;
  /** Only for languages that are not missing. */
  parse(row: LanguageRow, text: string): SyntaxNode;
}

let engine: Promise<Engine> | undefined;

export function loadEngine(): Promise<Engine> {
  engine ??= load();
  return engine;
}

async function load(): Promise<Engine> {
  const missing = new Map<string, string>();
  const registrations: Record<string, Registration> = {};
  for (const row of LANGUAGES) {
    if ("builtIn" in row.grammar) continue;
    const library = await findLibrary(row.grammar);
    if (!library.ok) missing.set(row.name, library.why);
    else {
      const { symbol, expando } = row.grammar;
      registrations[row.name] = {
        libraryPath: library.path,
        // Detection is ours; the engine only wants a list that is not empty.
        extensions: [...row.extensions],
        languageSymbol: symbol,
        expandoChar: expando,
      };
    }
  }
  try {
    const napi = await import("@ast-grep/napi");
    if (Object.keys(registrations).length > 0) napi.registerDynamicLanguage(registrations);
    return {
      missing: (row) => missing.get(row.name),
      parse: (row, text) => napi.parse(engineName(row), text).root(),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      missing: () => `the parser engine does not load: ${why}`,
      parse: (row) => {
        throw new Error(`There is no parser for ${row.name}: ${why}`, { cause: error });
      },
    };
  }
}

interface Registration {
  libraryPath: string;
  extensions: string[];
  languageSymbol: string;
  expandoChar: string;
}

function engineName(row: LanguageRow): string {
  return "builtIn" in row.grammar ? row.grammar.builtIn : row.name;
}
