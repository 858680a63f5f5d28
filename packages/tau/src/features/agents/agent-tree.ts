// The working tree of an agent that was started isolated: made when its session is opened, merged into the
// parent's when its task is done, and gone in any case when the agent is. What could not be merged is kept
// as a patch, and its place is said.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Environment } from "@tau/ai/environment";
import { isolate } from "@tau/host/isolation/isolate";
import {
  IsolationRefused,
  type IsolatedTree,
  type TreePatch,
} from "@tau/host/isolation/isolated-tree";
import { mergeBranch } from "@tau/host/isolation/merge-branch";
import { mergePatch } from "@tau/host/isolation/merge-patch";
import { parentRepository } from "@tau/host/isolation/parent-repository";
import { LockTimeout } from "@tau/host/lock/file-lock";
import { systemCode } from "@tau/host/storage-error";
import type { TaskSettings } from "./settings.ts";

export interface TreePlace {
  /** The agent's. */
  id: string;
  /** Where the parent works. */
  cwd: string;
  env: Environment;
  /** Of Tau's own, for all trees. */
  directory: string;
  /** Names the tree there; no other agent's does. */
  name: string;
  settings: TaskSettings;
  /** Where its patch is kept. */
  patchFile: string;
  /** A few words on what it is for. */
  description: string;
}

/** Names in a sentence; the patch has them all. */
const MAX_NAMED = 10;

export class AgentTree {
  readonly #place: TreePlace;
  readonly #parentRoot: string;
  readonly tree: IsolatedTree;
  #isRemoved = false;

  private constructor(place: TreePlace, tree: IsolatedTree, parentRoot: string) {
    this.#place = place;
    this.tree = tree;
    this.#parentRoot = parentRoot;
  }

  /** Throws `IsolationRefused`. */
  static async open(place: TreePlace): Promise<AgentTree> {
    const { cwd, env, directory, name, settings } = place;
    const mode = settings["isolation.mode"];
    const tree = await isolate(
      { cwd, directory, id: name, env },
      { mechanism: mode === "none" ? "auto" : mode },
    );
    const { root } = await parentRepository(cwd, env);
    return new AgentTree(place, tree, root);
  }

  /** Into the parent's tree; what came of it, in words. Nothing throws: the work is kept in any case. */
  async merge(): Promise<string> {
    const { patches, leftOut } = await this.tree.changes();
    const words: string[] = [];
    for (const patch of patches) words.push(await this.#mergeOne(patch));
    if (leftOut.length > 0)
      words.push(`Not merged, because they are too large or new repositories: ${named(leftOut)}.`);
    if (patches.length === 0 && leftOut.length === 0) words.push("It changed no file.");
    return words.join("\n");
  }

  /** What has been changed so far, as a patch on disk; its path, or undefined if nothing was. */
  async keep(): Promise<string | undefined> {
    const { patches } = await this.tree.changes();
    if (patches.length === 0) return undefined;
    for (const patch of patches) await this.#keepOne(patch);
    return this.#place.patchFile;
  }

  /** What it had changed in an earlier tree is there again; false if it does not fit any more. */
  async bringBack(): Promise<boolean> {
    const patch = await read(this.#place.patchFile);
    if (!patch) return true;
    const { directory, env } = this.#place;
    const place = { root: this.tree.root, directory, env };
    const { kind } = await mergePatch(place, { repository: "", patch });
    return kind !== "conflict";
  }

  async remove(): Promise<void> {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    await this.tree.remove();
  }

  async #mergeOne(patch: TreePatch): Promise<string> {
    const where = patch.repository === "" ? "" : ` in ${patch.repository}`;
    try {
      return await this.#tryMerge(patch, where);
    } catch (error) {
      if (!(error instanceof IsolationRefused) && !(error instanceof LockTimeout)) throw error;
      const file = await this.#keepOne(patch);
      return `Its changes${where} were not merged: ${error.message} They are kept as ${file} (git apply takes it).`;
    }
  }

  async #tryMerge(patch: TreePatch, where: string): Promise<string> {
    const { id, directory, env, settings, description } = this.#place;
    const place = { root: this.#parentRoot, directory, env };
    if (settings["isolation.merge"] === "branch") {
      const commit = { id, message: description };
      const merged = await mergeBranch(place, patch, commit);
      if (merged.kind === "nothing") return `Its changes${where} were there already.`;
      if (merged.kind === "committed") {
        return `Its changes${where} were committed as ${merged.commit.slice(0, 12)}: ${named(merged.files)}.`;
      }
      return `Its changes${where} conflict with yours in ${named(merged.files)}: nothing was changed. They are on the branch ${merged.branch}.`;
    }
    const merged = await mergePatch(place, patch);
    if (merged.kind === "nothing") return `Its changes${where} were there already.`;
    if (merged.kind === "applied") {
      return `Its changes${where} are in the working tree, uncommitted: ${named(merged.files)}.`;
    }
    const file = await this.#keepOne(patch);
    return `Its changes${where} conflict with yours in ${named(merged.files)}: nothing was changed. They are kept as ${file} (git apply takes it).`;
  }

  async #keepOne({ repository, patch }: TreePatch): Promise<string> {
    const suffix = repository === "" ? "" : `.${repository.replaceAll("/", "-")}.patch`;
    const file = this.#place.patchFile + suffix;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, patch);
    return file;
  }
}

function named(files: readonly string[]): string {
  const shown = files.slice(0, MAX_NAMED).join(", ");
  const more = files.length - MAX_NAMED;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

async function read(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
