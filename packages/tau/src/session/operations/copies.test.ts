import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { createBlobStore } from "../log/blob-store.ts";
import { SessionReplaced, UnknownEntry } from "../log/log-error.ts";
import { createMemorySession, createSessionLog, openSession } from "../log/open-session.ts";
import { readStored } from "../log/stored-session.ts";
import {
  allEntries,
  expectConsistent,
  rejection,
  reply,
  result,
  user,
} from "../log/test/support.ts";
import { NotASession, SessionLocked, type SessionLog } from "../session-log.ts";
import { branchSession } from "./branch-session.ts";
import { deleteSession } from "./delete-session.ts";
import { forkSession } from "./fork-session.ts";
import { importSession } from "./import-session.ts";
import { moveSession } from "./move-session.ts";
import { OperationRefused, SessionExists } from "./operation-error.ts";

const storage = createDiskStorage();
const IMAGE = Buffer.alloc(1500, "pixels").toString("base64");

interface Place {
  dir: ScratchDirectory;
  around: { storage: typeof storage; blobs: ReturnType<typeof createBlobStore> };
  directory: string;
  create(entries: NewEntry[], cwd?: string): Promise<{ path: string; entries: SessionEntry[] }>;
  read(path: string): Promise<SessionLog>;
}

async function withPlace(work: (place: Place) => Promise<void>): Promise<void> {
  await using dir = await createScratchDirectory();
  const blobs = createBlobStore(storage, dir.path("agent/blobs"));
  const around = { storage, blobs };
  const directory = dir.path("agent/sessions/p");
  await work({
    dir,
    around,
    directory,
    async create(given, cwd = "/p") {
      await using log = await createSessionLog({ ...around, place: { directory }, cwd });
      for (const entry of given) await log.append(entry);
      return { path: log.path!, entries: await allEntries(log) };
    },
    read: (path) => openSession(path, { ...around, mode: "read" }),
  });
}

describe("fork", () => {
  test("of a session in use: both go on by themselves, and the original is not touched", () =>
    withPlace(async ({ around, directory, create, read }) => {
      const { path } = await create([user("hi"), reply("hello", ["a"]), result("a", "i", IMAGE)]);
      await using original = await openSession(path, { ...around, mode: "write" });
      const before = await readFile(path);
      const { log: fork } = await forkSession({ log: original }, { directory }, around);
      expect(await readFile(path)).toEqual(before);
      expect(fork.header).toMatchObject({ cwd: "/p", parentSession: original.header.id });
      expect(fork.header.id).not.toBe(original.header.id);
      expect(await fork.branch()).toEqual(await original.branch());
      await Promise.all([original.append(user("here")), fork.append(user("there"))]);
      await fork.close();
      await using again = await read(fork.path!);
      expect((await again.branch()).at(-1)).toMatchObject({
        message: { content: [{ text: "there" }] },
      });
      expect((await original.branch()).at(-1)).toMatchObject({
        message: { content: [{ text: "here" }] },
      });
    }));

  test("mail that waits is the original's, and delivered once", () =>
    withPlace(async ({ around, directory, create }) => {
      const { path } = await create([
        user("hi"),
        { type: "mail", mailId: "a", state: "queued", delivery: "followUp" },
        { type: "mail", mailId: "b", state: "queued", delivery: "followUp" },
        { type: "mail", mailId: "a", state: "delivered" },
      ]);
      const { log } = await forkSession({ path }, { directory }, around);
      await using fork = log;
      const mail = (await allEntries(fork)).filter((entry) => entry.type === "mail");
      expect(mail.map(({ mailId, state }) => [mailId, state])).toEqual([
        ["a", "queued"],
        ["b", "queued"],
        ["a", "delivered"],
        ["b", "withdrawn"],
      ]);
      expect(fork.leafId).toBe((await allEntries(fork))[0]!.id);
    }));

  test("a damaged line is left out and costs nothing else; a lost image stays a reference", () =>
    withPlace(async ({ dir, around, directory, create, read }) => {
      const { path, entries } = await create([
        user("one"),
        reply("two"),
        user("three"),
        result("a", "image", IMAGE),
      ]);
      const lines = (await readFile(path, "utf8")).split("\n");
      lines[2] = lines[2]!.replace("two", "tow");
      await writeFile(path, lines.join("\n"));
      for (const name of await readdir(dir.path("agent/blobs"))) {
        await rm(dir.path("agent/blobs", name));
      }
      await using damaged = await read(path);
      const { log, repairs } = await forkSession({ path }, { directory }, around);
      await using fork = log;
      expect(repairs.map((repair) => [repair.kind, repair.line])).toEqual([["bad_line", 3]]);
      const ids = [entries[0], entries[2], entries[3]].map((entry) => entry!.id);
      expect((await damaged.branch()).map((entry) => entry.id)).toEqual(ids);
      expect((await fork.branch()).map((entry) => entry.id)).toEqual(ids);
      await expectConsistent(fork);
      expect(await readFile(fork.path!, "utf8")).toContain("blob:sha256:");
    }));

  test("images and artifacts of another place come along", () =>
    withPlace(async ({ dir, around, directory, create, read }) => {
      const { path } = await create([user("hi"), result("a", "image", IMAGE)]);
      await dir.write(path.slice(dir.root.length + 1).replace(".jsonl", "/0.bash.log"), "whole");
      const elsewhere = { storage, blobs: createBlobStore(storage, dir.path("other/blobs")) };
      const target = { directory: dir.path("other/sessions/q"), cwd: "/q" };
      const { log } = await forkSession({ path }, target, elsewhere);
      await using fork = log;
      await rm(dir.path("agent"), { recursive: true });
      expect(JSON.stringify(await fork.branch())).toContain(IMAGE);
      expect(await readFile(fork.path!.replace(".jsonl", "/0.bash.log"), "utf8")).toBe("whole");
      expect(directory).not.toBe(target.directory);
      await expect(read(path)).rejects.toThrow("does not exist");
      expect(around.blobs.directory).not.toBe(elsewhere.blobs.directory);
    }));

  test("a file that becomes another one while it is read is not half copied", () =>
    withPlace(async ({ around, directory, create }) => {
      const { path } = await create([user("hi")]);
      const { path: other } = await create([user("somebody else's")]);
      const stored = await readStored(path, around);
      await rename(other, path);
      expect(await rejection(Array.fromAsync(stored.entries()))).toBeInstanceOf(SessionReplaced);
      expect(await readdir(directory)).toHaveLength(1);
    }));

  test("of a session in memory, in memory", async () => {
    const log = createMemorySession({ cwd: "/p" });
    await log.append(user("hi"));
    const { log: fork } = await forkSession({ log }, {}, { storage });
    expect(await fork.branch()).toEqual(await log.branch());
    expect([fork.path, fork.header.parentSession]).toEqual([undefined, log.header.id]);
  });
});

