// From an entry of `paths` to what the engine searches, and to how its results are called:
// what was opened by an address is shown by that address, wherever its bytes lie.

import { ToolError } from "@tau/agent/tool";
import type { LineRange as EngineRange, SearchTarget } from "@tau/host/search/search-query";
import { hasGlob } from "@tau/host/walk/glob";
import type { LineRange } from "../../resources/line-range.ts";
import { locateEntry } from "../../resources/locate-entry.ts";
import type { Resource } from "../../resources/resource.ts";
import type { SchemeAddress } from "../../resources/schemes.ts";
import type { Selector } from "../../resources/selector.ts";
import type { Workspace } from "../workspace.ts";

/** Of a whole scheme; what has more is searched by parts of it. */
const MAX_LISTED = 2000;

/** How a searched file or text is called, and what an edit of its lines would change. */
export interface SourceName {
  shown: string;
  /** `text` where it is not the file's own: made from it, cells of a notebook say. */
  editable?: { path: string; text?: string };
}

export interface SearchPlace {
  target: SearchTarget;
  /** Absent for trees: their files have names of their own. */
  name?: SourceName;
  ranges?: readonly LineRange[];
  notes: readonly string[];
}

/** Undefined where there is nothing of that name. */
export async function openSearchPlace(
  workspace: Workspace,
  entry: string,
  signal: AbortSignal,
): Promise<SearchPlace[] | undefined> {
  const located = await locateEntry(entry, workspace.files);
  switch (located.kind) {
    case "missing":
      return undefined;
    case "glob": {
      if (located.selector.ranges) {
        throw new ToolError(`${entry}: lines can be chosen of a single file, not of a glob.`);
      }
      const { root, pattern, directoriesOnly } = located;
      const glob = directoriesOnly ? `${pattern}/**/*` : pattern;
      return [{ target: { kind: "directory", path: root, glob }, notes: [] }];
    }
    case "address":
      return openAddress(workspace, entry, located.address, signal);
    case "path":
    case "inside":
      return openAll(workspace, entry, signal);
  }
}

/** Of an archive, or a directory in one, everything that is text. */
async function openAll(
  workspace: Workspace,
  entry: string,
  signal: AbortSignal,
): Promise<SearchPlace[]> {
  const { resource, selector } = await workspace.resources.open(entry, signal);
  if (resource.type !== "text" || !resource.contents) {
    return [searchPlace(entry, resource, selector)];
  }
  if (selector.ranges) {
    throw new ToolError(`${entry}: lines can be chosen of a single file, not of an archive.`);
  }
  const { texts, notes } = await resource.contents(signal);
  const said = [...resource.notes, ...notes];
  // Nothing in it is text: there is still something to be said.
  if (texts.length === 0) {
    return [{ target: { kind: "text", name: resource.shown, text: "" }, notes: said }];
  }
  return texts.map(({ shown, text }, at) => ({
    target: { kind: "text", name: shown, text },
    name: { shown },
    notes: at === 0 ? said : [],
  }));
}

async function openAddress(
  workspace: Workspace,
  entry: string,
  address: SchemeAddress,
  signal: AbortSignal,
): Promise<SearchPlace[]> {
  const scheme = workspace.resources.schemes.get(address.scheme);
  if (scheme && hasGlob(address.path)) {
    throw new ToolError(
      `${entry}: addresses take no globs. Name one, or all with ${scheme.name}://.`,
    );
  }
  if (address.path !== "" || !scheme?.list) return [await openOne(workspace, entry, signal)];
  const listed = await scheme.list(signal);
  const places: SearchPlace[] = [];
  for (const one of listed.slice(0, MAX_LISTED)) {
    const full = one.includes("://") ? one : `${scheme.name}://${one}`;
    places.push(await openOne(workspace, full, signal));
  }
  const last = places.at(-1);
  if (last && listed.length > MAX_LISTED) {
    const note = `[${entry} has ${listed.length} entries; the first ${MAX_LISTED} were searched]`;
    places[places.length - 1] = { ...last, notes: [...last.notes, note] };
  }
  return places;
}

async function openOne(
  workspace: Workspace,
  entry: string,
  signal: AbortSignal,
): Promise<SearchPlace> {
  const { resource, selector } = await workspace.resources.open(entry, signal);
  return searchPlace(entry, resource, selector);
}

function searchPlace(entry: string, resource: Resource, selector: Selector): SearchPlace {
  if (selector.isConflicts) {
    throw new ToolError(`${entry}: search takes line ranges only; read shows conflicts.`);
  }
  const { ranges } = selector;
  return {
    ...placeOf(resource, selector),
    ranges,
    notes: resource.notes,
  };
}

function placeOf(
  resource: Resource,
  { ranges }: Selector,
): { target: SearchTarget; name?: SourceName } {
  const { shown } = resource;
  const lines = ranges ? { lines: ranges.map(toEngineRange) } : {};
  switch (resource.type) {
    case "directory":
      if (ranges) {
        throw new ToolError(`${shown} is a directory: lines can be chosen of a single file.`);
      }
      return { target: { kind: "directory", path: resource.path } };
    case "file": {
      const { path } = resource;
      return { target: { kind: "file", path, ...lines }, name: { shown, editable: { path } } };
    }
    case "text": {
      const { text, backing, editable } = resource;
      const name: SourceName = editable
        ? { shown, editable: { path: editable.path, text } }
        : { shown };
      const target: SearchTarget =
        backing === undefined
          ? { kind: "text", name: shown, text, ...lines }
          : { kind: "file", path: backing, ...lines };
      return { target, name };
    }
    case "image":
      throw new ToolError(`${shown} is an image and has no text to search.`);
  }
}

function toEngineRange({ first, last }: LineRange): EngineRange {
  return { start: first, end: last ?? Infinity };
}
