// One writer: who is refused, who may take over, and that of many only one does.

import { describe, expect, test } from "bun:test";
import type { Takeover } from "@tau/host/lock/owner-lock";
import type { Processes } from "@tau/host/lock/process-identity";
import { createDiskStorage } from "@tau/host/storage";
import type { Fault } from "@tau/testkit/fault-plan";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { SessionLocked } from "../session-log.ts";
import { openSession } from "./open-session.ts";
import { lockPathOf, SessionLock } from "./session-lock.ts";
import { mortalProcess, pretendProcess, rejection, user } from "./test/support.ts";
import { temporarySession } from "./test/temporary-session.ts";

const disk = createDiskStorage();

function acquire(
  sessionPath: string,
  processes: Processes,
  takeover: Takeover = "gone",
  storage = disk,
) {
  return SessionLock.acquire({ storage, sessionPath, processes, takeover, now: Date.now });
}

describe("a lock", () => {
  test("is refused to a second one, who hears who holds it; released, it is free", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    const both = new Set([1, 2]);
    const lock = await acquire(path, pretendProcess(1, both));
    const failure = await rejection(acquire(path, pretendProcess(2, both)));
    expect(failure).toBeInstanceOf(SessionLocked);
    expect(failure).toMatchObject({ holder: { pid: 1, host: "here" } });
    expect(String(failure)).toMatch(
      /in use by process 1 on here since 20.*Close it there, fork it/,
    );
    await lock.release();
    expect(await readdir(dir.root)).toEqual([]);
    const second = await acquire(path, pretendProcess(2, both));
    expect(second.previous).toBeUndefined();
    await lock.release();
    await second.assertHeld();
  });

  test("of one that is gone is taken over, and leaves nothing behind", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    await acquire(path, pretendProcess(1));
    const lock = await acquire(path, pretendProcess(2, new Set([2])));
    expect(lock.previous).toMatchObject({ pid: 1 });
    await lock.assertHeld();
    expect(await readdir(dir.root)).toEqual(["s.jsonl.lock"]);
  });

  test("of another machine is never taken over unasked", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    const far: Processes = { ...pretendProcess(1), self: async () => ({ pid: 1, host: "far" }) };
    const old = await acquire(path, far);
    expect(await rejection(acquire(path, pretendProcess(2)))).toMatchObject({
      holder: { host: "far" },
    });
    const lock = await acquire(path, pretendProcess(2), "force");
    await lock.assertHeld();
    // Whoever was pushed aside notices before it writes.
    expect(await rejection(old.assertHeld())).toBeInstanceOf(SessionLocked);
    await old.release();
    await lock.assertHeld();
  });

  test("that says nothing is waited for, then taken for what a crash left", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    await writeFile(lockPathOf(path), "");
    expect(await rejection(acquire(path, mortalProcess()))).toBeInstanceOf(SessionLocked);
    await utimes(lockPathOf(path), new Date(0), new Date(0));
    await (await acquire(path, mortalProcess())).assertHeld();
  });

  test("that somebody tidied away is had again, unless another was faster", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    const lock = await acquire(path, pretendProcess(1));
    await lock.assertHeld();
    await rm(lockPathOf(path));
    await lock.assertHeld();
    await rm(lockPathOf(path));
    await acquire(path, pretendProcess(2));
    expect(await rejection(lock.assertHeld())).toMatchObject({ holder: { pid: 2 } });
  });

  test("works on a file system without links", async () => {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    const isLink = { kind: "fail", code: "EPERM" } as const;
    const storage = createFaultyStorage(disk, [{ at: 2, fault: isLink }]);
    const alive = new Set([1, 2]);
    await acquire(path, pretendProcess(1, alive), "gone", storage);
    expect(await rejection(acquire(path, pretendProcess(2, alive)))).toBeInstanceOf(SessionLocked);
  });
});

