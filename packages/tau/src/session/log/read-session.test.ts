// What files may look like: those that are read in spite of everything, and those that are
// refused and left exactly as they are.

import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { SessionEntry } from "../entry.ts";
import { NotASession } from "../session-log.ts";
import { encodeLine } from "./line.ts";
import { openSession } from "./open-session.ts";
import {
  allEntries,
  compaction,
  expectConsistent,
  mortalProcess,
  rejection,
  reply,
  user,
} from "./test/support.ts";
import { temporarySession, type TemporarySession } from "./test/temporary-session.ts";

const HEADER = {
  type: "session",
  version: 4,
  id: "x",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/",
};

/** Eight entries, one of them a batch, with multi-byte characters. */
async function written(session: TemporarySession): Promise<SessionEntry[]> {
  await using log = await session.create();
  await log.append({ type: "model_change", model: "a/b", role: "default" });
  await log.append(user("größer 🌍"));
  await log.appendAll([reply("eins"), { type: "title", title: "Straße", source: "auto" }]);
  const kept = await log.append(user("zwei"));
  await log.append(compaction(kept.id));
  await log.append({ type: "label", targetId: kept.id, label: "hier" });
  await log.append(reply("drei"));
  return allEntries(log);
}

async function rewrite(
  session: TemporarySession,
  change: (bytes: Buffer) => Uint8Array,
): Promise<Buffer> {
  const bytes = Buffer.from(change(await readFile(session.path)));
  await writeFile(session.path, bytes);
  return bytes;
}

/** Reading and writing must agree; both with and without the whole file in view. */
async function bothWays(
  session: TemporarySession,
  check: (entries: SessionEntry[], kinds: string[], repairs: string[]) => void,
): Promise<void> {
  for (const eagerIndexBytes of [0, 1e6]) {
    const before = await readFile(session.path);
    {
      await using log = await session.open("read", { eagerIndexBytes });
      await log.labels();
      const { repairs } = log;
      check(
        await allEntries(log),
        repairs.map((r) => r.kind),
        repairs.map((r) => r.message),
      );
    }
    expect(await readFile(session.path)).toEqual(before);
  }
  const before = await readFile(session.path);
  for (const eagerIndexBytes of [0, 1e6]) {
    await writeFile(session.path, before);
    await using log = await session.open("write", { eagerIndexBytes });
    await log.labels();
    const { repairs } = log;
    check(
      await allEntries(log),
      repairs.map((r) => r.kind),
      repairs.map((r) => r.message),
    );
    const leaf = log.leafId;
    const next = await log.append(user("next"));
    expect(next.parentId).toBe(leaf);
    expect((await allEntries(log)).at(-1)).toEqual(next);
  }
}

