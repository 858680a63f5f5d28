import { describe, expect, test } from "bun:test";
import { boundContent } from "@tau/agent/bound-content";
import { DEFAULT_LIMITS } from "@tau/agent/bound-output";
import { createDiskStorage } from "@tau/host/storage";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { chmod, readdir, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMemorySession, createSessionLog } from "../log/open-session.ts";
import {
  artifactDirectory,
  artifactFileName,
  inheritedDirectories,
  parseArtifactFileName,
} from "./artifact-name.ts";
import { ArtifactMissing, spillTo, type ArtifactStore } from "./artifact-store.ts";
import { copyArtifacts } from "./copy-artifacts.ts";
import { DiskArtifacts } from "./disk-artifacts.ts";
import { MemoryArtifacts } from "./memory-artifacts.ts";
import { openArtifacts } from "./open-artifacts.ts";
import { readLines } from "./read-artifact.ts";

const storage = createDiskStorage();
const PROCESSES = 4;
const ROUNDS = 10;

async function idOf(writing: ReturnType<ArtifactStore["write"]>): Promise<string> {
  const written = await writing;
  if (!written.ok) throw new Error(written.failure.message);
  return written.id;
}

describe("names", () => {
  test("whatever a tool is called, its file stays in the directory and is found again", () => {
    fc.assert(
      fc.property(fc.nat({ max: 99_999_999 }), fc.string({ unit: "binary" }), (id, tool) => {
        const name = artifactFileName(id, tool);
        expect(name).toMatch(/^\d+\.[A-Za-z0-9_-]{1,64}\.log$/);
        expect(parseArtifactFileName(name)?.id).toBe(id);
      }),
    );
  });

  test("successors and recoveries speak of what their originals had", () => {
    expect(artifactDirectory("/s/a.jsonl")).toBe("/s/a");
    expect(artifactDirectory("/s/a")).toBe("/s/a.artifacts");
    expect(inheritedDirectories("/s/a.jsonl")).toEqual([]);
    expect(inheritedDirectories("/s/a.recovered-2.jsonl")).toEqual(["/s/a"]);
    expect(inheritedDirectories("/s/a.v4.jsonl", "/s/a.jsonl")).toEqual(["/s/a"]);
  });
});

