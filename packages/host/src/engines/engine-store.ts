// Extracts embedded engines, each once and for all processes, into a directory of its build's
// own: `engines-ID`, closed to others. A file appears there whole or not at all, so two
// processes that extract at once do the same work twice and nothing else happens. What is
// there already is used if it is a plain file of ours with the right size.

import { chmod, lstat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftover, temporaryPathFor } from "../replace-file.ts";
import { createDiskStorage, PRIVATE_DIRECTORY_MODE, type Storage } from "../storage.ts";
import { StorageError, systemCode } from "../storage-error.ts";
import { clearAway, DAY_MS, DIRECTORY_PREFIX } from "./clear-engines.ts";
import type { EmbeddedEngine, EmbeddedEngines } from "./embedded-engines.ts";

const LIBRARY_MODE = 0o600;
const PROGRAM_MODE = 0o700;
/** Bits by which others could put something else in its place. */
const WRITABLE_BY_OTHERS = 0o022;

export type EnginePlace =
  | { kind: "found"; path: string }
  /** Not among the embedded ones. */
  | { kind: "absent" }
  /** It is here and cannot be had; `why` is part of a sentence. */
  | { kind: "failed"; why: string };

export interface EngineStoreOptions {
  embedded: EmbeddedEngines;
  /** The directory of all builds' directories. */
  cache: string;
  storage?: Storage;
}

export class EngineStore {
  readonly #embedded: EmbeddedEngines;
  readonly #cache: string;
  readonly #directory: string;
  readonly #storage: Storage;
  readonly #places = new Map<string, Promise<EnginePlace>>();
  #opening: Promise<string | undefined> | undefined;
  #clearing: Promise<void> | undefined;

  constructor({ embedded, cache, storage = createDiskStorage() }: EngineStoreOptions) {
    this.#embedded = embedded;
    this.#cache = cache;
    this.#directory = join(cache, `${DIRECTORY_PREFIX}${embedded.manifest.id}`);
    this.#storage = storage;
  }

  async locateAll(): Promise<void> {
    for (const { name } of this.#embedded.manifest.engines) await this.locate(name);
  }

  async locate(name: string): Promise<EnginePlace> {
    const engine = this.#embedded.manifest.engines.find((one) => one.name === name);
    if (!engine) return { kind: "absent" };
    const known = this.#places.get(name);
    if (known) return known;
    const place = this.#place(engine);
    this.#places.set(name, place);
    // A full disk may have room later.
    if ((await place).kind === "failed") this.#places.delete(name);
    return place;
  }

  async #place(engine: EmbeddedEngine): Promise<EnginePlace> {
    try {
      const why = await (this.#opening ??= this.#open());
      if (why !== undefined) {
        this.#opening = undefined;
        return { kind: "failed", why };
      }
      const path = join(this.#directory, engine.asset.replace(/\.zst$/, ""));
      if (!(await isOurs(path, engine))) await this.#extract(engine, path);
      return { kind: "found", path };
    } catch (error) {
      this.#opening = undefined;
      if (error instanceof DamagedEngine) return { kind: "failed", why: error.message };
      const code = error instanceof StorageError ? error.code : systemCode(error);
      if (code === undefined) throw error;
      return { kind: "failed", why: `it cannot be extracted to ${this.#directory} (${code})` };
    }
  }

  /** Why the directory is not fit for what is run. */
  async #open(): Promise<string | undefined> {
    await this.#storage.makeDirectory(this.#directory, {
      point: "engine.directory",
      mode: PRIVATE_DIRECTORY_MODE,
    });
    const status = await lstat(this.#directory);
    if (!status.isDirectory()) return `${this.#directory} is not a directory`;
    if (isForeign(status.uid)) return `${this.#directory} belongs to somebody else`;
    if (process.getuid && (status.mode & 0o077) !== 0) {
      await chmod(this.#directory, PRIVATE_DIRECTORY_MODE);
    }
    // A sign of life for the clearing away by other builds.
    if (Date.now() - status.mtimeMs > DAY_MS) {
      const now = new Date();
      await utimes(this.#directory, now, now);
    }
    return undefined;
  }

  async #extract(engine: EmbeddedEngine, path: string): Promise<void> {
    const bytes = unpack(engine, await this.#embedded.read(engine));
    const mode = engine.isProgram ? PROGRAM_MODE : LIBRARY_MODE;
    const temporary = temporaryPathFor(path);
    try {
      await this.#storage.createExclusive(temporary, bytes, { point: "engine.extract", mode });
      // Puts it in the place of whatever is there, a link too, and at no moment is there nothing:
      // another process may be about to load what it has just found.
      await this.#storage.rename(temporary, path, { point: "engine.publish" });
    } catch (error) {
      await removeLeftover(temporary);
      // Where another process was faster and has it loaded, some systems do not replace it.
      if (!(error instanceof StorageError) || !(await isOurs(path, engine))) throw error;
    }
    this.#clearing ??= clearAway(this.#storage, this.#cache, this.#directory);
    await this.#clearing;
  }
}

class DamagedEngine extends Error {
  override readonly name = "DamagedEngine";
}

function unpack({ bytes, sha256, name }: EmbeddedEngine, packed: Uint8Array): Uint8Array {
  const unpacked = Bun.zstdDecompressSync(packed);
  const hash = new Bun.CryptoHasher("sha256").update(unpacked).digest("hex");
  if (unpacked.length === bytes && hash === sha256) return unpacked;
  throw new DamagedEngine(`this executable is damaged (${name}): install it again`);
}

async function isOurs(path: string, { bytes }: EmbeddedEngine): Promise<boolean> {
  try {
    const status = await lstat(path);
    const isSafe = !isForeign(status.uid) && (status.mode & WRITABLE_BY_OTHERS) === 0;
    return status.isFile() && status.size === bytes && (isSafe || !process.getuid);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return false;
    throw error;
  }
}

/** Systems without user ids keep others out of a home in their own way. */
function isForeign(uid: number): boolean {
  return process.getuid !== undefined && uid !== process.getuid();
}
