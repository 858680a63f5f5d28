// How the log behaves towards those who append: order, groups, batches, refusals.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import type { FaultPlan } from "@tau/testkit/fault-plan";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { readdir } from "node:fs/promises";
import type { NewEntry } from "../entry.ts";
import { EntryTooLarge, SessionClosed, SessionReadOnly, UnknownEntry } from "./log-error.ts";
import { createMemorySession } from "./open-session.ts";
import {
  allEntries,
  compaction,
  expectConsistent,
  rejection,
  reply,
  user,
} from "./test/support.ts";
import { temporarySession } from "./test/temporary-session.ts";

function faulty(...plans: FaultPlan[]) {
  return createFaultyStorage(createDiskStorage(), plans);
}

test("a new session is on disk at once, private, with its header first", async () => {
  await using session = await temporarySession();
  // This very process, which is alive.
  const processes = undefined;
  await using log = await session.create({ id: "abc", parentSession: "older", processes });
  expect(log.header).toMatchObject({ id: "abc", cwd: "/work", parentSession: "older", version: 4 });
  expect(log).toMatchObject({ leafId: null, title: undefined, repairs: [], path: session.path });
  const [header] = await session.lines();
  expect(JSON.parse(header!)).toMatchObject({
    ...log.header,
    crc: expect.stringMatching(/^[0-9a-f]{8}$/),
  });
  expect(await rejection(session.create({ processes }))).toMatchObject({
    name: "SessionLocked",
    holder: { pid: process.pid },
  });
  await log.close();
  expect(await rejection(session.create())).toMatchObject({ code: "EEXIST" });
  expect((await readdir(session.dir.root)).sort()).toEqual(["s.jsonl"]);
});

test("a session gets its usual name in a directory", async () => {
  await using session = await temporarySession();
  const place = { directory: session.dir.path("a/b") };
  const now = () => Date.parse("2026-02-16T10:20:30.000Z");
  await using log = await session.create({ place, id: "xyz", now });
  expect(log.path).toBe(session.dir.path("a/b/2026-02-16T10-20-30-000Z_xyz.jsonl"));
});

describe("appending", () => {
  test("makes each entry a child of the one before, in the order of calls", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const entries = await Promise.all(
      Array.from({ length: 50 }, (_, index) => log.append(user(`${index}`))),
    );
    expect(entries.map((entry) => entry.parentId)).toEqual([
      null,
      ...entries.slice(0, -1).map((entry) => entry.id),
    ]);
    expect(log.leafId).toBe(entries.at(-1)!.id);
    expect(await log.branch()).toEqual(entries);
    await expectConsistent(log);
  });

  test("of one moment shares one sync", async () => {
    const storage = faulty();
    await using session = await temporarySession(storage);
    await using log = await session.create();
    const syncs = (): number =>
      storage.writes.filter((write) => write.point === "session.sync").length;
    await Promise.all(Array.from({ length: 20 }, () => log.append(user("x"))));
    expect(syncs()).toBe(1);
    // The first is alone; those that come while it is written share the second.
    const first = log.append(user("y"));
    await Promise.resolve();
    await Promise.resolve();
    const others = Array.from({ length: 20 }, () => log.append(user("z")));
    await Promise.all([first, ...others]);
    expect(syncs()).toBe(3);
  });

  test("tells nobody before it is durable", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const appending = log.append(user("x"));
    expect(log.leafId).toBeNull();
    expect(await log.branch()).toEqual([]);
    const entry = await appending;
    expect(log.leafId).toBe(entry.id);
  });

  test("keeps what was given, even if its giver changes it afterwards", async () => {
    await using session = await temporarySession();
    const given = { type: "custom", customType: "x", data: { list: [1] } } satisfies NewEntry;
    {
      await using log = await session.create();
      const appending = log.append(given);
      given.data.list.push(2);
      await appending;
    }
    await using log = await session.open("read");
    expect(await allEntries(log)).toMatchObject([{ data: { list: [1] } }]);
  });

  test("nothing is nothing", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    expect(await log.appendAll([])).toEqual([]);
    expect(await session.lines()).toHaveLength(1);
  });

  test("what cannot be written changes nothing", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const first = await log.append(user("x"));
    const huge: NewEntry = { type: "custom", customType: "x", data: "x".repeat(64 * 1024 * 1024) };
    const calls = [log.appendAll([user("a"), huge]), log.append(user("b"))];
    expect(await rejection(calls[0]!)).toBeInstanceOf(EntryTooLarge);
    await calls[1];
    expect((await log.branch()).map((entry) => entry.parentId)).toEqual([null, first.id]);
  });
});

