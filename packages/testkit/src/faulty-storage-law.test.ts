// The law of an append-only file, over real kills and over every fault: what was
// acknowledged is on disk, and what is on disk is a prefix of what was written.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import fc from "fast-check";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { planToEnv, type Fault, type FaultPlan } from "./fault-plan.ts";
import { Crashed } from "./fault-state.ts";
import { createFaultyStorage, type FaultyStorage } from "./faulty-storage.ts";
import { createScratchDirectory, type ScratchDirectory } from "./scratch.ts";

const APPEND = { point: "log.append" };
const SYNC = { point: "log.sync" };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function broken(plan: FaultPlan): FaultyStorage {
  return createFaultyStorage(createDiskStorage(), [plan]);
}

// Says on standard output what it was promised: whatever it said must be on disk.
const CHILD = `
  import { writeSync } from "node:fs";
  import { createDiskStorage } from "@tau/host/storage";
  import { planFromEnv } from ${JSON.stringify(join(import.meta.dir, "fault-plan.ts"))};
  import { createFaultyStorage } from ${JSON.stringify(join(import.meta.dir, "faulty-storage.ts"))};
  const storage = createFaultyStorage(createDiskStorage(), planFromEnv(process.env));
  const [, directory] = process.argv;
  const log = await storage.open(directory + "/log", { create: true, point: "log.open" });
  for (const line of ["alpha", "beta", "gamma"]) {
    await log.append(new TextEncoder().encode(line + "\\n"), { point: "log.append" });
    await log.sync({ point: "log.sync" });
    writeSync(1, line + "\\n");
  }
  await storage.replace(directory + "/state", new TextEncoder().encode("new"), { point: "state" });
  writeSync(1, "state\\n");
  writeSync(2, String(storage.writes.length));
`;

