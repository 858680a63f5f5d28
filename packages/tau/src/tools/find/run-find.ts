// One look for paths over a list of places, for the model's tool and for the command alike.

import { ToolError } from "@tau/agent/tool";
import {
  findPaths,
  type FindOptions,
  type FindResult,
  type FindTarget,
} from "@tau/host/walk/find-paths";
import { hasGlob } from "@tau/host/walk/glob";
import { tidyPath } from "../../resources/local-path.ts";
import { locateEntry } from "../../resources/locate-entry.ts";
import { gatherPlaces } from "../search/gather-places.ts";
import type { Workspace } from "../workspace.ts";

export interface FindRequest extends Omit<FindOptions, "targets" | "signal"> {
  entries: readonly string[];
  signal: AbortSignal;
}

export interface FindOutcome {
  result: FindResult;
  missing: readonly string[];
  /** Why other entries were left out, a sentence each. */
  notes: readonly string[];
}

export async function runFind(
  workspace: Workspace,
  { entries, signal, ...options }: FindRequest,
): Promise<FindOutcome> {
  const { places, missing, refused } = await gatherPlaces(
    workspace,
    entries,
    (entry) => openFindTarget(workspace, entry, signal),
    signal,
  );
  const result = await findPaths({ ...options, targets: places, signal });
  return { result, missing, notes: refused.map((why) => `[${why}]`) };
}

/** Directories keep the slash at their end. */
export function shownFound(workspace: Workspace, path: string): string {
  return path.endsWith("/") ? `${workspace.files.shown(path)}/` : workspace.files.shown(path);
}

async function openFindTarget(
  workspace: Workspace,
  entry: string,
  signal: AbortSignal,
): Promise<FindTarget[] | undefined> {
  // A lone slash means the working directory to those who read it; here it would be the disk.
  if (/^\/+$/.test(tidyPath(entry))) throw wholeDisk(entry);
  const located = await locateEntry(entry, workspace.files);
  switch (located.kind) {
    case "missing":
      return undefined;
    case "path":
      return [within(entry, { root: located.path })];
    case "glob": {
      const { root, pattern, directoriesOnly } = located;
      return [within(entry, { root, pattern, directoriesOnly })];
    }
    case "inside":
      throw new ToolError(`${entry} is inside a file: read lists what that has.`);
    case "address":
      return [{ root: await fileBehind(workspace, entry, located.address.path, signal) }];
  }
}

function within(entry: string, target: FindTarget): FindTarget {
  if (/^\/+$/.test(target.root)) throw wholeDisk(entry);
  return target;
}

function wholeDisk(entry: string): ToolError {
  return new ToolError(`${entry} would look through the whole disk: name a directory below /.`);
}

async function fileBehind(
  workspace: Workspace,
  entry: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  if (hasGlob(path)) throw new ToolError(`${entry}: addresses take no globs. Name one exactly.`);
  const { resource } = await workspace.resources.open(entry, signal);
  if (resource.type === "file" || resource.type === "directory") return resource.path;
  if (resource.type === "text" && resource.backing !== undefined) return resource.backing;
  throw new ToolError(`${entry} is not backed by a file: read it instead.`);
}
