import { describe, expect, test } from "bun:test";
import { isTemporaryName } from "@tau/host/replace-file";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { readdir } from "node:fs/promises";
import {
  FaultPlanError,
  planFromEnv,
  planToEnv,
  type Fault,
  type FaultPlan,
} from "./fault-plan.ts";
import { Crashed } from "./fault-state.ts";
import { createFaultyStorage, type FaultyStorage } from "./faulty-storage.ts";
import { createScratchDirectory, type ScratchDirectory } from "./scratch.ts";

const APPEND = { point: "log.append" };
const SYNC = { point: "log.sync" };
const STATE = { point: "state.replace" };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function broken(plan: FaultPlan): FaultyStorage {
  return createFaultyStorage(createDiskStorage(), [plan]);
}

// Two lines, each synced, then a state file.
async function scenario(storage: Storage, dir: ScratchDirectory): Promise<void> {
  await using log = await storage.open(dir.path("log"), { create: true, point: "log.open" });
  for (const line of ["first\n", "second\n"]) {
    await log.append(bytes(line), APPEND);
    await log.sync(SYNC);
  }
  await storage.replace(dir.path("state"), bytes("{}"), STATE);
}

describe("without a plan", () => {
  test("everything happens, and every write is on record", async () => {
    await using dir = await createScratchDirectory();
    const storage = createFaultyStorage(createDiskStorage());
    await scenario(storage, dir);
    expect(await dir.read("log")).toBe("first\nsecond\n");
    expect(await dir.read("state")).toBe("{}");
    const log = dir.path("log");
    expect(storage.writes).toEqual([
      { ordinal: 1, point: "log.open", pointOrdinal: 1, operation: "open", path: log, bytes: 0 },
      {
        ordinal: 2,
        point: "log.append",
        pointOrdinal: 1,
        operation: "append",
        path: log,
        bytes: 6,
      },
      { ordinal: 3, point: "log.sync", pointOrdinal: 1, operation: "sync", path: log, bytes: 0 },
      {
        ordinal: 4,
        point: "log.append",
        pointOrdinal: 2,
        operation: "append",
        path: log,
        bytes: 7,
      },
      { ordinal: 5, point: "log.sync", pointOrdinal: 2, operation: "sync", path: log, bytes: 0 },
      {
        ordinal: 6,
        point: STATE.point,
        pointOrdinal: 1,
        operation: "replace",
        path: dir.path("state"),
        bytes: 2,
      },
    ]);
    expect(storage.crashed).toBe(false);
  });

  test("every kind of change counts, and no kind of looking", async () => {
    await using dir = await createScratchDirectory();
    const storage = createFaultyStorage(createDiskStorage());
    const point = { point: "p" };
    await storage.makeDirectory(dir.path("sub"), point);
    await storage.createExclusive(dir.path("sub/a"), bytes("abc"), point);
    await storage.link(dir.path("sub/a"), dir.path("sub/b"), point);
    await storage.rename(dir.path("sub/b"), dir.path("sub/c"), point);
    await storage.remove(dir.path("sub/c"), point);
    await using file = await storage.open(dir.path("sub/a"), {});
    await file.truncate(1, point);
    expect(await file.size()).toBe(1);
    expect(new TextDecoder().decode(await storage.read(dir.path("sub/a")))).toBe("a");
    expect(await storage.list(dir.path("sub"))).toEqual([{ name: "a", kind: "file" }]);
    expect((await storage.stat(dir.path("sub/a")))?.size).toBe(1);
    const operations = storage.writes.map((write) => write.operation);
    expect(operations).toEqual([
      "make directory",
      "create",
      "link",
      "rename",
      "remove",
      "truncate",
    ]);
  });
});

