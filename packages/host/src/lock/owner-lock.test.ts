// What the lock of one version of Tau means to another. Who is refused and who takes over is
// tested where sessions are locked.

import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { createDiskStorage } from "../storage.ts";
import { LockHeld, OwnerLock } from "./owner-lock.ts";
import { systemProcesses } from "./process-identity.ts";

const processes = systemProcesses();
const points = { lock: { point: "test.lock" }, unlock: { point: "test.unlock" } };

function acquire(path: string): Promise<OwnerLock> {
  const storage = createDiskStorage();
  return OwnerLock.acquire({ storage, path, processes, points, takeover: "gone", now: Date.now });
}

test("a record of an older version counts, with or without what the system tells", async () => {
  await using dir = await createScratchDirectory();
  const path = dir.path("x.lock");
  const { pid, host } = await processes.self();
  const since = "2026-01-02T03:04:05.000Z";
  for (const more of [{}, await processes.self()]) {
    const record = { pid, host, ...more, since, token: crypto.randomUUID() };
    await dir.write("x.lock", `${JSON.stringify(record)}\n`);
    const failure = await acquire(path).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LockHeld);
    expect((failure as LockHeld).owner).toEqual(record);
  }
});

test("a record of ours is what an older version reads", async () => {
  await using dir = await createScratchDirectory();
  const path = dir.path("x.lock");
  const lock = await acquire(path);
  const text = await dir.read("x.lock");
  expect(text).toEndWith("}\n");
  const record = JSON.parse(text) as Record<string, unknown>;
  expect(record).toMatchObject(await processes.self());
  expect(record.since).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(record.token).toMatch(/^[\w-]{36}$/);
  // The claim upon it, by which two that take over know of each other.
  const claim = { ...record, token: crypto.randomUUID() };
  await dir.write(`x.lock.${String(record.token)}`, `${JSON.stringify(claim)}\n`);
  const failure = await acquire(path).catch((error: unknown) => error);
  expect((failure as LockHeld).owner?.token).toBe(claim.token);
  await lock.release();
});