describe("the position", () => {
  test("moves, and survives closing", async () => {
    await using session = await temporarySession();
    let first: string;
    {
      await using log = await session.create();
      first = (await log.append(user("one"))).id;
      await log.append(reply("two"));
      await log.moveLeaf(first, "tree");
      expect(log.leafId).toBe(first);
      await log.append({ type: "title", title: "T", source: "user" });
      await log.append({ type: "label", targetId: first, label: "here" });
    }
    {
      await using log = await session.open("write");
      expect(log).toMatchObject({ leafId: first, title: "T" });
      expect(await log.labels()).toEqual(new Map([[first, "here"]]));
      await log.append({ type: "label", targetId: first });
      expect((await log.append(reply("other"))).parentId).toBe(first);
      await log.moveLeaf(null, "root");
    }
    await using log = await session.open("read");
    expect(log.leafId).toBeNull();
    expect(await log.branch()).toEqual([]);
    expect(await log.labels()).toEqual(new Map());
    expect(await log.childrenOf(first)).toHaveLength(2);
    await expectConsistent(log);
  });

  test("appends keep their order behind a move that has to look for its target", async () => {
    await using session = await temporarySession();
    let first: string;
    {
      await using log = await session.create();
      first = (await log.append(user("one"))).id;
      for (let index = 0; index < 5; index += 1) await log.append(reply(`${index}`));
    }
    await using log = await session.open("write", { eagerIndexBytes: 0 });
    const moving = log.moveLeaf(first, "tree");
    const appended = await Promise.all([log.append(user("a")), log.append(user("b"))]);
    await moving;
    expect(appended[0].parentId).toBe(first);
    expect(appended[1].parentId).toBe(appended[0].id);
    await expectConsistent(log);
  });

  test("is never something that is not in the tree", async () => {
    await using session = await temporarySession();
    await using durable = await session.create();
    await using memory = createMemorySession({ cwd: "/" });
    for (const log of [durable, memory]) {
      const first = await log.append(user("x"));
      const title = await log.append({ type: "title", title: "T", source: "auto" });
      for (const id of ["nothing", title.id]) {
        expect(await rejection(log.moveLeaf(id, "x"))).toBeInstanceOf(UnknownEntry);
      }
      expect((await log.append(user("y"))).parentId).toBe(first.id);
    }
  });

  test("since the latest compaction, a branch is what was kept; its state is all of it", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    await log.append({ type: "model_change", model: "a/b", role: "default" });
    await log.append(user("old"));
    await log.append({ type: "custom", customType: "todo", data: 1 });
    const kept = await log.append(user("kept"));
    await log.append(compaction(kept.id));
    await log.append(reply("new"));
    const types = (await log.branch({ sinceCompaction: true })).map((entry) => entry.type);
    expect(types).toEqual(["message", "compaction", "message"]);
    expect((await log.stateEntries()).map((entry) => entry.type)).toEqual([
      "model_change",
      "custom",
    ]);
    await expectConsistent(log);
  });
});

describe("a closed or read-only session", () => {
  test("refuses to be written, with a next step", async () => {
    await using session = await temporarySession();
    const log = await session.create();
    const appending = log.append(user("x"));
    await log.close();
    await appending;
    await log.close();
    expect(await rejection(log.append(user("x")))).toBeInstanceOf(SessionClosed);
    await using reading = await session.open("read");
    expect(await rejection(reading.append(user("x")))).toBeInstanceOf(SessionReadOnly);
    expect(await allEntries(reading)).toHaveLength(1);
    expect(await session.lines()).toHaveLength(2);
  });
});

test("a fork begins with entries of another session, ids and all", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append({ type: "model_change", model: "a/b", role: "default" });
  await log.append(user("one"));
  await log.append({ type: "title", title: "T", source: "auto" });
  await log.append(reply("two"));
  const place = { path: session.dir.path("fork.jsonl") };
  await using fork = await session.create({ place, entries: log.entries() });
  expect(await allEntries(fork)).toEqual(await allEntries(log));
  expect(fork).toMatchObject({ leafId: log.leafId, title: "T" });
  await fork.append(user("three"));
  await expectConsistent(fork);
});

test("a session in memory is the same tree", async () => {
  await using log = createMemorySession({ cwd: "/x", id: "m" });
  expect(log).toMatchObject({ path: undefined, leafId: null, header: { id: "m", cwd: "/x" } });
  const first = await log.append(user("one"));
  await log.appendAll([reply("two"), { type: "title", title: "T", source: "auto" }]);
  await log.moveLeaf(first.id, "tree");
  await log.append(compaction(first.id));
  await expectConsistent(log);
  await log.close();
  expect(await rejection(log.append(user("x")))).toBeInstanceOf(SessionClosed);
});
