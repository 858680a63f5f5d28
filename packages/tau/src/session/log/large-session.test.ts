// A session of half a gigabyte is opened by reading its end, and what a compaction left
// behind is read when somebody asks for it.

import { expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { createSessionLog, openSession } from "./open-session.ts";
import { createCountingStorage } from "./test/counting-storage.ts";
import { compaction, reply, result, user } from "./test/support.ts";

const MIB = 1024 * 1024;
const TARGET_BYTES = 500 * MIB;
const OUTPUT = "some output of a tool ".repeat(3000);
/** What opening and building the first request may read. */
const MAX_OPENING_BYTES = 2 * MIB;

/** Entries as a long session has them: mostly output, with settings and a title far back. */
function* history(): Generator<SessionEntry> {
  let count = 0;
  let parentId: string | null = null;
  const place = (entry: NewEntry): SessionEntry => {
    count += 1;
    const id = count.toString(16).padStart(8, "0");
    const { type, ...rest } = entry;
    const placed = { type, id, parentId, timestamp: "2026-01-01T00:00:00.000Z", ...rest };
    if (type !== "title") parentId = id;
    return placed as SessionEntry;
  };
  yield place({ type: "model_change", model: "a/b", role: "default" });
  yield place(user("the very first"));
  yield place({ type: "title", title: "Long ago", source: "auto" });
  for (let bytes = 0; bytes < TARGET_BYTES; bytes += OUTPUT.length) {
    yield place(result("c", OUTPUT));
  }
  const kept = place(user("the first one kept"));
  yield kept;
  yield place(compaction(kept.id));
  for (let index = 0; index < 5; index += 1) yield place(reply(`after ${index}`));
}

test("opening half a gigabyte reads less than 2 MiB", async () => {
  await using dir = await createScratchDirectory();
  const storage = createCountingStorage(createDiskStorage());
  const path = dir.path("large.jsonl");
  {
    await using log = await createSessionLog({
      storage,
      place: { path },
      cwd: "/",
      entries: history(),
    });
    await log.append({ type: "label", targetId: "00000002", label: "start" });
  }
  expect((await storage.stat(path))!.size).toBeGreaterThan(TARGET_BYTES);
  for (const mode of ["read", "write"] as const) {
    storage.bytesRead = 0;
    await using log = await openSession(path, { storage, mode });
    expect(log).toMatchObject({ title: "Long ago", repairs: [] });
    const branch = await log.branch({ sinceCompaction: true });
    expect(branch.map((entry) => entry.type)).toEqual([
      "message",
      "compaction",
      ...Array(5).fill("message"),
    ]);
    expect(await log.stateEntries()).toMatchObject([{ type: "model_change", model: "a/b" }]);
    if (mode === "write") await log.append(user("and on"));
    expect(storage.bytesRead).toBeLessThan(MAX_OPENING_BYTES);
  }

  // Everything else takes one reading of the file, and little memory.
  storage.bytesRead = 0;
  await using log = await openSession(path, { storage, mode: "write" });
  Bun.gc(true);
  const before = process.memoryUsage().heapUsed;
  expect(await log.labels()).toEqual(new Map([["00000002", "start"]]));
  expect(await log.entry("00000002")).toMatchObject(user("the very first"));
  expect(await log.childrenOf(null)).toMatchObject([{ type: "model_change" }]);
  const { size } = (await storage.stat(path))!;
  expect(storage.bytesRead).toBeLessThan(size + MAX_OPENING_BYTES);
  Bun.gc(true);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * MIB);
  // A move to the beginning, closed and opened again, is found without reading it all.
  await log.moveLeaf("00000002", "tree");
  await log.append(reply("another way"));
  await log.close();
  storage.bytesRead = 0;
  await using again = await openSession(path, { storage, mode: "read" });
  expect(await again.branch()).toMatchObject([
    { type: "model_change" },
    user("the very first"),
    reply("another way"),
  ]);
  expect(storage.bytesRead).toBeLessThan(MAX_OPENING_BYTES);
}, 60_000);