describe("on disk", () => {
  test("numbers from 0, private, and going on where the last process stopped", async () => {
    await using dir = await createScratchDirectory();
    const directory = dir.path("s");
    const one = new DiskArtifacts({ storage, directory });
    expect(await idOf(one.write("bash", "first"))).toBe("0");
    expect(await idOf(one.write("../../etc/passwd", "second"))).toBe("1");
    expect((await readdir(directory)).sort()).toEqual(["0.bash.log", "1.etc-passwd.log"]);
    expect((await stat(join(directory, "0.bash.log"))).mode & 0o777).toBe(0o600);
    const two = new DiskArtifacts({ storage, directory });
    expect(await idOf(two.write("bash", "third"))).toBe("2");
    expect(await two.list()).toMatchObject([
      { id: "0", tool: "bash", bytes: 5 },
      { id: "1", tool: "etc-passwd", bytes: 6 },
      { id: "2", tool: "bash", bytes: 5 },
    ]);
    // One that has been open since does not write over it either.
    expect(await idOf(one.write("read", "fourth"))).toBe("3");
    expect((await one.read("2")).text).toBe("third");
  });

  test("an agent's output called like a number is no artifact", async () => {
    await using dir = await createScratchDirectory();
    await dir.write("s/3.md", "an agent's");
    const store = new DiskArtifacts({ storage, directory: dir.path("s") });
    expect(await idOf(store.write("bash", "x"))).toBe("0");
    await expect(store.read("3")).rejects.toThrow(
      "There is no artifact 3. Choose another: there is 0.",
    );
    await expect(store.read("../0")).rejects.toBeInstanceOf(ArtifactMissing);
  });

  test("many processes at once: every number once, every output whole", async () => {
    await using dir = await createScratchDirectory();
    const script = join(import.meta.dir, "test", "spilling-process.ts");
    const children = Array.from({ length: PROCESSES }, (_, index) =>
      Bun.spawn([process.execPath, script, dir.path("s"), `p${index}`, String(ROUNDS)], {
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const outputs = await Promise.all(children.map((child) => child.stdout.json()));
    const ids = (outputs as string[][]).flat();
    expect(new Set(ids).size).toBe(PROCESSES * ROUNDS * 2);
    const store = new DiskArtifacts({ storage, directory: dir.path("s") });
    expect((await store.list()).map((info) => info.id).sort()).toEqual(ids.sort());
    for (const [process, own] of (outputs as string[][]).entries()) {
      for (const [at, id] of own.entries()) {
        expect((await store.read(id)).text).toBe(`p${process} ${Math.floor(at / 2)}`);
      }
    }
  }, 60_000);

  test("a stream is readable while it grows, and knows where it ended", async () => {
    await using dir = await createScratchDirectory();
    const store = new DiskArtifacts({ storage, directory: dir.path("s"), maxArtifactBytes: 20 });
    const created = await store.create("bash");
    if (!created.ok) throw new Error(created.failure.message);
    const { writer } = created;
    await writer.append("one \ud83d");
    await writer.append("\ude00\n");
    expect((await store.read(writer.id)).text).toBe("one 😀\n");
    await writer.append(Buffer.from("and much more than fits"));
    expect(await writer.close()).toEqual({
      id: "0",
      bytes: 20,
      failure: { kind: "too_large", message: expect.stringContaining("exceeds the limit of 20") },
    });
    expect(await writer.close()).toMatchObject({ bytes: 20 });
    expect((await store.read("0")).totalBytes).toBe(20);
  });

  test("a disk that refuses costs the output, at any write, and says why", async () => {
    for (let at = 1; at <= 6; at += 1) {
      await using dir = await createScratchDirectory();
      const fault = { kind: "enospc", bytes: 3 } as const;
      const faulty = createFaultyStorage(storage, [{ at, fault, repeat: "always" }]);
      const store = new DiskArtifacts({ storage: faulty, directory: dir.path("s") });
      const written = await store.write("bash", "an output");
      const good = new DiskArtifacts({ storage, directory: dir.path("s") });
      if (written.ok) expect((await good.read(written.id)).text).toBe("an output");
      else {
        expect(written.failure).toMatchObject({ kind: "disk" });
        expect(written.failure.message).toContain("the disk is full");
        expect(await good.list()).toEqual([]);
      }
      expect(await idOf(good.write("bash", "later"))).toMatch(/^\d+$/);
    }
  });

  test("a crash at any write leaves whole outputs only, and their numbers stay theirs", async () => {
    for (const kind of ["crash-before", "crash-after", "power-loss"] as const) {
      for (let at = 1; at <= 8; at += 1) {
        await using dir = await createScratchDirectory();
        const faulty = createFaultyStorage(storage, [{ at, fault: { kind } }]);
        const store = new DiskArtifacts({ storage: faulty, directory: dir.path("s") });
        const kept: string[] = [];
        try {
          for (const text of ["a", "b"])
            kept.push(await idOf(store.write("bash", text.repeat(99))));
        } catch (error) {
          expect((error as Error).name).toBe("Crashed");
        }
        const good = new DiskArtifacts({ storage, directory: dir.path("s") });
        const found = await good.list();
        for (const { id, bytes } of found) expect({ id, bytes }).toEqual({ id, bytes: 99 });
        expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(kept));
        const next = await idOf(good.write("bash", "c"));
        expect(found.map(({ id }) => id)).not.toContain(next);
      }
    }
  });

  test("what may not be written is a failure, not an exception", async () => {
    await using dir = await createScratchDirectory();
    await writeFile(dir.path("s"), "a file where a directory belongs");
    const store = new DiskArtifacts({ storage, directory: dir.path("s") });
    expect(await store.write("bash", "x")).toMatchObject({ ok: false, failure: { kind: "disk" } });
    expect(await store.create("bash")).toMatchObject({ ok: false, failure: { kind: "disk" } });
    expect(await store.list()).toEqual([]);
  });
});

describe("reading", () => {
  test("any split into ranges gives the whole", async () => {
    const lines = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.integer({ min: 1, max: 7 }),
        fc.nat(60),
        async (all, step, most) => {
          const store = new MemoryArtifacts();
          const whole = all.join("\n").toWellFormed();
          const id = await idOf(store.write("t", whole));
          expect((await store.read(id)).text).toBe(whole);
          let read = "";
          const bytes = await store.readBytes(id, 0, 1e6);
          const source = { read: async (at: number, n: number) => bytes.subarray(at, at + n) };
          for (let next: number | undefined = 1; next !== undefined;) {
            const range = { from: next, count: step };
            const part = await readLines(source, bytes.length, range, 100 + most);
            expect(part).toMatchObject({ firstLine: next, cutBytes: 0, totalBytes: bytes.length });
            expect(part.lines).toBeLessThanOrEqual(step);
            read += part.text;
            next = part.nextLine;
          }
          expect(read).toBe(whole);
        },
      ),
    );
  });

  test("a part of a gigabyte does not take a gigabyte", async () => {
    await using dir = await createScratchDirectory();
    const directory = dir.path("s");
    const store = new DiskArtifacts({ storage, directory });
    const id = await idOf(store.write("bash", "first\nsecond\n"));
    // A hole: it has the size and none of the blocks.
    await truncate(join(directory, `${id}.bash.log`), 1024 * 1024 * 1024);
    expect(await store.read(id, { from: 2, count: 1 })).toMatchObject({
      text: "second\n",
      nextLine: 3,
      totalBytes: 1024 * 1024 * 1024,
    });
    expect(Buffer.from(await store.readBytes(id, 6, 6)).toString()).toBe("second");
    expect(await store.readBytes(id, 2 ** 30 - 2, 100)).toHaveLength(2);
  });

  test("a line too long to give is cut between characters, and says what is missing", async () => {
    const bytes = Buffer.from(`short\n${"é".repeat(50)}\nend`);
    const source = { read: async (at: number, n: number) => bytes.subarray(at, at + n) };
    const part = await readLines(source, bytes.length, { from: 2, count: 1 }, 11);
    expect(part).toMatchObject({ text: `${"é".repeat(5)}\n`, lines: 1, nextLine: 3, cutBytes: 90 });
  });
});

