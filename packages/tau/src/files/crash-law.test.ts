// The law of changes to files, at every write and for every way in which a write can break: all
// of the change or none of it, permissions included, and nothing left over.

import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { createDiskStorage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { Fault } from "@tau/testkit/fault-plan";
import { Crashed, type WriteRecord } from "@tau/testkit/fault-state";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { changeFiles, UnfinishedChange } from "./change-files.ts";
import { recoverEdits } from "./recover-edits.ts";
import { afterTree, BEFORE, newFileMode, plantTree, seeTree } from "./test/changed-tree.ts";

const disk = createDiskStorage();

type Ending = "changed" | "refused" | "unfinished" | "crashed";

interface Run {
  ending: Ending;
  writes: readonly WriteRecord[];
}

async function run(
  scratch: ScratchDirectory,
  plans: Parameters<typeof createFaultyStorage>[1],
): Promise<Run> {
  const changes = await plantTree(scratch);
  const storage = createFaultyStorage(disk, plans);
  const options = { agentDirectory: scratch.path("agent"), storage };
  try {
    await changeFiles(changes, options);
    return { ending: "changed", writes: storage.writes };
  } catch (error) {
    if (error instanceof Crashed) return { ending: "crashed", writes: storage.writes };
    if (error instanceof UnfinishedChange) return { ending: "unfinished", writes: storage.writes };
    if (error instanceof StorageError) return { ending: "refused", writes: storage.writes };
    throw error;
  }
}

async function expectLaw(scratch: ScratchDirectory, ending: Ending): Promise<void> {
  const after = afterTree(await newFileMode(scratch));
  const see = () => seeTree(scratch.path("files"));
  const leftover = (name: string) => name.endsWith(".tau-tmp");
  if (ending === "changed" || ending === "refused") {
    // Right at once, but for helpers that could not be removed.
    const tree = await see();
    for (const name of Object.keys(tree)) if (leftover(name.split("/").at(-1)!)) delete tree[name];
    expect(tree).toEqual(ending === "changed" ? after : BEFORE);
  }
  const first = await recoverEdits(scratch.path("agent"));
  const tree = await see();
  const isAfter = tree["a.txt"] === after["a.txt"];
  expect(tree).toEqual(isAfter ? after : BEFORE);
  expect(first.map(({ outcome }) => outcome)).not.toContain("failed");
  expect(first.map(({ outcome }) => outcome)).not.toContain("partly");
  if (ending === "changed") expect(isAfter).toBe(true);
  if (ending === "refused") expect(isAfter).toBe(false);
  expect(await recoverEdits(scratch.path("agent"))).toEqual([]);
  const edits = await readdir(scratch.path("agent/edits")).catch(() => []);
  expect(edits.filter((name) => name !== "lock")).toEqual([]);
}

function faultsFor({ bytes }: WriteRecord): Fault[] {
  const faults: Fault[] = [
    { kind: "fail" },
    { kind: "enospc" },
    { kind: "crash-before" },
    { kind: "crash-after" },
  ];
  return bytes > 1 ? [...faults, { kind: "tear", bytes: bytes >> 1 }] : faults;
}

test("every write, broken in every way, changes all or nothing", async () => {
  await using whole = await createScratchDirectory();
  const { writes, ending } = await run(whole, []);
  expect(ending).toBe("changed");
  await expectLaw(whole, ending);
  expect([...new Set(writes.map(({ point }) => point))].toSorted()).toEqual([
    "edit.backup",
    "edit.clear",
    "edit.directory",
    "edit.done",
    "edit.forget",
    "edit.journal",
    "edit.move",
    "edit.place",
    "edit.stage",
  ]);
  const seen = new Set<Ending>();
  for (const write of writes) {
    for (const fault of faultsFor(write)) {
      await using scratch = await createScratchDirectory();
      const { ending: end } = await run(scratch, [{ at: write.ordinal, fault }]);
      seen.add(end);
      try {
        await expectLaw(scratch, end);
      } catch (cause) {
        throw new Error(`${end} after ${JSON.stringify({ write, fault })}`, { cause });
      }
    }
  }
  expect([...seen].toSorted()).toEqual(["changed", "crashed", "refused"]);
}, 60_000);

test("a disk that fails for good in the middle of the moves is mended by the next start", async () => {
  await using whole = await createScratchDirectory();
  const { writes } = await run(whole, []);
  const moves = writes.filter(({ point }) => point === "edit.move");
  expect(moves.length).toBeGreaterThan(4);
  const endings = [];
  for (const { ordinal } of moves) {
    await using scratch = await createScratchDirectory();
    const { ending } = await run(scratch, [
      { at: ordinal, fault: { kind: "fail" }, repeat: "always" },
    ]);
    endings.push(ending);
    const outcomes = (await recoverEdits(scratch.path("agent"))).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["undone"]);
    await expectLaw(scratch, ending);
  }
  expect(endings).toContain("unfinished");
}, 30_000);

test("a crash while mending is mended in turn", async () => {
  await using whole = await createScratchDirectory();
  const { writes } = await run(whole, []);
  const middle = writes.filter(({ point }) => point === "edit.move")[3]!;
  for (const kind of ["crash-before", "crash-after"] as const) {
    for (let at = 1; ; at += 1) {
      await using scratch = await createScratchDirectory();
      const { ending } = await run(scratch, [
        { at: middle.ordinal, fault: { kind: "crash-after" } },
      ]);
      expect(ending).toBe("crashed");
      const storage = createFaultyStorage(disk, [{ at, fault: { kind } }]);
      const crash = await recoverEdits(scratch.path("agent"), { storage }).catch((error) => error);
      if (!storage.crashed) {
        expect(at).toBeGreaterThan(5);
        break;
      }
      expect(crash).toBeInstanceOf(Crashed);
      await expectLaw(scratch, "crashed");
    }
  }
}, 30_000);
