import { describe, expect, test } from "bun:test";
import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { createDiskStorage, type Storage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { changeFiles, MAX_CHANGED_FILES, type ChangeOptions } from "./change-files.ts";
import { editsDirectory, EditJournal } from "./edit-journal.ts";
import { withEditLock } from "./edit-lock.ts";
import { markOf, type FileChange } from "./file-change.ts";
import { FileProblem } from "./file-problem.ts";
import { recoverEdits } from "./recover-edits.ts";
import { seeContents } from "./test/changed-tree.ts";

const disk = createDiskStorage();

function change(scratch: ScratchDirectory, changes: FileChange[], more?: Partial<ChangeOptions>) {
  const show = (path: string) => path.replace(`${scratch.root}/`, "");
  return changeFiles(changes, { agentDirectory: scratch.path("agent"), show, ...more });
}

async function problemOf(promise: Promise<unknown>): Promise<FileProblem> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FileProblem);
  return error as FileProblem;
}

describe("what is there is checked", () => {
  test("another text, a file that is gone, one that is there: refused, nothing written", async () => {
    await using scratch = await createScratchDirectory();
    const a = await scratch.write("f/a", "a\n");
    const b = await scratch.write("f/b", "b\n");
    const tree = await seeContents(scratch.path("f"));
    const good = { path: a, before: "a\n", after: "A\n" };
    const bad: [FileChange, string][] = [
      [{ path: b, before: "c\n", after: "B\n" }, "changed"],
      [{ path: scratch.path("f/none"), before: "x", after: "y" }, "changed"],
      [{ path: b, before: undefined, after: "new" }, "exists"],
      [{ path: b, before: "b\n", after: "b\n", moveTo: a }, "exists"],
      [{ path: a, before: "a\n", after: "twice\n" }, "named_twice"],
      [{ path: b, before: "b\n", after: "\ud800" }, "half_character"],
      [{ path: b, before: "b\n", after: "x".repeat(16 * 1024 * 1024 + 1) }, "too_large"],
      [{ path: scratch.path("f"), before: "x", after: "y" }, "directory"],
    ];
    for (const [one, code] of bad) {
      const problem = await problemOf(change(scratch, [good, one]));
      expect(problem.code as string).toBe(code);
      expect(problem.message).toMatch(/f\b.*\. [A-Z].*\.$/s);
      expect(await seeContents(scratch.path("f"))).toEqual(tree);
    }
    const many = Array.from({ length: MAX_CHANGED_FILES + 1 }, () => good);
    expect((await problemOf(change(scratch, many))).code).toBe("too_many");
  });

  test("a change from outside between preparation and move is seen, and earlier moves go back", async () => {
    await using scratch = await createScratchDirectory();
    const a = await scratch.write("f/a", "a\n");
    const b = await scratch.write("f/b", "b\n");
    // Somebody writes to the second file right after the first one was moved into place.
    const storage: Storage = {
      ...disk,
      async rename(from, to, options) {
        await disk.rename(from, to, options);
        if (to === a && options.point === "edit.move") await writeFile(b, "theirs\n");
      },
    };
    const both = [
      { path: a, before: "a\n", after: "A\n" },
      { path: b, before: "b\n", after: "B\n" },
    ];
    expect((await problemOf(change(scratch, both, { storage }))).code).toBe("changed");
    expect(await seeContents(scratch.path("f"))).toEqual({ a: "a\n", b: "theirs\n" });
    expect(await recoverEdits(scratch.path("agent"))).toEqual([]);
  });

  test("a mark stands for a file that was not read", async () => {
    await using scratch = await createScratchDirectory();
    const path = await scratch.write("f/a", "\xff\x00old");
    const mark = markOf((await disk.stat(path))!);
    await change(scratch, [{ path, before: mark, after: "new\n" }]);
    expect(await scratch.read("f/a")).toBe("new\n");
    const again = change(scratch, [{ path, before: mark, after: "newer\n" }]);
    expect((await problemOf(again)).code).toBe("changed");
  });
});

