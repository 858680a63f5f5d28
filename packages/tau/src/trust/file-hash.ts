// The hash of a file's bytes, or of a whole tree of files. A tree that holds too much, or a link that
// leads out of the project, has none: nobody could say what was agreed to.

import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "@tau/host/storage-error";
import { listDirectory } from "@tau/host/walk/list-directory";
import { isBelow } from "../base/is-below.ts";
import { VouchedFiles } from "./vouched-files.ts";

/** With the packages that an extension brings; more than this takes too long at every start. */
const MAX_FILES = 5000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_DEPTH = 24;
const CHUNK_BYTES = 256 * 1024;

export class CannotVouch extends Error {
  override readonly name = "CannotVouch";
}

/** Counts what one decision has to look at. */
export class FileHasher {
  readonly #root: string;
  readonly #known = new Map<string, Promise<string>>();
  readonly #hashes = new Map<string, string>();
  readonly #trees = new Set<string>();
  readonly #links = new Map<string, string>();
  #files = 0;
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** All that it has looked at, as it was then. */
  vouched(): VouchedFiles {
    return new VouchedFiles(this.#root, {
      files: this.#hashes,
      trees: this.#trees,
      links: this.#links,
    });
  }

  /** Rejects with `CannotVouch`. */
  async file(path: string): Promise<string> {
    try {
      const real = await realpath(path);
      if (!isBelow(real, this.#root)) throw new CannotVouch("it leads out of the project");
      const before = this.#known.get(real);
      if (before) return await before;
      const made = this.#hash(real);
      this.#known.set(real, made);
      const hash = await made;
      this.#hashes.set(real, hash);
      return hash;
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** A program of the machine that a link in the project leads to is not the project's to change. */
  async fileOrTarget(path: string): Promise<string> {
    try {
      const real = await realpath(path);
      return isBelow(real, this.#root) ? await this.file(path) : `leads to ${real}`;
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Every file below, by its path. */
  async tree(directory: string): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    const visit = async (at: string, depth: number): Promise<void> => {
      if (depth > MAX_DEPTH) throw new CannotVouch("its directories are nested too deeply");
      for (const { name, kind } of await listDirectory(at)) {
        const path = join(at, name);
        if (kind === "directory") await visit(path, depth + 1);
        else if (kind === "file") hashes.set(path, await this.file(path));
        else if (kind === "link") await this.#link(path, directory, hashes);
      }
    };
    try {
      const real = await realpath(directory);
      if (!isBelow(real, this.#root)) throw new CannotVouch("it leads out of the project");
      await visit(directory, 0);
      this.#trees.add(real);
    } catch (error) {
      throw this.#explained(error);
    }
    return new Map([...hashes].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async #link(path: string, tree: string, hashes: Map<string, string>): Promise<void> {
    const real = await realpath(path).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    });
    // What leads nowhere does nothing yet; once it leads somewhere, the tree is another one.
    if (real === undefined) return;
    this.#links.set(path, real);
    if ((await lstat(real)).isFile()) hashes.set(path, await this.file(path));
    else if (!isBelow(real, await realpath(tree))) {
      throw new CannotVouch(`${path} leads to another directory`);
    }
  }

  async #hash(real: string): Promise<string> {
    if (++this.#files > MAX_FILES) throw new CannotVouch(`it has more than ${MAX_FILES} files`);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(real, flags);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new CannotVouch("it is not a file");
      const hasher = new Bun.CryptoHasher("sha256");
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, stat.size + 1));
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length);
        if (bytesRead === 0) return hasher.digest("hex");
        this.#bytes += bytesRead;
        if (this.#bytes > MAX_BYTES) {
          throw new CannotVouch(`it has more than ${MAX_BYTES / 1024 / 1024} MB`);
        }
        hasher.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  }

  #explained(error: unknown): unknown {
    const code = systemCode(error);
    return code === undefined ? error : new CannotVouch(`it cannot be read (${code})`);
  }
}

export function hashOf(parts: Iterable<string>): string {
  const hasher = new Bun.CryptoHasher("sha256");
  // Lengths keep ["ab"] and ["a", "b"] apart.
  for (const part of parts) hasher.update(`${part.length}:${part}`);
  return hasher.digest("hex");
}