describe("faults", () => {
  test("fail rejects once, writes nothing, and the run goes on", async () => {
    await using dir = await createScratchDirectory();
    const storage = broken({ point: "log.append", at: 2, fault: { kind: "fail" } });
    const failure = await rejection(scenario(storage, dir));
    expect(failure).toBeInstanceOf(StorageError);
    expect(failure).toMatchObject({ code: "EIO", operation: "append", path: dir.path("log") });
    expect(await dir.read("log")).toBe("first\n");
    await scenario(storage, dir);
    expect(await dir.read("log")).toBe("first\nfirst\nsecond\n");
  });

  test("enospc leaves a prefix, says so, and a disk that stays full takes nothing more", async () => {
    await using dir = await createScratchDirectory();
    const fault: Fault = { kind: "enospc", bytes: 3 };
    const storage = broken({ at: 4, fault, repeat: "always" });
    expect(await rejection(scenario(storage, dir))).toMatchObject({ code: "ENOSPC", written: 3 });
    expect(await dir.read("log")).toBe("first\nsec");
    await using log = await storage.open(dir.path("log"), {});
    await log.truncate(6, { point: "log.repair" });
    await log.sync(SYNC);
    expect(await rejection(log.append(bytes("x"), APPEND))).toMatchObject({
      code: "ENOSPC",
      written: 0,
    });
    expect(await rejection(storage.replace(dir.path("state"), bytes("{}"), STATE))).toMatchObject({
      code: "ENOSPC",
    });
    expect(await readdir(dir.root)).toEqual(["log"]);
    expect(await dir.read("log")).toBe("first\n");
  });

  test("a sync that failed is not made good by the next one", async () => {
    await using dir = await createScratchDirectory();
    const storage = broken({ point: "log.sync", at: 1, fault: { kind: "fail" } });
    await using log = await storage.open(dir.path("log"), { create: true, point: "log.open" });
    expect(await rejection(log.sync(SYNC))).toMatchObject({ code: "EIO" });
    expect(await rejection(log.sync(SYNC))).toMatchObject({ code: "EIO" });
    expect(await rejection(log.append(bytes("x"), APPEND))).toMatchObject({ code: "EIO" });
  });

  test("a torn write leaves its first bytes and ends everything", async () => {
    await using dir = await createScratchDirectory();
    const storage = broken({ at: 4, fault: { kind: "tear", bytes: 3 } });
    expect(await rejection(scenario(storage, dir))).toBeInstanceOf(Crashed);
    expect(await dir.read("log")).toBe("first\nsec");
    expect(storage.crashed).toBe(true);
    const later = [
      storage.read(dir.path("log")),
      storage.stat(dir.path("log")),
      storage.list(dir.root),
      storage.open(dir.path("log"), {}),
      storage.remove(dir.path("log"), { point: "p" }),
      storage.replace(dir.path("state"), bytes("{}"), STATE),
    ];
    for (const call of later) expect(await rejection(call)).toBeInstanceOf(Crashed);
    expect(storage.writes).toHaveLength(4);
    expect(await readdir(dir.root)).toEqual(["log"]);
  });

  test("a torn replacement leaves the old file and a temporary one", async () => {
    await using dir = await createScratchDirectory();
    await dir.write("state", "old");
    const storage = broken({ at: 1, fault: { kind: "tear", bytes: 2 } });
    const call = storage.replace(dir.path("state"), bytes("newer"), STATE);
    expect(await rejection(call)).toBeInstanceOf(Crashed);
    expect(await dir.read("state")).toBe("old");
    const left = (await readdir(dir.root)).filter(isTemporaryName);
    expect(left).toHaveLength(1);
    expect(await dir.read(left[0] ?? "")).toBe("ne");
  });

  test("crash-before and crash-after differ in what is on disk, not in what is heard", async () => {
    for (const [kind, expected] of [
      ["crash-before", "first\n"],
      ["crash-after", "first\nsecond\n"],
    ] as const) {
      await using dir = await createScratchDirectory();
      const storage = broken({ point: "log.append", at: 2, fault: { kind } });
      expect(await rejection(scenario(storage, dir))).toBeInstanceOf(Crashed);
      expect(await dir.read("log")).toBe(expected);
    }
  });

  test("a crash silences what is under way on other files", async () => {
    await using dir = await createScratchDirectory();
    const storage = broken({ point: "b", at: 2, fault: { kind: "crash-before" } });
    await using a = await storage.open(dir.path("a"), { create: true, point: "a" });
    await using b = await storage.open(dir.path("b"), { create: true, point: "b" });
    const calls = [a.append(bytes("a"), { point: "a" }), b.append(bytes("b"), { point: "b" })];
    for (const outcome of await Promise.all(calls.map(rejection))) {
      expect(outcome).toBeInstanceOf(Crashed);
    }
    expect(await dir.read("b")).toBe("");
  });

  test("appends that wait behind a refused one are refused too, until the file is cut", async () => {
    await using dir = await createScratchDirectory();
    const storage = broken({ ...APPEND, at: 1, fault: { kind: "enospc", bytes: 2 } });
    await using log = await storage.open(dir.path("log"), { create: true, point: "log.open" });
    const calls = ["one", "two"].map((line) => rejection(log.append(bytes(line), APPEND)));
    expect(await Promise.all(calls)).toMatchObject([{ written: 2 }, { written: 0 }]);
    await log.truncate(0, { point: "log.repair" });
    await log.append(bytes("three"), APPEND);
    expect(await dir.read("log")).toBe("three");
  });
});

describe("a plan in the environment", () => {
  test("survives the way there and back", () => {
    const plans: FaultPlan[] = [
      { at: 3, fault: { kind: "kill", bytes: 2 } },
      { at: 1, point: "p", fault: { kind: "enospc" }, repeat: "always" },
    ];
    expect(planFromEnv(planToEnv(plans))).toEqual(plans);
    expect(planFromEnv({})).toEqual([]);
  });

  test.each([
    "{",
    "3",
    '{"at":0,"fault":{"kind":"fail"}}',
    '{"at":1}',
    '{"at":1,"fault":{"kind":"explode"}}',
    '{"at":1,"fault":{"kind":"tear"}}',
    '{"at":1,"fault":{"kind":"kill","bytes":-1}}',
    '{"at":1,"fault":{"kind":"kill","when":"later"}}',
    '{"at":1,"fault":{"kind":"fail"},"repeat":"twice"}',
    '{"at":1,"fault":{"kind":"fail"},"point":7}',
  ])("%s is refused", (text) => {
    expect(() => planFromEnv({ TAU_TEST_FAULT_PLAN: text })).toThrow(FaultPlanError);
  });
});
