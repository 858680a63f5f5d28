// Every operation on whole sessions, broken at every write in every way: there is the old
// state or the new one, what is there is whole, and doing it again does it.

import { expect, test } from "bun:test";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { Fault } from "@tau/testkit/fault-plan";
import { Crashed, type WriteRecord } from "@tau/testkit/fault-state";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { Glob } from "bun";
import { readFile } from "node:fs/promises";
import { openArtifacts } from "../artifacts/open-artifacts.ts";
import { createBlobStore } from "../log/blob-store.ts";
import { createSessionLog, openSession } from "../log/open-session.ts";
import type { SessionSurroundings } from "../log/session-surroundings.ts";
import { allEntries, mortalProcess, reply, result, user } from "../log/test/support.ts";
import { branchSession } from "./branch-session.ts";
import { deleteSession } from "./delete-session.ts";
import { forkSession } from "./fork-session.ts";
import { importSession } from "./import-session.ts";
import { moveSession } from "./move-session.ts";

const disk = createDiskStorage();
const IMAGE = Buffer.alloc(1500, "pixels").toString("base64");

function surroundings(dir: ScratchDirectory, storage: Storage): SessionSurroundings {
  const blobs = createBlobStore(storage, dir.path("agent/blobs"));
  return { storage, blobs, processes: mortalProcess() };
}

interface Prepared {
  path: string;
  replyId: string;
  texts: string[];
}

async function prepare(dir: ScratchDirectory): Promise<Prepared> {
  const place = { path: dir.path("agent/sessions/old/2026-01-01T00-00-00-000Z_s.jsonl") };
  await using log = await createSessionLog({
    ...surroundings(dir, disk),
    place,
    cwd: "/old",
    id: "s-1234",
  });
  await log.append(user("look"));
  const answer = await log.append(reply("a cat", ["a"]));
  await log.append(result("a", "seen", IMAGE));
  await log.append({ type: "label", targetId: answer.id, label: "cat" });
  await openArtifacts(log, disk).write("bash", "the whole output");
  await dir.write("agent/sessions/old/2026-01-01T00-00-00-000Z_s/Anna.jsonl", "a subagent's");
  return { path: place.path, replyId: answer.id, texts: ["look", "a cat", "seen"] };
}

async function sessionsIn(dir: ScratchDirectory): Promise<string[]> {
  const found = await Array.fromAsync(
    new Glob("*/*.jsonl").scan({ cwd: dir.path("agent/sessions"), onlyFiles: true }),
  );
  return found.map((name) => dir.path("agent/sessions", name)).sort();
}

/** What is said in it; it must open without any repair and have its images and artifacts. */
async function textsOf(dir: ScratchDirectory, path: string): Promise<string[]> {
  await using log = await openSession(path, { ...surroundings(dir, disk), mode: "write" });
  const expected = log.repairs.filter((repair) => repair.kind !== "lock_taken");
  expect(expected).toEqual([]);
  const store = openArtifacts(log, disk);
  expect((await store.read("0")).text).toBe("the whole output");
  const messages = (await allEntries(log)).flatMap((entry) =>
    entry.type === "message" ? [entry.message] : [],
  );
  const images = messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === "image" ? [block.data] : [])),
  );
  expect(images.every((data) => data === IMAGE)).toBe(true);
  return messages.flatMap((message) =>
    message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
  );
}

function faultsFor({ bytes }: WriteRecord): Fault[] {
  const faults: Fault[] = [
    { kind: "fail" },
    { kind: "crash-before" },
    { kind: "crash-after" },
    { kind: "power-loss" },
    { kind: "enospc" },
  ];
  return bytes < 2 ? faults : [...faults, { kind: "tear", bytes: bytes >> 1 }];
}

function isExpected(error: unknown): boolean {
  if (error instanceof SuppressedError)
    return isExpected(error.error) && isExpected(error.suppressed);
  return error instanceof Crashed || error instanceof StorageError;
}

type Operation = (
  prepared: Prepared,
  around: SessionSurroundings,
  dir: ScratchDirectory,
) => Promise<unknown>;
type Check = (dir: ScratchDirectory, prepared: Prepared, finished: boolean) => Promise<void>;

