// Which source files a structural search or rewrite means by its paths: files, directories,
// globs, and addresses that have a file behind them. In the order of their names, each file
// once however often it is named.

import { join } from "node:path";
import { ToolError } from "@tau/agent/tool";
import { detectLanguage } from "@tau/host/syntax/detect-language";
import { bytePath } from "@tau/host/walk/byte-path";
import { compileGlob, hasGlob } from "@tau/host/walk/glob";
import { walkTree } from "@tau/host/walk/walk-tree";
import { locateEntry } from "../../resources/locate-entry.ts";
import { listPaths } from "../../resources/path-list.ts";
import type { Resource } from "../../resources/resource.ts";
import { WHOLE } from "../../resources/selector.ts";
import { gatherPlaces } from "../search/gather-places.ts";
import type { Workspace } from "../workspace.ts";

/** What is not found by then is too much to parse anyway. */
const WALK_TIMEOUT_MS = 10_000;
/** Paths that are kept, some 20 MB of them. */
const MAX_CANDIDATES = 100_000;
/** Other people's code, often not ignored by anything; searched where it is named. */
const DEPENDENCIES = "node_modules";

export interface Sources {
  /** Absolute. */
  paths: string[];
  /** One file was named, and nothing else. */
  isSingle: boolean;
  /** Entries that lead nowhere, beside others that do. */
  missing: string[];
  /** What else is to be said about the entries, a sentence each. */
  notes: string[];
  /** There was more to look through than time or room. */
  isCut: boolean;
}

export interface SourceWish {
  paths: string | readonly string[];
  /** Directories give only files of this language. */
  language?: string | undefined;
  signal: AbortSignal;
}

type Target =
  { kind: "file"; path: string; note?: string } | { kind: "tree"; root: string; glob?: string };

/** A `ToolError` where no entry leads anywhere. */
export async function findSources(workspace: Workspace, wish: SourceWish): Promise<Sources> {
  const entries = await listPaths(wish.paths, workspace.files);
  const open = async (entry: string): Promise<Target[] | undefined> => {
    const target = await targetOf(workspace, entry, wish.signal);
    return target && [target];
  };
  const { places, missing, refused } = await gatherPlaces(workspace, entries, open, wish.signal);
  const [only] = places;
  const isSingle = places.length === 1 && only!.kind === "file";
  const sources: Sources = { paths: [], isSingle, missing, notes: refused, isCut: false };
  /** By the file itself: two ways to it are one file. */
  const found = new Map<string, string>();
  for (const place of places) {
    if (place.kind === "tree") sources.isCut ||= await walk(workspace, place, wish, found);
    else {
      if (place.note !== undefined) sources.notes.push(place.note);
      const identity = await workspace.files.identify(place.path);
      if (!found.has(identity)) found.set(identity, place.path);
    }
  }
  sources.paths = [...found.values()].sort();
  return sources;
}

/** Undefined where it does not exist. */
async function targetOf(
  workspace: Workspace,
  entry: string,
  signal: AbortSignal,
): Promise<Target | undefined> {
  const located = await locateEntry(entry, workspace.files);
  if (located.kind === "missing") return undefined;
  if ("selector" in located && located.selector !== WHOLE) {
    throw new ToolError(`${entry} names a part of a file; give the path without what follows ":".`);
  }
  if (located.kind === "glob") return { kind: "tree", root: located.root, glob: located.pattern };
  if (located.kind === "address" && hasGlob(entry)) {
    throw new ToolError(`${entry}: an address takes no wildcards; name one thing.`);
  }
  const { resource } = await workspace.resources.open(entry, signal);
  if (resource.type === "directory") return { kind: "tree", root: resource.path };
  const path = fileBehind(resource);
  if (path === undefined) {
    throw new ToolError(`${entry} is not backed by a source file; read it instead.`);
  }
  const [note] = resource.notes;
  return note === undefined ? { kind: "file", path } : { kind: "file", path, note };
}

function fileBehind(resource: Resource): string | undefined {
  if (resource.type === "file") return resource.path;
  return resource.type === "text" ? (resource.editable?.path ?? resource.backing) : undefined;
}

/** Adds what it finds to `found`. True where it did not get to the end. */
async function walk(
  workspace: Workspace,
  { root, glob }: { root: string; glob?: string },
  { language, signal }: SourceWish,
  found: Map<string, string>,
): Promise<boolean> {
  const matcher = glob === undefined ? undefined : compileGlob(glob);
  const passesDependencies = `${root}/${glob ?? ""}`.includes(DEPENDENCIES);
  const identity = await workspace.files.identify(root);
  const prefix = root.endsWith("/") ? root : `${root}/`;
  const { end } = await walkTree({
    root,
    gitignore: true,
    hidden: true,
    maxDepth: matcher ? matcher.maxDepth : undefined,
    signal,
    deadline: performance.now() + WALK_TIMEOUT_MS,
    onEntries(entries) {
      for (const { path, kind, location } of entries) {
        // A link's file is found where it is.
        if (kind !== "file") continue;
        if (!passesDependencies && path.split("/").includes(DEPENDENCIES)) continue;
        if (matcher ? !matcher.matches(path) : !isWanted(path, language)) continue;
        const file = typeof location === "string" ? location : bytePath(location);
        const own = join(identity, file.slice(prefix.length));
        if (!found.has(own)) found.set(own, file);
      }
      return found.size < MAX_CANDIDATES;
    },
  });
  return end !== "complete";
}

/** Of a directory's files; without an extension only the first line can tell. */
function isWanted(path: string, language: string | undefined): boolean {
  const detected = detectLanguage(path);
  if (language !== undefined) return detected?.name === language;
  return detected !== undefined || !/\.[^./]+$/.test(path);
}
