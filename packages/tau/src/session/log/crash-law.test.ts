// The law of the log, at every write of a whole session and for every way in which a write
// can break: what was acknowledged is there again, in full and in order; of what was under
// way there is all or nothing; the log says what it repaired, and goes on.

import { expect, test } from "bun:test";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { Fault, FaultPlan } from "@tau/testkit/fault-plan";
import { Crashed, type WriteRecord } from "@tau/testkit/fault-state";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import type { SessionEntry } from "../entry.ts";
import { NotASession, type SessionLog } from "../session-log.ts";
import { createBlobStore } from "./blob-store.ts";
import { createSessionLog, openSession } from "./open-session.ts";
import { runScript, type Promised } from "./test/scripted-session.ts";
import { allEntries, expectConsistent, mortalProcess, user } from "./test/support.ts";

const disk = createDiskStorage();

function surroundings(dir: ScratchDirectory, storage: Storage) {
  const blobs = createBlobStore(storage, dir.path("blobs"));
  return { storage, blobs, processes: mortalProcess() };
}

interface Outcome extends Promised {
  writes: readonly WriteRecord[];
  /** Whether the session came into being, as far as its maker heard. */
  created: boolean;
  crashed: boolean;
}

async function run(dir: ScratchDirectory, plans: FaultPlan[]): Promise<Outcome> {
  const storage = createFaultyStorage(disk, plans);
  const promised: Promised = { acknowledged: [], inFlight: [], refused: 0 };
  let created = false;
  try {
    const place = { path: dir.path("sessions/s.jsonl") };
    await using log = await createSessionLog({
      ...surroundings(dir, storage),
      place,
      cwd: "/work",
    });
    created = true;
    await runScript(log, promised);
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
  return { ...promised, writes: storage.writes, created, crashed: storage.crashed };
}

/** A process that crashed cannot close its session either; both failures come as one. */
function isExpected(error: unknown): boolean {
  if (error instanceof SuppressedError) {
    return isExpected(error.error) && isExpected(error.suppressed);
  }
  return error instanceof Crashed || error instanceof StorageError;
}

function plain(entries: readonly SessionEntry[]): unknown[] {
  return entries.map(
    ({ id: _id, parentId: _parent, timestamp: _time, aside: _aside, ...rest }) => rest,
  );
}

async function expectPromises(log: SessionLog, outcome: Outcome): Promise<void> {
  const { acknowledged, inFlight, crashed } = outcome;
  const found = await allEntries(log);
  expect(found.slice(0, acknowledged.length)).toEqual(acknowledged);
  const more = plain(found.slice(acknowledged.length));
  if (more.length > 0) expect({ more, crashed }).toEqual({ more: [...inFlight], crashed: true });
  await expectConsistent(log);
}

/** Opens what is left, compares it, goes on with it, and opens it again. */
async function expectRecovery(dir: ScratchDirectory, outcome: Outcome): Promise<void> {
  const path = dir.path("sessions/s.jsonl");
  const before = await disk.stat(path);
  if (before === undefined || before.size === 0) {
    expect(outcome.created).toBe(false);
    return;
  }
  let log: SessionLog;
  try {
    log = await openSession(path, { ...surroundings(dir, disk), mode: "write" });
  } catch (error) {
    // A header that was torn while it was created: nobody was promised anything.
    expect({ error, created: outcome.created }).toEqual({
      error: expect.any(NotASession),
      created: false,
    });
    expect(await disk.stat(path)).toEqual(before);
    return;
  }
  {
    await using open = log;
    await expectPromises(open, outcome);
    const after = (await disk.stat(path))!.size;
    const cut = open.repairs.filter((repair) => repair.kind === "torn_tail");
    expect(cut.reduce((sum, repair) => sum + (repair.bytes || -1), 0)).toBe(before.size - after);
    expect(open.repairs.filter((repair) => repair.kind === "bad_line")).toEqual([]);
    await open.append(user("after"));
  }
  await using again = await openSession(path, { ...surroundings(dir, disk), mode: "write" });
  const entries = await allEntries(again);
  expect(plain(entries).at(-1)).toEqual(user("after"));
  expect(again.repairs).toEqual([]);
  await expectConsistent(again);
}

/** Cuts at the beginning, within and at the very end of what is written. */
function faultsFor(write: WriteRecord): Fault[] {
  const faults: Fault[] = [
    { kind: "fail" },
    { kind: "crash-before" },
    { kind: "crash-after" },
    { kind: "power-loss" },
    { kind: "enospc" },
  ];
  if (write.bytes === 0) return faults;
  const { bytes } = write;
  const cuts = new Set([1, 17, bytes >> 1, bytes - 19, bytes - 2, bytes - 1]);
  for (const cut of cuts) {
    if (cut > 0 && cut < bytes) faults.push({ kind: "tear", bytes: cut });
  }
  return [...faults, { kind: "enospc", bytes: bytes >> 1 }, { kind: "enospc", bytes: bytes - 1 }];
}

test("a whole session has thirty entries and needs no repair", async () => {
  await using dir = await createScratchDirectory();
  const outcome = await run(dir, []);
  expect(outcome).toMatchObject({ created: true, crashed: false, refused: 0 });
  expect(outcome.acknowledged.length).toBe(30);
  await expectRecovery(dir, outcome);
});

test("every write, broken in every way, keeps the promises", async () => {
  await using whole = await createScratchDirectory();
  const { writes } = await run(whole, []);
  const points = new Set(writes.map((write) => write.point));
  expect([...points].sort()).toEqual([
    "blob.directory",
    "blob.write",
    "session.append",
    "session.create",
    "session.directory",
    "session.lock",
    "session.sync",
    "session.unlock",
  ]);
  for (const write of writes) {
    for (const fault of faultsFor(write)) {
      await using dir = await createScratchDirectory();
      const outcome = await run(dir, [{ at: write.ordinal, fault }]);
      try {
        await expectRecovery(dir, outcome);
      } catch (cause) {
        throw new Error(`${fault.kind} at ${JSON.stringify({ write, fault })}`, { cause });
      }
    }
  }
}, 60_000);

test("a disk that stays full refuses every append and loses none", async () => {
  for (const at of [12, 13, 20]) {
    await using dir = await createScratchDirectory();
    const fault: Fault = { kind: "enospc", bytes: 40 };
    const outcome = await run(dir, [{ at, fault, repeat: "always" }]);
    expect(outcome.refused).toBeGreaterThan(5);
    await expectRecovery(dir, outcome);
  }
});

test("a crash while repairing is repaired in turn", async () => {
  await using whole = await createScratchDirectory();
  const { writes } = await run(whole, []);
  const torn = writes.filter((write) => write.point === "session.append").at(5)!;
  for (const kind of ["crash-before", "crash-after", "power-loss"] as const) {
    for (const at of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await using dir = await createScratchDirectory();
      const outcome = await run(dir, [{ at: torn.ordinal, fault: { kind: "tear", bytes: 20 } }]);
      const faulty = createFaultyStorage(disk, [{ at, fault: { kind } }]);
      const path = dir.path("sessions/s.jsonl");
      try {
        const log = await openSession(path, { ...surroundings(dir, faulty), mode: "write" });
        await log.close();
      } catch (error) {
        if (!isExpected(error)) throw error;
      }
      await expectRecovery(dir, outcome);
    }
  }
});
