// A file that is removed, moved, replaced or changed while its session is open.

import { expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { readdir, readFile, rename, rm, truncate, writeFile, appendFile } from "node:fs/promises";
import { SessionRescued } from "./log-error.ts";
import { openSession } from "./open-session.ts";
import { allEntries, expectConsistent, mortalProcess, rejection, user } from "./test/support.ts";
import { temporarySession } from "./test/temporary-session.ts";

const disk = createDiskStorage();

test("a file that was removed is written again before the next append is acknowledged", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append(user("one"));
  const before = await readFile(session.path);
  await rm(session.path);
  const second = await log.append(user("two"));
  expect(log.path).toBe(session.path);
  expect(log.repairs).toMatchObject([{ kind: "recreated", bytes: before.length }]);
  expect(log.repairs[0]!.message).toContain("was removed while in use");
  await log.append(user("three"));
  expect(log.repairs).toHaveLength(1);
  await expectConsistent(log);
  await log.close();
  await using again = await session.open("write");
  expect((await allEntries(again))[1]).toEqual(second);
  expect(again.repairs).toEqual([]);
  expect(await readdir(session.dir.root)).toEqual(["s.jsonl", "s.jsonl.lock"]);
});

test("also when its directory is gone, or it was only moved", async () => {
  await using session = await temporarySession();
  const place = { path: session.dir.path("deep/er/s.jsonl") };
  await using log = await session.create({ place });
  await log.append(user("one"));
  await rm(session.dir.path("deep"), { recursive: true });
  await log.append(user("two"));
  await rename(place.path, session.dir.path("moved.jsonl"));
  await log.append(user("three"));
  expect(log.repairs.map((repair) => repair.kind)).toEqual(["recreated", "recreated"]);
  await expectConsistent(log);
  expect(await allEntries(log)).toHaveLength(3);
  expect((await readFile(session.dir.path("moved.jsonl"), "utf8")).trim().split("\n")).toHaveLength(
    3,
  );
});

test("a file that was replaced keeps its name; the session goes on beside it", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append(user("one"));
  for (const [index, name] of ["s.recovered.jsonl", "s.recovered.recovered.jsonl"].entries()) {
    const taken = log.path!;
    await rm(taken);
    await writeFile(taken, `somebody else's ${index}`);
    await log.append(user("two"));
    expect(log.path).toBe(session.dir.path(name));
    expect(await readFile(taken, "utf8")).toBe(`somebody else's ${index}`);
    await expectConsistent(log);
  }
  const recovered = log.path!;
  await log.close();
  expect((await readdir(session.dir.root)).filter((name) => name.includes("lock"))).toEqual([]);
  await using again = await openSession(recovered, {
    storage: disk,
    mode: "write",
    processes: mortalProcess(),
  });
  expect(await allEntries(again)).toHaveLength(3);
});

test("a failure while it is written again refuses the append and loses nothing", async () => {
  await using whole = await temporarySession();
  let writes = 0;
  {
    const storage = createFaultyStorage(disk);
    await using log = await whole.create({ storage });
    await log.append(user("one"));
    await rm(whole.path);
    writes = -storage.writes.length;
    await log.append(user("two"));
    writes += storage.writes.length;
  }
  expect(writes).toBeGreaterThan(7);
  for (let at = 1; at <= writes; at += 1) {
    for (const fault of [{ kind: "fail" }, { kind: "enospc", bytes: 20 }] as const) {
      await using session = await temporarySession();
      // The plan counts from the removal on: what comes before it is always the same.
      const probe = createFaultyStorage(disk);
      {
        await using log = await session.create({ storage: probe });
        await log.append(user("one"));
      }
      const before = probe.writes.length - 1;
      await rm(session.path);
      const storage = createFaultyStorage(disk, [{ at: before + at, fault }]);
      await using log = await session.create({ storage });
      const first = await log.append(user("one"));
      await rm(session.path);
      await rejection(log.append(user("two")));
      const third = await log.append(user("three"));
      const entries = await allEntries(log);
      expect(entries[0]).toEqual(first);
      expect(entries.at(-1)).toEqual(third);
      await expectConsistent(log);
      const path = log.path!;
      await log.close();
      await using again = await openSession(path, { storage: disk, mode: "read" });
      expect(await allEntries(again)).toEqual(entries);
    }
  }
});

test("a file that another program wrote to is not written to any more", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append(user("one"));
  await appendFile(session.path, "half a li");
  const before = await readFile(session.path);
  const failure = await rejection(log.append(user("two")));
  expect(failure).toBeInstanceOf(SessionRescued);
  expect(await rejection(log.append(user("three")))).toBeInstanceOf(SessionRescued);
  await log.close();
  expect(await readFile(session.path)).toEqual(before);
  await using again = await session.open("write");
  expect(await allEntries(again)).toHaveLength(1);
});

test("a file that was cut short is noticed too", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append(user("one"));
  await truncate(session.path, 10);
  expect(await rejection(log.append(user("two")))).toBeInstanceOf(SessionRescued);
});

test("what memory still had of a file that was cut is a session of its own, the last words included", async () => {
  await using session = await temporarySession();
  await using log = await session.create();
  await log.append(user("one"));
  await log.append(user("two"));
  await truncate(session.path, 10);
  const failure = await rejection(log.append(user("three")));
  expect(failure).toBeInstanceOf(SessionRescued);
  const { rescued, message } = failure as SessionRescued;
  await using again = await openSession(rescued, { storage: disk, mode: "read" });
  const words = (await allEntries(again)).map((entry) => JSON.stringify(entry));
  expect(words).toHaveLength(3);
  for (const [at, word] of ["one", "two", "three"].entries()) expect(words[at]).toContain(word);
  expect(message).toContain(`--resume ${again.header.id}`);
  expect(again.header.parentSession).toBe(log.header.id);
  // It is not done again for every word that comes after.
  const second = await rejection(log.append(user("four")));
  expect((second as SessionRescued).rescued).toBe(rescued);
});
