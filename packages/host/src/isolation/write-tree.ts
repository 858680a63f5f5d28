// Brings the parent's working tree from one state to another: git looks at all that would change before it touches
// anything, and refuses if one of the files is not what it was taken for. What it has begun it finishes, even if Tau is
// killed; if the machine is, the record says from where to where, and `undoHalf` brings back what was.

import { chmod, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../walk/byte-path.ts";
import { entryAt, pathsInTheWay } from "./in-the-way.ts";
import type { MergeRoom } from "./merge-room.ts";
import { entriesOf, listOf } from "./nul-list.ts";
import { GitFailed, type OwnGit } from "./own-git.ts";
import { changedFiles } from "./tree-changes.ts";
import { writeRecord } from "./tree-record.ts";

export type Written =
  | { kind: "written"; files: string[] }
  /** Somebody has changed a file meanwhile, or one that git ignores is in the way. */
  | { kind: "refused"; files: string[] };

export async function writeTree(room: MergeRoom, after: string): Promise<Written> {
  const { directory, git, parent, now } = room;
  const { tree: before, index } = now;
  const { root } = parent;
  const files = await changedFiles(git, before, after);
  if (files.length === 0) return { kind: "written", files };
  const blocked = await blockedFiles(room, files);
  if (blocked.length > 0) return { kind: "refused", files: blocked };
  const modes = await modesOf(root, files);
  await writeRecord(directory, { kind: "merge", parent: root, before, after });
  try {
    const run = { workTree: root, index, isFinished: true };
    await git.run(["read-tree", "-m", "-u", before, after], run);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    await undoHalf(git, { root, before, after });
    return { kind: "refused", files };
  }
  await keepModes(root, modes);
  return { kind: "written", files };
}

/** Those that a sparse checkout leaves out, and those where a file is that git does not know. */
async function blockedFiles(
  { git, parent, now }: MergeRoom,
  files: readonly string[],
): Promise<string[]> {
  const { output } = await git.run(["ls-files", "-z", "-t"], { index: now.index });
  const hidden = new Set<string>();
  const known = new Set<string>();
  for (const line of entriesOf(output)) {
    known.add(line.slice(2));
    if (line.startsWith("S ")) hidden.add(line.slice(2));
  }
  const added = files.filter((path) => !known.has(path));
  const unknown = await pathsInTheWay(parent.root, added, known);
  return [...files.filter((path) => hidden.has(path)), ...unknown];
}

const EXECUTABLE = 0o111;
const RIGHTS = 0o7777;

/** Git knows one right only; a file that others could not read stays so. */
async function modesOf(root: string, files: readonly string[]): Promise<Map<string, number>> {
  const modes = new Map<string, number>();
  for (const path of files) {
    const entry = await entryAt(join(root, path));
    if (entry?.isFile()) modes.set(path, entry.mode & RIGHTS);
  }
  return modes;
}

async function keepModes(root: string, modes: ReadonlyMap<string, number>): Promise<void> {
  for (const [path, old] of modes) {
    const entry = await entryAt(join(root, path));
    if (!entry?.isFile()) continue;
    const mode = entry.mode & RIGHTS;
    const executable = (mode & EXECUTABLE) === 0 ? 0 : old & EXECUTABLE || (old & 0o444) >> 2;
    const kept = (old & ~EXECUTABLE) | executable;
    if (kept !== mode) await chmod(onDisk(join(root, path)), kept);
  }
}

export interface HalfWritten {
  root: string;
  before: string;
  after: string;
}

/** If some files are as they were and some as they were to be, all become as they were. Whether there was anything to undo. */
export async function undoHalf(
  git: OwnGit,
  { root, before, after }: HalfWritten,
): Promise<boolean> {
  const changes = await rawChanges(git, before, after);
  const states = await Promise.all(changes.map((change) => stateOf(git, root, change)));
  const isTouched = states.some((state) => state === "after" || state === "torn");
  const isDone = states.every((state) => state === "after" || state === "foreign");
  if (!isTouched || isDone) return false;
  const mine = changes.filter((_, at) => states[at] === "after" || states[at] === "torn");
  for (const { path } of mine) await rm(onDisk(join(root, path)), { force: true });
  const index = join(git.directory, `undo-${crypto.randomUUID()}`);
  await git.run(["read-tree", before], { index });
  const restored = mine.filter((change) => change.before !== undefined).map(({ path }) => path);
  await git.run(["checkout-index", "--force", "--quiet", "-z", "--stdin"], {
    index,
    workTree: root,
    input: listOf(restored),
    isFinished: true,
  });
  return true;
}

interface RawChange {
  path: string;
  /** Objects; undefined if there is none on that side. */
  before: string | undefined;
  after: string | undefined;
}

async function rawChanges(git: OwnGit, before: string, after: string): Promise<RawChange[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", before, after];
  const words = entriesOf((await git.run(args)).output);
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, , one = "", other = ""] = words[at]!.split(" ");
    const objectOf = (name: string) => (/^0+$/.test(name) ? undefined : name);
    changes.push({ path: words[at + 1]!, before: objectOf(one), after: objectOf(other) });
  }
  return changes;
}

/** `torn`: begun, or only removed yet. `foreign`: somebody else's by now. */
async function stateOf(
  git: OwnGit,
  root: string,
  { path, before, after }: RawChange,
): Promise<"before" | "after" | "torn" | "foreign"> {
  const content = await contentOf(join(root, path));
  const [old, wanted] = await Promise.all([blob(git, before), blob(git, after)]);
  if (same(content, old)) return "before";
  if (same(content, wanted)) return "after";
  if (content === undefined) return "torn";
  const isBeginning = wanted?.subarray(0, content.length).equals(content) === true;
  return isBeginning ? "torn" : "foreign";
}

function same(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

async function blob(git: OwnGit, name: string | undefined): Promise<Buffer | undefined> {
  return name === undefined ? undefined : (await git.run(["cat-file", "blob", name])).output;
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  const entry = await entryAt(path);
  if (entry?.isFile()) return readFile(onDisk(path));
  if (entry?.isSymbolicLink()) {
    return Buffer.from(await readlink(onDisk(path), { encoding: "buffer" }));
  }
  return undefined;
}