describe("what kind of file it is", () => {
  test("links are followed, dangling ones refused, and no link is removed or moved", async () => {
    await using scratch = await createScratchDirectory();
    const real = await scratch.write("elsewhere/real", "r\n");
    await mkdir(scratch.path("f"));
    const alias = scratch.path("f/alias");
    await symlink("../elsewhere/real", alias);
    await symlink("nowhere", scratch.path("f/dangling"));
    const { files } = await change(scratch, [{ path: alias, before: "r\n", after: "R\n" }]);
    expect(files).toEqual([{ path: alias, target: real, madeExecutable: false }]);
    expect(await seeContents(scratch.path("f"))).toEqual({
      alias: "-> ../elsewhere/real",
      dangling: "-> nowhere",
    });
    const dangling = { path: scratch.path("f/dangling"), before: undefined, after: "x" };
    expect((await problemOf(change(scratch, [dangling]))).message).toContain("f/nowhere");
    const removal = { path: alias, before: "R\n", after: undefined };
    expect((await problemOf(change(scratch, [removal]))).message).toContain("elsewhere/real");
    const twice = [
      { path: alias, before: "R\n", after: "1" },
      { path: real, before: "R\n", after: "2" },
    ];
    expect((await problemOf(change(scratch, twice))).code).toBe("named_twice");
  });

  test("pipes and devices do not hang, read-only files are refused", async () => {
    await using scratch = await createScratchDirectory();
    const pipe = scratch.path("pipe");
    expect(await Bun.spawn(["mkfifo", pipe]).exited).toBe(0);
    for (const path of [pipe, "/dev/null"]) {
      const one = { path, before: "x", after: "y" };
      expect((await problemOf(change(scratch, [one]))).code).toBe("special");
    }
    const path = await scratch.write("fixed", "x");
    await chmod(path, 0o444);
    const problem = await problemOf(change(scratch, [{ path, before: "x", after: "y" }]));
    expect(problem.code).toBe("read_only");
    expect(problem.message).toContain("chmod u+w");
  });

  test("permissions stay; a script becomes executable for those who may read it", async () => {
    await using scratch = await createScratchDirectory();
    const old = await scratch.write("old.sh", "x");
    await chmod(old, 0o640);
    const made = scratch.path("deep/er/new.sh");
    const { files } = await change(scratch, [
      { path: old, before: "x", after: "#!", isExecutable: true },
      { path: made, before: undefined, after: "#!", isExecutable: true },
    ]);
    expect(files.map((file) => file.madeExecutable)).toEqual([true, true]);
    expect((await stat(old)).mode & 0o777).toBe(0o750);
    expect((await stat(made)).mode & 0o100).toBe(0o100);
    const same = await change(scratch, [
      { path: old, before: "#!", after: "#!", isExecutable: true },
    ]);
    expect(same.files[0]!.madeExecutable).toBe(false);
  });
});

describe("other processes", () => {
  test("who waits too long for the lock is told so, and an abort ends the wait", async () => {
    await using scratch = await createScratchDirectory();
    const path = await scratch.write("a", "a");
    const directory = editsDirectory(scratch.path("agent"));
    await mkdir(directory, { recursive: true });
    const one: FileChange = { path, before: "a", after: "b" };
    await withEditLock(directory, {}, async () => {
      expect((await problemOf(change(scratch, [one], { lockWaitMs: 30 }))).code).toBe("busy");
      const signal = AbortSignal.timeout(30);
      expect(change(scratch, [one], { signal })).rejects.toThrow();
    });
    expect(await scratch.read("a")).toBe("a");
    await change(scratch, [one]);
    expect(await scratch.read("a")).toBe("b");
  });

  test("whoever changes files next mends first what another left", async () => {
    await using scratch = await createScratchDirectory();
    const [a, b] = [await scratch.write("f/a", "a\n"), await scratch.write("f/b", "b\n")];
    await leaveHalfDone(scratch, [a, b]);
    const late = change(scratch, [{ path: a, before: "A\n", after: "AA\n" }]);
    // What it was made for was a half of somebody's change, and is gone.
    expect((await problemOf(late)).code).toBe("changed");
    expect(await seeContents(scratch.path("f"))).toEqual({ a: "a\n", b: "b\n" });
  });

  test("what somebody has written since an interrupted change is left alone", async () => {
    await using scratch = await createScratchDirectory();
    const [a, b] = [await scratch.write("f/a", "a\n"), await scratch.write("f/b", "b\n")];
    await leaveHalfDone(scratch, [a, b]);
    await writeFile(b, "worked on\n");
    const [recovered, ...more] = await recoverEdits(scratch.path("agent"));
    expect(more).toEqual([]);
    expect(recovered).toMatchObject({ outcome: "partly", paths: [a, b], leftAlone: [b] });
    expect(recovered!.message).toContain(b);
    expect(await seeContents(scratch.path("f"))).toEqual({ a: "a\n", b: "worked on\n" });
  });

  test("a note of another version is kept and told of", async () => {
    await using scratch = await createScratchDirectory();
    const note = await scratch.write("agent/edits/later.json", '{"version":2,"steps":[]}');
    const [first] = await recoverEdits(scratch.path("agent"));
    expect(first).toMatchObject({ outcome: "failed", paths: [] });
    expect(first!.message).toContain(note);
    expect(await readFile(note, "utf8")).toContain('"version":2');
  });
});

