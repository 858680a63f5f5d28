// One at a time, within a process and among processes; and what becomes of those who wait.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { StorageError } from "../storage-error.ts";
import { LockTimeout, withFileLock } from "./file-lock.ts";

const OTHER = join(import.meta.dir, "test/locking-process.fixture.ts");

async function holding(file: string) {
  const child = Bun.spawn([process.execPath, OTHER, "hold", file], { stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("held\n");
  return child;
}

test("what many read and write at once is counted once each", async () => {
  await using dir = await createScratchDirectory();
  const file = await dir.write("number", "0");
  const others = [1, 2, 3].map(() => Bun.spawn([process.execPath, OTHER, "count", file, "20"]));
  const own = Array.from({ length: 20 }, () =>
    withFileLock(file, async () => {
      const number = Number(await readFile(file, "utf8"));
      await Bun.sleep(1);
      await writeFile(file, String(number + 1));
    }),
  );
  await Promise.all([...own, ...others.map((child) => child.exited)]);
  expect(await dir.read("number")).toBe("80");
});

test("whoever waits gives up in time, or when it is stopped; the dead hold nothing", async () => {
  await using dir = await createScratchDirectory();
  const file = dir.path("x");
  const child = await holding(file);
  const nothing = async (): Promise<void> => {};
  await expect(withFileLock(file, nothing, { waitMs: 60 })).rejects.toBeInstanceOf(LockTimeout);
  const stopped = withFileLock(file, nothing, { signal: AbortSignal.timeout(60) });
  await expect(stopped).rejects.toMatchObject({ name: "TimeoutError" });
  const waiting = withFileLock(file, async () => "mine");
  child.kill("SIGKILL");
  expect(await waiting).toBe("mine");
});

test("one of this process that waits behind a long one gives up in time, too", async () => {
  await using dir = await createScratchDirectory();
  const file = dir.path("x");
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = withFileLock(file, () => promise);
  const short = withFileLock(file, async () => {}, { waitMs: 30 });
  await expect(short).rejects.toBeInstanceOf(LockTimeout);
  resolve();
  await long;
  expect(await withFileLock(file, async () => "mine")).toBe("mine");
});

test("it is a lock of SQLite's on the file, as all versions of Tau take it", async () => {
  await using dir = await createScratchDirectory();
  const file = dir.path("x");
  using older = new Database(`${file}.lock`, { create: true });
  older.run("PRAGMA busy_timeout = 0");
  older.run("BEGIN IMMEDIATE");
  const refused = withFileLock(file, async () => {}, { waitMs: 60 });
  await expect(refused).rejects.toBeInstanceOf(LockTimeout);
  older.run("ROLLBACK");
  await withFileLock(file, async () => {
    expect(() => older.run("BEGIN IMMEDIATE")).toThrow("locked");
  });
});

test("a place where nothing can be made is a failure of the storage", async () => {
  await using dir = await createScratchDirectory();
  const nowhere = withFileLock(dir.path("no/such/directory/x"), async () => {});
  await expect(nowhere).rejects.toBeInstanceOf(StorageError);
});