async function runChild(dir: ScratchDirectory, plans: FaultPlan[]) {
  const child = Bun.spawn([process.execPath, "-e", CHILD, dir.root], {
    cwd: import.meta.dir,
    env: { PATH: process.env.PATH ?? "", ...planToEnv(plans) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [promised, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  await child.exited;
  return { promised: promised.split("\n").slice(0, -1), errors, signal: child.signalCode };
}

describe("a real process", () => {
  const kills: Fault[] = [
    { kind: "kill" },
    { kind: "kill", bytes: 2 },
    { kind: "kill", when: "after" },
  ];
  test("killed at each of its writes, it leaves all that it promised and nothing out of order", async () => {
    await using whole = await createScratchDirectory();
    const { errors, promised, signal } = await runChild(whole, []);
    expect({ errors, promised, signal }).toEqual({
      errors: "8",
      promised: ["alpha", "beta", "gamma", "state"],
      signal: null,
    });

    const lengths = new Set<number>();
    for (let at = 1; at <= Number(errors); at += 1) {
      for (const fault of kills) {
        await using dir = await createScratchDirectory();
        await dir.write("state", "old");
        const run = await runChild(dir, [{ at, fault }]);
        expect(run.signal).toBe("SIGKILL");
        const log = (await readdir(dir.root)).includes("log") ? await dir.read("log") : "";
        const lines = run.promised.filter((line) => line !== "state");
        expect(log).toStartWith(lines.map((line) => `${line}\n`).join(""));
        expect("alpha\nbeta\ngamma\n").toStartWith(log);
        expect(["old", "new"]).toContain(await dir.read("state"));
        if (run.promised.includes("state")) expect(await dir.read("state")).toBe("new");
        lengths.add(log.length);
      }
    }
    // Empty, whole and torn lines were all seen, so the kills really hit different places.
    expect([...lengths].sort((a, b) => a - b)).toEqual([0, 2, 6, 8, 11, 13, 17]);
  }, 30_000);
});

const entries = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 8 });
const byteCount = fc.nat({ max: 45 });
const anyFault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constant<Fault>({ kind: "fail" }),
  byteCount.map((count): Fault => ({ kind: "enospc", bytes: count })),
  byteCount.map((count): Fault => ({ kind: "tear", bytes: count })),
  fc.constantFrom<Fault>({ kind: "crash-before" }, { kind: "crash-after" }, { kind: "power-loss" }),
);

interface Outcome {
  acknowledged: Uint8Array;
  attempted: Uint8Array;
  onDisk: Uint8Array;
}

async function writeUntilFailure(
  batches: Uint8Array[][],
  plan: FaultPlan,
  acknowledge: "after sync" | "after append",
): Promise<Outcome> {
  await using dir = await createScratchDirectory();
  const storage = broken(plan);
  const acknowledged: Uint8Array[] = [];
  const attempted: Uint8Array[] = [];
  await using log = await createDiskStorage().open(dir.path("log"), { create: true, ...APPEND });
  try {
    await using file = await storage.open(log.path, {});
    for (const batch of batches) {
      attempted.push(...batch);
      // Group commit: all at once, one sync for them together.
      await Promise.all(batch.map((entry) => file.append(entry, APPEND)));
      if (acknowledge === "after append") acknowledged.push(...batch);
      await file.sync(SYNC);
      if (acknowledge === "after sync") acknowledged.push(...batch);
    }
  } catch (error) {
    if (!(error instanceof StorageError || error instanceof Crashed)) throw error;
  }
  const onDisk = await createDiskStorage().read(log.path);
  return {
    acknowledged: Buffer.concat(acknowledged),
    attempted: Buffer.concat(attempted),
    onDisk,
  };
}

function keepsTheLaw({ acknowledged, attempted, onDisk }: Outcome): boolean {
  return (
    onDisk.length >= acknowledged.length &&
    Buffer.compare(onDisk, attempted.subarray(0, onDisk.length)) === 0
  );
}

describe("whatever the fault", () => {
  const plans = fc.record({ at: fc.integer({ min: 1, max: 40 }), fault: anyFault });

  test("what was acknowledged is there, and what is there is a prefix of what was written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entries, { minLength: 1, maxLength: 4 }),
        plans,
        async (batches, plan) => {
          expect(keepsTheLaw(await writeUntilFailure(batches, plan, "after sync"))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  }, 30_000);

  test("the law catches a writer that acknowledges before it syncs", async () => {
    const plan: FaultPlan = { point: "log.sync", at: 2, fault: { kind: "power-loss" } };
    const batches = [[bytes("one")], [bytes("two")]];
    expect(keepsTheLaw(await writeUntilFailure(batches, plan, "after append"))).toBe(false);
    expect(keepsTheLaw(await writeUntilFailure(batches, plan, "after sync"))).toBe(true);
  });

  test("a writer that cuts off a refused entry can go on, and loses none", async () => {
    const refusals = fc.record({
      at: fc.integer({ min: 1, max: 12 }),
      fault: fc.oneof(
        fc.constant<Fault>({ kind: "fail" }),
        byteCount.map((count): Fault => ({ kind: "enospc", bytes: count })),
      ),
      point: fc.constant(APPEND.point),
    });
    await fc.assert(
      fc.asyncProperty(entries, refusals, async (list, plan) => {
        await using dir = await createScratchDirectory();
        await using file = await broken(plan).open(dir.path("log"), {
          create: true,
          point: "log.open",
        });
        const accepted: Uint8Array[] = [];
        for (const entry of list) {
          const before = await file.size();
          try {
            await file.append(entry, APPEND);
            accepted.push(entry);
          } catch (error) {
            expect(error).toBeInstanceOf(StorageError);
            await file.truncate(before, { point: "log.repair" });
          }
        }
        await file.sync(SYNC);
        const onDisk = await createDiskStorage().read(dir.path("log"));
        expect(Buffer.from(onDisk)).toEqual(Buffer.concat(accepted));
        expect(accepted.length).toBe(list.length - (plan.at <= list.length ? 1 : 0));
      }),
      { numRuns: 100 },
    );
  }, 30_000);
});
