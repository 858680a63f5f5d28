// What a disk that refuses costs: the entry, never the session.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { FaultPlan } from "@tau/testkit/fault-plan";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { expectConsistent, rejection, user } from "./test/support.ts";
import { temporarySession } from "./test/temporary-session.ts";

function faulty(...plans: FaultPlan[]) {
  return createFaultyStorage(createDiskStorage(), plans);
}

describe("a refused write", () => {
  test("is named with its next step, takes what waited with it, and leaves no trace", async () => {
    const fault = { kind: "enospc", bytes: 50 } as const;
    await using session = await temporarySession(faulty({ at: 2, point: "session.append", fault }));
    await using log = await session.create();
    const first = await log.append(user("one"));
    const failures = await Promise.all(
      [log.append(user("two")), log.appendAll([user("three"), user("four")])].map(rejection),
    );
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(StorageError);
      expect(String(failure)).toContain("Free some space and try again.");
    }
    expect(log.leafId).toBe(first.id);
    expect(await session.lines()).toHaveLength(2);
    expect((await log.append(user("five"))).parentId).toBe(first.id);
    await expectConsistent(log);
  });

  test("also when it cannot be cut off at once", async () => {
    await using session = await temporarySession(
      faulty(
        { at: 2, point: "session.append", fault: { kind: "enospc", bytes: 50 } },
        { at: 1, point: "session.repair", fault: { kind: "fail" } },
      ),
    );
    await using log = await session.create();
    await log.append(user("one"));
    expect(await rejection(log.append(user("two")))).toMatchObject({ code: "ENOSPC" });
    expect((await session.dir.read("s.jsonl")).endsWith("\n")).toBe(false);
    await log.append(user("three"));
    expect(await session.lines()).toHaveLength(3);
    await expectConsistent(log);
  });

  test("is cut off when the session is closed, if not before", async () => {
    await using session = await temporarySession(
      faulty(
        { at: 2, point: "session.sync", fault: { kind: "fail" } },
        { at: 1, point: "session.repair", fault: { kind: "fail" } },
      ),
    );
    {
      await using log = await session.create();
      await log.append(user("one"));
      expect(await rejection(log.append(user("two")))).toMatchObject({ code: "EIO" });
      expect(await session.lines()).toHaveLength(3);
    }
    expect(await session.lines()).toHaveLength(2);
  });

  test("a sync that failed is not trusted again", async () => {
    const plan: FaultPlan = { at: 2, point: "session.sync", fault: { kind: "fail" } };
    await using session = await temporarySession(faulty(plan));
    await using log = await session.create();
    await log.append(user("one"));
    expect(await rejection(log.append(user("two")))).toMatchObject({
      code: "EIO",
      operation: "sync",
    });
    await log.append(user("three"));
    await expectConsistent(log);
    expect(await session.lines()).toHaveLength(3);
  });
});