describe("branch", () => {
  test("has exactly the way, with its labels and the title; own words go to the editor", () =>
    withPlace(async ({ around, directory, create, read }) => {
      const { path } = await create([user("one"), reply("two"), user("three"), reply("four")]);
      await using log = await openSession(path, { ...around, mode: "write" });
      const [one, two, three, four] = await allEntries(log);
      await log.append({ type: "label", targetId: two!.id, label: "start" });
      await log.append({ type: "label", targetId: four!.id, label: "end" });
      await log.append({ type: "title", title: "Numbers", source: "user" });
      await log.moveLeaf(two!.id, "tree");
      await log.append(user("beside"));
      const before = await readFile(path);
      const at = (id: string) => branchSession({ path }, id, { directory }, around);
      const own = await at(three!.id);
      expect(own.editorText).toBe("three");
      expect(await own.log.branch()).toEqual([one!, two!]);
      expect([...(await own.log.labels())]).toEqual([[two!.id, "start"]]);
      expect([own.log.title, own.log.leafId]).toEqual(["Numbers", two!.id]);
      await own.log.append(user("another way"));
      await own.log.close();
      await using reopened = await read(own.log.path!);
      await expectConsistent(reopened);
      const answered = await at(four!.id);
      expect(answered.editorText).toBeUndefined();
      expect(await answered.log.branch()).toEqual([one!, two!, three!, four!]);
      await answered.log.close();
      const root = await at(one!.id);
      expect([root.log.leafId, root.editorText]).toEqual([null, "one"]);
      expect((await root.log.append(user("anew"))).parentId).toBeNull();
      await root.log.close();
      expect(await readFile(path)).toEqual(before);
      const label = (await allEntries(log)).find((entry) => entry.type === "label")!;
      expect(await rejection(at(label.id))).toBeInstanceOf(UnknownEntry);
      expect(await rejection(at("nothing"))).toBeInstanceOf(UnknownEntry);
    }));
});

