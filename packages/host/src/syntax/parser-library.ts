// The shared libraries of the packaged grammars: where they lie for this platform, in their
// packages or inside the executable, and whether they can be loaded. The engine ends the whole process over a library that is
// missing, broken or for another system, so each is opened here first.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { locateEngine } from "../engines/locate-engine.ts";
import { ownPlace } from "../engines/own-place.ts";
import type { PackagedGrammar } from "./language-table.ts";

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
};
const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { arm64: "ARM64", x64: "X64" };

/** The grammar formats that the engine's tree-sitter reads. */
const OLDEST_ABI = 13;
const NEWEST_ABI = 15;

export type Library = { ok: true; path: string } | { ok: false; why: string };

export async function findLibrary(grammar: PackagedGrammar): Promise<Library> {
  const library =
    ownPlace() === undefined
      ? await embeddedLibrary(grammar.package)
      : packagedLibrary(grammar.package);
  if (!library.ok) return library;
  const trouble = await probe(library.path, grammar.symbol);
  return trouble === undefined ? library : { ok: false, why: trouble };
}

async function embeddedLibrary(packageName: string): Promise<Library> {
  const place = await locateEngine(packageName);
  if (place.kind === "found") return { ok: true, path: place.path };
  if (place.kind === "failed") return { ok: false, why: place.why };
  return { ok: false, why: `${packageName} is not in this executable` };
}

/** Where the package has it, for running from source and for the build. */
export function packagedLibrary(packageName: string): Library {
  const folder = packageFolder(packageName);
  if (folder === undefined) return { ok: false, why: `${packageName} is not installed` };
  const platform = PLATFORMS[process.platform] ?? process.platform;
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const path = join(folder, "prebuilds", `prebuild-${platform}-${architecture}`, "parser.so");
  if (existsSync(path)) return { ok: true, path };
  const why = `${packageName} has no parser for ${process.platform} on ${process.arch}`;
  return { ok: false, why };
}

/** Looks upwards from Tau's own place, and nowhere else: what is loaded runs in Tau. */
function packageFolder(packageName: string): string | undefined {
  const own = ownPlace();
  if (own === undefined) return undefined;
  for (let place = own; ; place = dirname(place)) {
    const folder = join(place, "node_modules", packageName);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (place === dirname(place)) return undefined;
  }
}

/** Opens the library as the engine will. Returns what is wrong, if anything. */
export async function probe(path: string, symbol: string): Promise<string | undefined> {
  try {
    const { dlopen, read } = await import("bun:ffi");
    const library = dlopen(path, { [symbol]: { args: [], returns: "ptr" } });
    const grammar = (library.symbols[symbol] as () => Parameters<typeof read.u32>[0] | null)();
    // The first field of a grammar is the version of its format.
    const abi = grammar === null ? 0 : read.u32(grammar, 0);
    library.close();
    if (abi >= OLDEST_ABI && abi <= NEWEST_ABI) return undefined;
    return `the parser in ${path} has format ${abi}, which the engine does not read`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