test("of many that race for the lock of one that is gone, exactly one gets it", async () => {
  for (let round = 0; round < 40; round += 1) {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    const racers = Array.from({ length: 6 }, (_, index) => index + 10);
    const alive = new Set(racers);
    if (round % 4 > 0) await acquire(path, pretendProcess(1));
    const outcomes = await Promise.allSettled(
      racers.map(async (pid) => {
        for (let pause = (pid * round) % 7; pause > 0; pause -= 1) await disk.stat(path);
        return acquire(path, pretendProcess(pid, alive));
      }),
    );
    const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
    expect(won).toHaveLength(1);
    await won[0]!.value.assertHeld();
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(SessionLocked);
    }
  }
});

test("a process that dies while taking over is taken over in turn", async () => {
  const faults: Fault[] = [
    { kind: "crash-before" },
    { kind: "crash-after" },
    { kind: "tear", bytes: 9 },
  ];
  for (let at = 1; at <= 6; at += 1) {
    for (const fault of faults) {
      await using dir = await createScratchDirectory();
      const path = dir.path("s.jsonl");
      await acquire(path, pretendProcess(1));
      const dying = createFaultyStorage(disk, [{ at, fault }]);
      await rejection(acquire(path, pretendProcess(2), "gone", dying));
      const alive = new Set([3, 4, 5]);
      const racers = [3, 4, 5].map((pid) => acquire(path, pretendProcess(pid, alive)));
      const outcomes = await Promise.allSettled(racers);
      const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
      expect(won).toHaveLength(1);
      await won[0]!.value.assertHeld();
    }
  }
});

test("a failed take-over does not lock its own process out", async () => {
  for (let at = 1; at <= 8; at += 1) {
    await using dir = await createScratchDirectory();
    const path = dir.path("s.jsonl");
    await acquire(path, pretendProcess(1));
    const self = pretendProcess(2, new Set([2]));
    const storage = createFaultyStorage(disk, [{ at, fault: { kind: "fail" } }]);
    const first = await acquire(path, self, "gone", storage).catch(() => undefined);
    const lock = first ?? (await acquire(path, self, "gone", storage));
    await lock.assertHeld();
  }
});

describe("a session that is open", () => {
  test("cannot be opened for writing by another, but read", async () => {
    await using session = await temporarySession();
    const both = new Set([1, 2]);
    await using log = await session.create({ processes: pretendProcess(1, both) });
    await log.append(user("x"));
    const processes = pretendProcess(2, both);
    expect(await rejection(session.open("write", { processes }))).toMatchObject({
      holder: { pid: 1 },
    });
    await using reading = await session.open("read", { processes });
    expect(reading.leafId).toBe(log.leafId);
  });

  test("is locked under all its names", async () => {
    await using session = await temporarySession();
    const both = new Set([1, 2]);
    await using _log = await session.create({ processes: pretendProcess(1, both) });
    await symlink(session.path, session.dir.path("link.jsonl"));
    const options = { storage: disk, mode: "write", processes: pretendProcess(2, both) } as const;
    const opening = openSession(session.dir.path("link.jsonl"), options);
    expect(await rejection(opening)).toMatchObject({ holder: { pid: 1 } });
  });

  test("and was taken from a dead process says so", async () => {
    await using session = await temporarySession();
    await using _dead = await session.create();
    await using log = await session.open("write");
    expect(log.repairs).toMatchObject([{ kind: "lock_taken" }]);
  });

  test("and pushed aside by force writes nothing any more", async () => {
    await using session = await temporarySession();
    const both = new Set([1, 2]);
    await using log = await session.create({ processes: pretendProcess(1, both) });
    await log.append(user("mine"));
    await using other = await session.open("write", {
      processes: pretendProcess(2, both),
      takeover: "force",
    });
    // Before the other has written anything, only the lock can tell.
    expect(await rejection(log.append(user("late")))).toBeInstanceOf(SessionLocked);
    await other.append(user("theirs"));
    const before = await readFile(session.path);
    expect(await rejection(log.append(user("late")))).toBeInstanceOf(Error);
    expect(await readFile(session.path)).toEqual(before);
    await other.append(user("again"));
  });
});
