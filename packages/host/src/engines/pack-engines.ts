// Packs the engines of this machine for a single executable: each compressed on its own, so
// that what is not needed is not unpacked, and a list of them with what to expect. Only the
// build uses it.

import { mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { packagedProgram } from "../search/locate-ripgrep.ts";
import { LANGUAGES } from "../syntax/language-table.ts";
import { packagedLibrary } from "../syntax/parser-library.ts";
import {
  MANIFEST_NAME,
  RIPGREP,
  type EmbeddedEngine,
  type EngineManifest,
} from "./embedded-engines.ts";

/** Under a second for 43 MB, which become 5; the levels above save half of one more for ten. */
const COMPRESSION_LEVEL = 12;
const ID_CHARS = 16;

export interface PackedEngines {
  packed: EmbeddedEngine[];
  /** Why an engine is not among them, a sentence each. */
  missing: string[];
}

export async function packEngines(directory: string): Promise<PackedEngines> {
  await mkdir(directory, { recursive: true });
  const packed: EmbeddedEngine[] = [];
  const missing: string[] = [];
  const program = packagedProgram();
  if (program === undefined) missing.push("ripgrep is not installed for this machine");
  else packed.push(await pack(directory, RIPGREP, program));
  for (const { grammar } of LANGUAGES) {
    if ("builtIn" in grammar) continue;
    const library = packagedLibrary(grammar.package);
    if (library.ok) packed.push(await pack(directory, grammar.package, library.path));
    else missing.push(library.why);
  }
  const id = hashOf(JSON.stringify(packed)).slice(0, ID_CHARS);
  const manifest: EngineManifest = { id, engines: packed };
  await Bun.write(join(directory, MANIFEST_NAME), JSON.stringify(manifest));
  return { packed, missing };
}

async function pack(directory: string, name: string, path: string): Promise<EmbeddedEngine> {
  const isProgram = name === RIPGREP;
  const content = await Bun.file(path).bytes();
  const file = isProgram ? basename(path) : `${basename(name)}${extname(path)}`;
  const asset = `${file}.zst`;
  const compressed = Bun.zstdCompressSync(content, { level: COMPRESSION_LEVEL });
  await Bun.write(join(directory, asset), compressed);
  return { name, asset, bytes: content.length, sha256: hashOf(content), isProgram };
}

function hashOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}