describe("move", () => {
  const elsewhere = (dir: ScratchDirectory) => ({
    directory: dir.path("agent/sessions/q"),
    cwd: "/q",
  });

  test("a session in use stays, and so does one whose name is taken", () =>
    withPlace(async ({ dir, around, create }) => {
      const { path } = await create([user("hi")]);
      const before = await readFile(path);
      {
        await using _held = await openSession(path, { ...around, mode: "write" });
        const error = await rejection(moveSession(path, elsewhere(dir), around));
        expect(error).toBeInstanceOf(SessionLocked);
        expect((error as SessionLocked).holder.pid).toBe(process.pid);
      }
      await dir.write(path.slice(dir.root.length + 1).replace("/p/", "/q/"), "somebody's");
      expect(await rejection(moveSession(path, elsewhere(dir), around))).toBeInstanceOf(
        SessionExists,
      );
      expect(await readFile(path)).toEqual(before);
    }));

  test("what is damaged is kept as it was, beside the moved session", () =>
    withPlace(async ({ dir, around, create, read }) => {
      const { path } = await create([user("one"), reply("two"), user("three")]);
      const damaged = (await readFile(path, "utf8")).replace("two", "tow");
      await writeFile(path, damaged);
      const to = await moveSession(path, elsewhere(dir), around);
      expect(await readFile(`${to}.damaged`, "utf8")).toBe(damaged);
      await using log = await read(to);
      expect(log.header.cwd).toBe("/q");
      expect(await log.branch()).toHaveLength(2);
      await deleteSession(to, around);
      expect(await readdir(elsewhere(dir).directory)).toEqual([]);
    }));

  test("a file of an older format is never changed", () =>
    withPlace(async ({ dir, around }) => {
      const old = `${JSON.stringify({ type: "session", version: 3, id: "old", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" })}\n`;
      const path = await dir.write("agent/sessions/p/old.jsonl", old);
      const error = await rejection(moveSession(path, elsewhere(dir), around));
      expect(error).toBeInstanceOf(OperationRefused);
      expect(await readFile(path, "utf8")).toBe(old);
    }));
});

describe("delete", () => {
  test("is refused for what is in use, with who has it, and for what is no session", () =>
    withPlace(async ({ dir, around, create }) => {
      const { path } = await create([user("hi")]);
      {
        await using _held = await openSession(path, { ...around, mode: "write" });
        const error = await rejection(deleteSession(path, around));
        expect((error as SessionLocked).holder?.pid).toBe(process.pid);
        expect(existsSync(path)).toBe(true);
      }
      const notes = await dir.write("notes.jsonl", "mine\n");
      expect(await rejection(deleteSession(notes, around))).toBeInstanceOf(NotASession);
      await deleteSession(path, around);
      expect(await readdir(dir.path("agent/sessions/p"))).toEqual([]);
      await expect(deleteSession(path, around)).rejects.toThrow("does not exist");
    }));
});

describe("import", () => {
  const target = (dir: ScratchDirectory, identity: "same" | "new") => ({
    sessionsDirectory: dir.path("agent/sessions"),
    directory: dir.path("agent/sessions/here"),
    cwd: "/here",
    identity,
  });

  test("an older file: the original stays as it is, and everything is there", () =>
    withPlace(async ({ dir, around, read }) => {
      const lines = [
        {
          type: "session",
          version: 3,
          id: "abc12345",
          timestamp: "2026-01-01T00:00:00.000Z",
          cwd: "/there",
          title: "Old",
        },
        {
          type: "message",
          id: "a1",
          parentId: null,
          timestamp: "2026-01-01T00:00:01.000Z",
          message: { role: "user", content: "hi", timestamp: 1 },
        },
      ];
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      const path = await dir.write("usb/talk.jsonl", text);
      await dir.write("usb/talk/0.bash.log", "whole");
      const imported = await importSession(path, target(dir, "same"), around);
      expect(imported.header).toMatchObject({ id: "abc12345", cwd: "/here", version: 4 });
      expect(imported.header.timestamp).toBe("2026-01-01T00:00:00.000Z");
      await using log = await read(imported.path);
      expect(log.title).toBe("Old");
      expect((await log.branch())[0]).toMatchObject({
        id: "a1",
        message: { content: [{ text: "hi" }] },
      });
      expect(await readFile(imported.path.replace(".jsonl", "/0.bash.log"), "utf8")).toBe("whole");
      expect(await readFile(path, "utf8")).toBe(text);
      expect(await rejection(importSession(path, target(dir, "same"), around))).toBeInstanceOf(
        SessionExists,
      );
      const another = await importSession(path, target(dir, "new"), around);
      expect(another.header.parentSession).toBe("abc12345");
      expect(another.header.id).not.toBe("abc12345");
    }));

  test("nothing in a file is trusted to be a name", () =>
    withPlace(async ({ dir, around, create }) => {
      for (const [id, timestamp] of [
        ["../../../evil", "2026-01-01T00:00:00.000Z"],
        ["fine-1234", "../../x"],
        ["", "not a time"],
      ]) {
        const header = { type: "session", version: 3, id, timestamp, cwd: "/there" };
        const path = await dir.write("usb/evil.jsonl", `${JSON.stringify(header)}\n`);
        const imported = await importSession(path, target(dir, "same"), around);
        expect(imported.path).toStartWith(dir.path("agent/sessions/here/"));
        expect(imported.path.slice(dir.path("agent/sessions/here").length + 1)).not.toContain("/");
      }
      const { path } = await create([user("a session of ours, with its torn end")]);
      await writeFile(path, `${await readFile(path, "utf8")}{"type":"mess`);
      const imported = await importSession(path, target(dir, "new"), around);
      expect(await readFile(imported.path, "utf8")).toEndWith("}\n");
    }));
});