describe("in memory", () => {
  test("the oldest make room, and what is too large is not kept", async () => {
    const store = new MemoryArtifacts({ maxBytes: 10 });
    expect(store.directory).toBeUndefined();
    expect(await idOf(store.write("a", "12345"))).toBe("0");
    expect(await idOf(store.write("a", "12345"))).toBe("1");
    expect(await store.write("a", "x".repeat(11))).toMatchObject({
      failure: { kind: "too_large" },
    });
    const created = await store.create("b");
    if (!created.ok) throw new Error("refused");
    await created.writer.append("67");
    await created.writer.append("8");
    expect(await created.writer.close()).toEqual({ id: "2", bytes: 3 });
    expect((await store.list()).map(({ id }) => id)).toEqual(["1", "2"]);
    expect((await store.read("2")).text).toBe("678");
    await expect(store.read("0")).rejects.toBeInstanceOf(ArtifactMissing);
  });
});

describe("of a session", () => {
  test("the tool table's spill: the model is told where the whole is", async () => {
    await using dir = await createScratchDirectory();
    await using log = await createSessionLog({
      storage,
      place: { directory: dir.path("s") },
      cwd: "/",
    });
    const store = openArtifacts(log, storage);
    expect(store.directory).toBe(log.path!.replace(".jsonl", ""));
    const text = "line\n".repeat(50_000);
    const bounded = await boundContent(
      "bash",
      [{ type: "text", text }],
      DEFAULT_LIMITS,
      spillTo(store),
    );
    expect(bounded.artifactId).toBe("0");
    expect((bounded.content[0] as { text: string }).text).toEndWith("artifact://0]");
    expect((await store.read("0")).text).toBe(text);
    const memory = openArtifacts(createMemorySession({ cwd: "/" }), storage);
    expect(await spillTo(memory)("bash", "x")).toEqual({ id: "0" });
  });

  test("a spill that fails leaves the tool's result as it was", async () => {
    await using dir = await createScratchDirectory();
    await writeFile(dir.path("s"), "");
    const failures: string[] = [];
    const store = new DiskArtifacts({ storage, directory: dir.path("s") });
    const spill = spillTo(store, (failure) => failures.push(failure.kind));
    const content = [{ type: "text" as const, text: "line\n".repeat(50_000) }];
    const bounded = await boundContent("bash", content, DEFAULT_LIMITS, spill);
    expect([bounded.artifactId, bounded.bug, failures]).toEqual([undefined, undefined, ["disk"]]);
  });

  test("a copy has the same outputs under the same numbers, and goes on by itself", async () => {
    await using dir = await createScratchDirectory();
    const from = new DiskArtifacts({ storage, directory: dir.path("a") });
    await from.write("bash", "zero");
    await from.write("bash", "one");
    await dir.write("a/Anna.jsonl", "a subagent's log\n");
    await dir.write("a/Anna/0.read.log", "deeper");
    await dir.write("a/.7.claim", "");
    await dir.write("old/2.bash.log", "from an older file");
    await dir.write("old/0.bash.log", "not this one");
    await copyArtifacts(storage, [dir.path("a"), dir.path("old"), dir.path("none")], dir.path("b"));
    const to = new DiskArtifacts({ storage, directory: dir.path("b") });
    expect((await to.list()).map(({ id }) => id)).toEqual(["0", "1", "2"]);
    expect((await to.read("0")).text).toBe("zero");
    expect(await dir.read("b/Anna/0.read.log")).toBe("deeper");
    const [linked, copied] = await Promise.all([
      stat(dir.path("b/0.bash.log")),
      stat(dir.path("b/Anna.jsonl")),
    ]);
    expect([linked.nlink, copied.nlink]).toEqual([2, 1]);
    expect(await idOf(to.write("bash", "three"))).toBe("3");
    expect(await idOf(from.write("bash", "two"))).toBe("2");
    expect((await to.read("2")).text).toBe("from an older file");
    await chmod(dir.path("b"), 0o700);
  });

  test("where there are no links, files are copied", async () => {
    await using dir = await createScratchDirectory();
    await dir.write("a/0.bash.log", "zero");
    for (const code of ["EXDEV", "EPERM"]) {
      const faulty = createFaultyStorage(storage, [
        { at: 1, point: "artifact.link", fault: { kind: "fail", code } },
      ]);
      await copyArtifacts(faulty, [dir.path("a")], dir.path(code));
      expect(await dir.read(`${code}/0.bash.log`)).toBe("zero");
      expect((await stat(dir.path(`${code}/0.bash.log`))).nlink).toBe(1);
    }
  });
});
