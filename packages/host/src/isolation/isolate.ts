// Makes an isolated tree, by whichever mechanism works on this machine, and takes it away again. This file owns the
// order: a record of whose it is comes first, so that whatever a crash leaves can be told and removed.
//
//   DIRECTORY/ID/owner.json     whose it is
//               /tree/NAME      the tree; of an overlay, /mount/tree/NAME
//               /own/N          Tau's git over repository N, where baseline and changes are taken
//               /agent/N        the repository that git finds in the tree
//               /upper, /work, /lower, /inside   of an overlay

import { mkdir, realpath } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { systemCode } from "../storage-error.ts";
import { checkOut } from "./check-out.ts";
import {
  IsolationRefused,
  type IsolatedTree,
  type IsolationMechanism,
  type IsolationPlace,
} from "./isolated-tree.ts";
import { mountOverlay, OverlayUnavailable, type Overlay } from "./overlay.ts";
import { ownDirectory, removeDirectory, writeRecord } from "./tree-record.ts";
import { AGENTS, takeRepositories } from "./tree-repositories.ts";
import { linkRepositories } from "./link-repositories.ts";
import { treeChanges } from "./tree-changes.ts";

export interface IsolateOptions {
  /** `auto`: an overlay if there can be one. */
  mechanism?: "auto" | IsolationMechanism;
  signal?: AbortSignal;
}

/** Rejects with `IsolationRefused`. */
export async function isolate(
  place: IsolationPlace,
  { mechanism = "auto", signal }: IsolateOptions = {},
): Promise<IsolatedTree> {
  if (!/^[\w-][\w.-]*$/.test(place.id)) {
    throw new IsolationRefused(
      `${JSON.stringify(place.id)} cannot name a tree: use letters, digits, dots and dashes.`,
    );
  }
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  const directory = join(await realpath(place.directory), place.id);
  await claim(directory, place);
  try {
    return await make(directory, place, { mechanism, signal });
  } catch (error) {
    await removeDirectory(directory);
    throw error;
  }
}

/** A tree of that name, a second time, would be two agents in one. */
async function claim(directory: string, { id, cwd }: IsolationPlace): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
    throw new IsolationRefused(
      `There is an isolated tree with the name ${id} already: use another.`,
    );
  }
  await ownDirectory(directory, { kind: "tree", parent: cwd });
}

async function make(
  directory: string,
  place: IsolationPlace,
  { mechanism = "auto", signal }: IsolateOptions,
): Promise<IsolatedTree> {
  const repositories = await takeRepositories(place.cwd, { directory, env: place.env, signal });
  const lower = repositories[0]!.parent.root;
  const name = treeName(lower);
  const fallback: string[] = [];
  let overlay: Overlay | undefined;
  if (mechanism !== "worktree") {
    try {
      await linkRepositories(repositories, join(directory, "upper"));
      overlay = await mountOverlay({ directory, name, lower, env: place.env });
      const { holder } = overlay;
      await writeRecord(directory, { kind: "tree", parent: place.cwd, holder });
    } catch (error) {
      if (!(error instanceof OverlayUnavailable)) throw error;
      if (mechanism === "overlay") {
        throw new IsolationRefused(`There can be no overlay here: ${error.message}.`);
      }
      fallback.push(`A copy was checked out, which takes longer: ${error.message}.`);
    }
  }
  const root = overlay?.root ?? join(directory, "tree", name);
  const cwd = join(root, relative(lower, await realpath(place.cwd)));
  try {
    if (!overlay) await checkOut(repositories, { root, signal });
    // It may be one that git ignores, or an empty one.
    await mkdir(cwd, { recursive: true });
    signal?.throwIfAborted();
  } catch (error) {
    await overlay?.end();
    throw error;
  }
  return {
    mechanism: overlay ? "overlay" : "worktree",
    fallback: fallback[0],
    root,
    cwd,
    enter: overlay?.enter,
    writable: [root, join(directory, AGENTS)],
    changes: () => treeChanges(repositories, { root, overlay, signal: undefined }),
    remove: async () => {
      await overlay?.end();
      await removeDirectory(directory);
    },
  };
}

/** As the parent's directory is called, if that is a name that every program takes. */
function treeName(root: string): string {
  const name = basename(root);
  return /^\w[\w.-]*$/.test(name) ? name : "tree";
}
