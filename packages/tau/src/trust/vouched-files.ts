// The files that a decision about a project is about, with the hash of each as it was when the project was
// compared with the decision. Whoever uses one later takes its bytes from here, so that nothing else is
// used, whatever has been put in its place since.

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { systemCode } from "@tau/host/storage-error";
import { isBelow } from "../base/is-below.ts";

export interface VouchedPlaces {
  /** Hashes by path; all paths are without links. */
  files: ReadonlyMap<string, string>;
  /** Directories of which every file is among them. */
  trees: ReadonlySet<string>;
  /** Links in these directories, and where they led. */
  links: ReadonlyMap<string, string>;
}

export class VouchedFiles {
  /** The project's, without links. */
  readonly root: string;
  readonly #places: VouchedPlaces;

  constructor(root: string, places: VouchedPlaces) {
    this.root = root;
    this.#places = places;
  }

  /** Whether the decision says something about the path: a file that appeared beside the others, too. */
  covers(path: string): boolean {
    const { files, trees } = this.#places;
    return files.has(path) || [...trees].some((tree) => isBelow(path, tree));
  }

  /** By whatever way the path leads there. */
  hashOf(path: string): string | undefined {
    try {
      return this.#places.files.get(realpathSync(path));
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /** Undefined if the file is not as it was. `path` has no links in it. */
  read(path: string): Buffer | undefined {
    const hash = this.#places.files.get(path);
    if (hash === undefined) return undefined;
    try {
      const bytes = readPlain(path);
      const isSame = bytes !== undefined && Bun.CryptoHasher.hash("sha256", bytes, "hex") === hash;
      return isSame ? bytes : undefined;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /** The directories and the single files that it covers, each of them once. */
  get places(): { trees: string[]; files: string[] } {
    const { files, trees } = this.#places;
    const all = [...trees];
    const isInTree = (path: string): boolean => all.some((tree) => isBelow(path, tree));
    return { trees: all, files: [...files.keys()].filter((path) => !isInTree(path)) };
  }

  /** Every path by which a file can be reached, and where it leads. */
  get ways(): [path: string, real: string][] {
    const { files, links } = this.#places;
    const direct = [...files.keys()].map((path): [string, string] => [path, path]);
    const linked = [...links].flatMap(([link, target]) =>
      [...files.keys()]
        .filter((file) => isBelow(file, target))
        .map((file): [string, string] => [`${link}${file.slice(target.length)}`, file]),
    );
    return [...direct, ...linked];
  }
}

/** Undefined if something else than a file stands there; nothing is waited for. */
function readPlain(path: string): Buffer | undefined {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = openSync(path, flags);
  try {
    return fstatSync(handle).isFile() ? readFileSync(handle) : undefined;
  } finally {
    closeSync(handle);
  }
}