/** Returns the points at which it was broken. */
async function everyFault(operation: Operation, check: Check): Promise<string[]> {
  const attempt = async (dir: ScratchDirectory, prepared: Prepared, storage: Storage) => {
    try {
      await operation(prepared, surroundings(dir, storage), dir);
      return true;
    } catch (error) {
      if (!isExpected(error)) throw error;
      return false;
    }
  };
  await using whole = await createScratchDirectory();
  const clean = createFaultyStorage(disk);
  const first = await prepare(whole);
  expect(await attempt(whole, first, clean)).toBe(true);
  await check(whole, first, true);
  for (const write of clean.writes) {
    for (const fault of faultsFor(write)) {
      await using dir = await createScratchDirectory();
      const prepared = await prepare(dir);
      const storage = createFaultyStorage(disk, [{ at: write.ordinal, fault }]);
      const finished = await attempt(dir, prepared, storage);
      try {
        await check(dir, prepared, finished);
      } catch (cause) {
        throw new Error(`${fault.kind} at ${JSON.stringify({ write, fault })}`, { cause });
      }
    }
  }
  return [...new Set(clean.writes.map((write) => write.point))].sort();
}

/** The source and at most one more, which is what it should be. */
function copyCheck(texts: (prepared: Prepared) => string[]): Check {
  return async (dir, prepared, finished) => {
    expect(await textsOf(dir, prepared.path)).toEqual(prepared.texts);
    const copies = (await sessionsIn(dir)).filter((path) => path !== prepared.path);
    expect(copies.length).toBeLessThanOrEqual(1);
    if (finished) expect(copies.length).toBe(1);
    for (const path of copies) expect(await textsOf(dir, path)).toEqual(texts(prepared));
  };
}

test("fork: the original untouched, and a whole copy or none", async () => {
  const points = await everyFault(
    async ({ path }, around, dir) => {
      const target = { directory: dir.path("agent/sessions/new"), cwd: "/new" };
      await (await forkSession({ path }, target, around)).log.close();
    },
    copyCheck(({ texts }) => texts),
  );
  expect(points).toEqual([
    "artifact.copy",
    "artifact.copy-directory",
    "artifact.link",
    "session.create",
    "session.directory",
    "session.lock",
    "session.unlock",
  ]);
}, 60_000);

test("branch: the original untouched, and the whole way or none", async () => {
  await everyFault(
    async ({ path, replyId }, around, dir) => {
      const target = { directory: dir.path("agent/sessions/new") };
      await (await branchSession({ path }, replyId, target, around)).log.close();
    },
    copyCheck(({ texts }) => texts.slice(0, 2)),
  );
}, 60_000);

test("import: the original untouched, and a whole session or none", async () => {
  await everyFault(
    async ({ path }, around, dir) => {
      const target = {
        sessionsDirectory: dir.path("agent/sessions"),
        directory: dir.path("agent/sessions/new"),
        cwd: "/new",
        identity: "new",
      } as const;
      await importSession(path, target, around);
    },
    copyCheck(({ texts }) => texts),
  );
}, 60_000);

test("move: one session at every moment, and moving again finishes it", async () => {
  const move: Operation = ({ path }, around, dir) =>
    moveSession(path, { directory: dir.path("agent/sessions/new"), cwd: "/new" }, around);
  const points = await everyFault(move, async (dir, prepared, finished) => {
    const found = await sessionsIn(dir);
    expect(found).toHaveLength(1);
    expect(await textsOf(dir, found[0]!)).toEqual(prepared.texts);
    if (finished) expect(found[0]).toContain("/new/");
    await move({ ...prepared, path: found[0]! }, surroundings(dir, disk), dir);
    const [after] = await sessionsIn(dir);
    expect(after).toContain("/new/");
    expect(await textsOf(dir, after!)).toEqual(prepared.texts);
    await using log = await openSession(after!, { ...surroundings(dir, disk), mode: "read" });
    expect(log.header).toMatchObject({ cwd: "/new", id: "s-1234" });
    const beside = after!.replace(".jsonl", "/Anna.jsonl");
    expect(await readFile(beside, "utf8")).toBe("a subagent's");
  });
  expect(points).toEqual(expect.arrayContaining(["session.rewrite", "session.move"]));
}, 120_000);

test("delete: all of it is there, or there is no such session", async () => {
  const remove: Operation = ({ path }, around) => deleteSession(path, around);
  await everyFault(remove, async (dir, prepared, finished) => {
    const found = await sessionsIn(dir);
    if (finished) expect(found).toEqual([]);
    for (const path of found) {
      expect(await textsOf(dir, path)).toEqual(prepared.texts);
      await remove({ ...prepared, path }, surroundings(dir, disk), dir);
      expect(await sessionsIn(dir)).toEqual([]);
    }
  });
}, 60_000);
