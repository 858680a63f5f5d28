// Which directories have to be watched to know that something of a kind came, went or changed: for
// each row those that exist on the way to its items, down to the deepest. What does not exist yet is
// noticed in the directory where it would appear.

import { join } from "node:path";
import { DirectoryReader } from "./directory-reader.ts";
import {
  boundary,
  projectPatterns,
  userPatterns,
  searchedRows,
  type DiscoverOptions,
} from "./discover.ts";
import type { KindId } from "./kinds.ts";
import { MAX_NESTING } from "./limits.ts";
import { parsePattern, type Segment } from "./pattern.ts";
import { searchPlaces } from "./search-places.ts";

/** What an entry of a directory is about. */
export class WatchedDirectory {
  readonly #any = new Set<KindId>();
  readonly #named = new Map<string, Set<KindId>>();

  add(name: string | undefined, kind: KindId): void {
    if (name === undefined) this.#any.add(kind);
    else this.#named.set(name, (this.#named.get(name) ?? new Set()).add(kind));
  }

  /** Without a name, as some systems report it: everything that it may be. */
  kinds(name: string | undefined): KindId[] {
    const named = name === undefined ? [...this.#named.values()] : [this.#named.get(name) ?? []];
    return [...new Set([...this.#any, ...named.flatMap((kinds) => [...kinds])])];
  }
}

/** Each costs the system a handle. */
const MAX_WATCHED = 512;

export interface WatchPlan {
  directories: ReadonlyMap<string, WatchedDirectory>;
  /** There would be more. */
  isCut: boolean;
}

export async function watchPlan(options: DiscoverOptions): Promise<WatchPlan> {
  const places = await searchPlaces(options);
  const reader = new DirectoryReader(options.deadlineMs);
  const directories = new Map<string, WatchedDirectory>();
  let isCut = false;
  const watch = (directory: string, name: string | undefined, kind: KindId): void => {
    const known = directories.get(directory);
    if (!known && directories.size >= MAX_WATCHED) {
      isCut = true;
      return;
    }
    const watched = known ?? new WatchedDirectory();
    watched.add(name, kind);
    directories.set(directory, watched);
  };
  for (const row of (await searchedRows(options, places)).rows) {
    const bases = [
      ...userPatterns(row, options).map(({ base, pattern }) => ({
        base,
        patterns: [pattern],
        root: row.plugin?.root,
      })),
      ...projectPatterns(row, places).map(({ base, patterns }) => ({
        base,
        patterns,
        root: boundary(row, places),
      })),
    ];
    for (const { base, patterns, root } of bases) {
      if ((await reader.kind(base)) !== "directory") continue;
      for (const pattern of patterns) {
        const { segments } = parsePattern(pattern);
        await follow({ reader, segments, root, kind: row.kind, watch }, base, 0, 0);
      }
    }
  }
  return { directories, isCut };
}

interface Following {
  reader: DirectoryReader;
  segments: readonly Segment[];
  root: string | undefined;
  kind: KindId;
  watch: (directory: string, name: string | undefined, kind: KindId) => void;
}

async function follow(way: Following, directory: string, at: number, nesting: number) {
  const { reader, segments, root, kind, watch } = way;
  const segment = segments[at]!;
  if (root !== undefined && !(await reader.isInside(directory, root))) return;
  if (segment.type === "names") {
    for (const name of segment.names) watch(directory, name, kind);
  } else watch(directory, undefined, kind);
  if (segment.type === "deep") {
    await follow(way, directory, at + 1, 0);
    if (nesting >= MAX_NESTING) return;
  } else if (at === segments.length - 1) return;
  const names =
    segment.type === "names"
      ? segment.names
      : (await reader.names(directory, root)).filter(
          (name) => segment.type === "deep" || segment.matches(name),
        );
  for (const name of names) {
    const below = join(directory, name);
    if (segment.type === "deep" && name.startsWith(".")) continue;
    if ((await reader.kind(below)) !== "directory") continue;
    if (segment.type !== "deep") await follow(way, below, at + 1, 0);
    else if ((await reader.real(below)) === join((await reader.real(directory)) ?? "", name)) {
      await follow(way, below, at, nesting + 1);
    }
  }
}