test("a start is not held up by a note that cannot be read", async () => {
  await using scratch = await createScratchDirectory();
  const agent = scratch.path("agent");
  await mkdir(scratch.path("agent/edits/odd.json"), { recursive: true });
  const [only, ...more] = await recoverEdits(agent);
  expect(more).toEqual([]);
  expect(only).toMatchObject({ outcome: "failed", paths: [] });
  expect(only!.message).toContain("odd.json");
});

test("without a place for the journal single files can still be changed", async () => {
  await using scratch = await createScratchDirectory();
  const [a, b] = [await scratch.write("f/a", "a"), await scratch.write("f/b", "b")];
  const agentDirectory = await scratch.write("file", "not a directory");
  const one = { path: a, before: "a", after: "A" };
  await change(scratch, [one], { agentDirectory });
  const both = [
    { path: a, before: "A", after: "AA" },
    { path: b, before: "b", after: "B" },
  ];
  expect((await problemOf(change(scratch, both, { agentDirectory }))).code).toBe("no_journal");
  expect(await seeContents(scratch.path("f"))).toEqual({ a: "A", b: "b" });
});

test("a file system without second names keeps copies instead", async () => {
  await using scratch = await createScratchDirectory();
  const [a, b] = [await scratch.write("f/a", "a"), await scratch.write("f/b", "b")];
  await chmod(a, 0o600);
  const storage: Storage = {
    ...disk,
    link: (_existing, path) =>
      Promise.reject(new StorageError({ code: "EPERM", path, operation: "link" })),
    rename: (from, to, options) =>
      to === b && options.point === "edit.move"
        ? Promise.reject(new StorageError({ code: "EIO", path: from, operation: "rename" }))
        : disk.rename(from, to, options),
  };
  const both = [
    { path: a, before: "a", after: "A" },
    { path: b, before: "b", after: "B" },
  ];
  expect(change(scratch, both, { storage })).rejects.toBeInstanceOf(StorageError);
  await change(scratch, [{ path: b, before: "b", after: "b2" }]);
  expect(await seeContents(scratch.path("f"))).toEqual({ a: "a", b: "b2" });
  expect((await stat(a)).mode & 0o777).toBe(0o600);
});

/** The first of two files changed, the second not, and the process gone. */
async function leaveHalfDone(scratch: ScratchDirectory, paths: string[]): Promise<void> {
  const directory = editsDirectory(scratch.path("agent"));
  await mkdir(directory, { recursive: true });
  const { printOf } = await import("./edit-step.ts");
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  const steps = paths.map((target, at) => ({
    kind: "replace" as const,
    target,
    temporary: `${target}.new`,
    backup: `${target}.old`,
    before: printOf(Buffer.from(texts[at]!)),
    after: printOf(Buffer.from(texts[at]!.toUpperCase())),
  }));
  await EditJournal.begin(disk, directory, steps);
  for (const { target, backup } of steps) await link(target, backup);
  await disk.replace(paths[0]!, Buffer.from(texts[0]!.toUpperCase()), { point: "test" });
  expect((await readdir(directory)).length).toBeGreaterThan(0);
}