describe("a file is read although", () => {
  test("its end was torn anywhere, also within a character", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    const whole = await readFile(session.path);
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    for (let cut = lastLine + 1; cut < whole.length - 1; cut += 7) {
      await writeFile(session.path, whole.subarray(0, cut));
      await using log = await session.open("write");
      expect(await allEntries(log)).toEqual(entries.slice(0, -1));
      expect(log.repairs).toEqual([
        {
          kind: "torn_tail",
          message: `The last write to ${session.path} was incomplete; the partial write (${cut - lastLine} bytes) was removed.`,
          bytes: cut - lastLine,
        },
      ]);
      await log.close();
      expect(await readFile(session.path)).toEqual(whole.subarray(0, lastLine));
    }
  });

  test("the end is a stretch of zeros, as a power loss may leave it", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    await rewrite(session, (bytes) => Buffer.concat([bytes, Buffer.alloc(70_000)]));
    await bothWays(session, (found, kinds) => {
      expect(found).toEqual(entries);
      expect(kinds).toEqual(["torn_tail"]);
    });
  });

  test("only its last line end is missing: the entry counts", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    await rewrite(session, (bytes) => bytes.subarray(0, -1));
    await bothWays(session, (found) => expect(found).toEqual(entries));
  });

  test("a batch was torn: none of it counts", async () => {
    await using session = await temporarySession();
    let before: SessionEntry[];
    {
      await using log = await session.create();
      await log.append(user("one"));
      before = await allEntries(log);
      await log.appendAll([reply("a"), user("b"), reply("c")]);
    }
    const lines = await session.lines();
    for (const text of [
      `${lines.slice(0, 3).join("\n")}\n`,
      `${lines.slice(0, 4).join("\n")}\n`,
      `${lines.slice(0, 4).join("\n")}\n${lines[4]!.slice(0, 30)}`,
      `${lines.slice(0, 3).join("\n")}\n${lines[3]!.slice(0, 60)}`,
      lines.slice(0, 4).join("\n"),
    ]) {
      await writeFile(session.path, text);
      await bothWays(session, (found, kinds) => {
        expect(found).toEqual(before);
        expect(kinds).toEqual(["torn_tail"]);
      });
    }
  });

  test("lines in its middle are damaged: they are named, kept, and cost only themselves", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    const lines = await session.lines();
    for (let line = 1; line < lines.length; line += 1) {
      const broken = lines.with(line, lines[line]!.replace("timestamp", "timestomp"));
      await writeFile(session.path, `${broken.join("\n")}\n`);
      await bothWays(session, (found, kinds, messages) => {
        expect(found).toEqual(entries.toSpliced(line - 1, 1));
        expect(kinds).toEqual(["bad_line"]);
        expect(messages[0]).toContain(`Line ${line + 1} of ${session.path} is damaged`);
      });
      // What hung below the lost line hangs below what was before it.
      await writeFile(session.path, `${broken.join("\n")}\n`);
      for (const eagerIndexBytes of [0, 1e6]) {
        await using log = await session.open("read", { eagerIndexBytes });
        const tree = entries.filter((entry) => !["title", "label"].includes(entry.type));
        const expected = tree.filter((entry) => entry !== entries[line - 1]);
        expect(await log.branch()).toEqual(expected);
      }
    }
  });

  test("the header's checksum is wrong", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    await rewrite(session, (bytes) => Buffer.from(bytes.toString().replace("/work", "/walk")));
    await bothWays(session, (found, kinds) => {
      expect(found).toEqual(entries);
      expect(kinds).toEqual(["bad_line"]);
    });
  });

  test("it begins with a byte order mark, or has other line ends", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    const whole = await readFile(session.path);
    const marked = Buffer.concat([Buffer.from("\ufeff"), whole]);
    const windows = Buffer.from(whole.toString().replaceAll("\n", "\r\n"));
    const spaced = Buffer.from(whole.toString().replaceAll("\n", "\n\n"));
    for (const bytes of [marked, windows, spaced]) {
      await writeFile(session.path, bytes);
      for (const eagerIndexBytes of [0, 1e6]) {
        await using log = await session.open("read", { eagerIndexBytes });
        expect(await allEntries(log)).toEqual(entries);
        expect(log.repairs).toEqual([]);
        await expectConsistent(log);
      }
      await bothWays(session, (found, kinds) => {
        expect(found).toEqual(entries);
        expect(kinds).toEqual([]);
      });
    }
  });

  test("it has entries of a kind that nobody knows yet", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    const strange = {
      type: "hologram",
      id: "h1",
      parentId: entries.at(-1)!.id,
      timestamp: HEADER.timestamp,
      payload: [1],
    };
    const title = (await readFile(session.path)).indexOf('{"type":"title"');
    const line = encodeLine(strange, { n: 10, title });
    await rewrite(session, (bytes) => Buffer.concat([bytes, line]));
    await using log = await session.open("write");
    expect(await log.entry("h1")).toEqual(strange as unknown as SessionEntry);
    expect(log.leafId).toBe("h1");
    expect(await log.branch()).toHaveLength(7);
    await log.append(user("on top"));
    await expectConsistent(log);
    expect(log.repairs).toEqual([]);
  });

  test("a single line is damaged and huge", async () => {
    await using session = await temporarySession();
    const entries = await written(session);
    const garbage = Buffer.alloc(10_000_000, "x");
    await rewrite(session, (bytes) => Buffer.concat([bytes, garbage, Buffer.from("\n")]));
    await using log = await session.open("write");
    expect(log.repairs).toMatchObject([{ kind: "bad_line", line: 10, bytes: 10_000_001 }]);
    expect(log.leafId).toBe(entries.at(-1)!.id);
    await log.append(user("next"));
    expect(await allEntries(log)).toHaveLength(9);
  });
});

describe("a file is refused, and stays as it is, because", () => {
  const json = JSON.stringify(HEADER);
  const cases: [string, Uint8Array | string, RegExp][] = [
    ["it is empty", "", /is empty/],
    ["it is binary", Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 256), /binary|header/],
    ["it is UTF-16", Buffer.from(`\ufeff${json}\n`, "utf16le"), /UTF-16/],
    ["it is UTF-16 without a mark", Buffer.from(`${json}\n`, "utf16le"), /binary/],
    ["its first line is no header", '{"type":"message"}\n', /does not begin with a session header/],
    ["its first line is no JSON", "hello\nworld\n", /does not begin with a session header/],
    ["its header has no id", '{"type":"session","version":4}\n', /does not begin/],
    ["its header lacks the rest", '{"type":"session","version":4,"id":"x"}\n', /without time/],
    ["its header is torn", encodeLine(HEADER).subarray(0, 60), /does not begin/],
    ["its header ends without checksum", json, /ends within/],
    ["its first line has ten megabytes", Buffer.alloc(10_000_000, "x"), /too long/],
    ["it is of a newer version", `${json.replace("4", "5")}\n`, /version 5.*update/],
    ["its version makes no sense", `${json.replace("4", '"x"')}\n`, /unknown version/],
  ];
  test.each(cases)("%s", async (_name, content, reason) => {
    await using dir = await createScratchDirectory();
    const path = await dir.write("s.jsonl", content);
    const before = await readFile(path);
    for (const mode of ["read", "write"] as const) {
      const storage = createDiskStorage();
      const failure = await rejection(openSession(path, { storage, mode }));
      expect(failure).toBeInstanceOf(NotASession);
      expect(String(failure)).toMatch(reason);
      expect(String(failure)).toContain(path);
    }
    expect(await readFile(path)).toEqual(before);
    expect(await Array.fromAsync(new Bun.Glob("**").scan({ cwd: dir.root, dot: true }))).toEqual([
      "s.jsonl",
    ]);
  });

  test("it is a directory, or not there", async () => {
    await using dir = await createScratchDirectory();
    await mkdir(dir.path("d.jsonl"));
    const options = {
      storage: createDiskStorage(),
      mode: "write",
      processes: mortalProcess(),
    } as const;
    expect(await rejection(openSession(dir.path("d.jsonl"), options))).toBeInstanceOf(NotASession);
    expect(await rejection(openSession(dir.path("no.jsonl"), options))).toMatchObject({
      code: "ENOENT",
    });
  });
});
