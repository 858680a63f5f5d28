import { describe, expect, test } from "bun:test";
import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realDiskCalls, type DiskCalls } from "./disk-calls.ts";
import { isTemporaryName } from "./replace-file.ts";
import { StorageError } from "./storage-error.ts";
import { createDiskStorage } from "./storage.ts";

const POINT = { point: "test.write" };

async function scratch(): Promise<AsyncDisposable & { path: (name: string) => string }> {
  const root = await mkdtemp(join(tmpdir(), "tau-storage-"));
  return {
    path: (name) => join(root, name),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function failureOf(promise: Promise<unknown>): Promise<StorageError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof StorageError) return outcome;
  throw new Error(`expected a StorageError, got ${String(outcome)}`);
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

describe("an append file", () => {
  test("keeps appends in call order without awaiting each one", async () => {
    await using dir = await scratch();
    await using file = await createDiskStorage().open(dir.path("log"), { create: true, ...POINT });
    expect(file.created).toBe(true);
    const lines = Array.from({ length: 200 }, (_, index) => `${index}:${"x".repeat(index)}\n`);
    await Promise.all(lines.map((line) => file.append(bytes(line), POINT)));
    await file.sync(POINT);
    expect(await readFile(dir.path("log"), "utf8")).toBe(lines.join(""));
    expect(await file.size()).toBe(lines.join("").length);
  });

  test("appends to what is there, and needs `create` for what is not", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    const missing = await failureOf(storage.open(dir.path("log"), {}));
    expect(missing).toMatchObject({ code: "ENOENT", operation: "open", path: dir.path("log") });
    await writeFile(dir.path("log"), "old\n");
    await using file = await storage.open(dir.path("log"), { create: true, ...POINT });
    expect(file.created).toBe(false);
    await file.append(bytes("new\n"), POINT);
    expect(await readFile(dir.path("log"), "utf8")).toBe("old\nnew\n");
  });

  test("continues after short writes, also while other appends wait", async () => {
    await using dir = await scratch();
    const calls: DiskCalls = {
      ...realDiskCalls,
      write: async (handle, data, offset) =>
        (await handle.write(data, offset, Math.min(3, data.length - offset), null)).bytesWritten,
    };
    await using file = await createDiskStorage(calls).open(dir.path("log"), {
      create: true,
      ...POINT,
    });
    await Promise.all([
      file.append(bytes("first line\n"), POINT),
      file.append(bytes("second line\n"), POINT),
    ]);
    expect(await readFile(dir.path("log"), "utf8")).toBe("first line\nsecond line\n");
  });

  test("says how much landed when a write stops halfway, and can cut it off", async () => {
    await using dir = await scratch();
    const calls: DiskCalls = {
      ...realDiskCalls,
      async write(handle, data, offset) {
        if (offset > 0) throw systemError("ENOSPC");
        return (await handle.write(data, 0, 4, null)).bytesWritten;
      },
    };
    const storage = createDiskStorage(calls);
    await using file = await storage.open(dir.path("log"), { create: true, ...POINT });
    const failure = await failureOf(file.append(bytes("torn line\n"), POINT));
    expect(failure).toMatchObject({ code: "ENOSPC", operation: "append", written: 4 });
    expect(failure.message).toBe(
      `Cannot append ${dir.path("log")}: the disk is full (ENOSPC). Free some space and try again.`,
    );
    expect(await file.size()).toBe(4);
    await file.truncate(0, POINT);
    expect(await file.size()).toBe(0);
  });

  test("nothing follows a failed append until its place is cleared", async () => {
    await using dir = await scratch();
    let refusals = 1;
    const calls: DiskCalls = {
      ...realDiskCalls,
      write: (handle, data, offset) =>
        refusals-- > 0
          ? Promise.reject(systemError("EIO"))
          : realDiskCalls.write(handle, data, offset),
    };
    const storage = createDiskStorage(calls);
    await using file = await storage.open(dir.path("log"), { create: true, ...POINT });
    const appends = ["one\n", "two\n"].map((line) => failureOf(file.append(bytes(line), POINT)));
    expect((await Promise.all(appends)).map((failure) => failure.code)).toEqual(["EIO", "EIO"]);
    expect(await file.size()).toBe(0);
    await file.truncate(0, POINT);
    await file.append(bytes("three\n"), POINT);
    expect(await readFile(dir.path("log"), "utf8")).toBe("three\n");
  });

  test("a write that makes no progress is reported instead of spinning", async () => {
    await using dir = await scratch();
    const calls: DiskCalls = { ...realDiskCalls, write: () => Promise.resolve(0) };
    const storage = createDiskStorage(calls);
    await using file = await storage.open(dir.path("log"), { create: true, ...POINT });
    expect((await failureOf(file.append(bytes("x"), POINT))).code).toBe("EIO");
  });

  test.skipIf(process.platform !== "linux")("a real full device gives ENOSPC", async () => {
    await using file = await createDiskStorage().open("/dev/full", {});
    expect(await failureOf(file.append(bytes("x"), POINT))).toMatchObject({
      code: "ENOSPC",
      written: 0,
    });
  });

  // The kernel itself writes short here: 1 KiB fits under the limit, the rest does not.
  test.skipIf(process.platform === "win32")("a real short write is reported", async () => {
    await using dir = await scratch();
    const script = `
      const { createDiskStorage } = await import(${JSON.stringify(join(import.meta.dir, "storage.ts"))});
      const file = await createDiskStorage().open(process.argv[1], { create: true, point: "p" });
      try { await file.append(new Uint8Array(5000).fill(65), { point: "p" }); }
      catch (error) { console.log(error.code, error.written); }`;
    const shell = `trap '' XFSZ; ulimit -f 1; exec "$0" -e "$1" "$2"`;
    const command = ["bash", "-c", shell, process.execPath, script, dir.path("log")];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
    expect(await child.stdout.text()).toBe("EFBIG 1024\n");
    expect((await stat(dir.path("log"))).size).toBe(1024);
  });

  test("after a failed sync it promises nothing any more", async () => {
    await using dir = await scratch();
    let failures = 1;
    const calls: DiskCalls = {
      ...realDiskCalls,
      datasync: () => (failures-- > 0 ? Promise.reject(systemError("EIO")) : Promise.resolve()),
    };
    const storage = createDiskStorage(calls);
    await using file = await storage.open(dir.path("log"), { create: true, ...POINT });
    await file.append(bytes("one\n"), POINT);
    expect(await failureOf(file.sync(POINT))).toMatchObject({ code: "EIO", operation: "sync" });
    expect((await failureOf(file.sync(POINT))).code).toBe("EIO");
    expect((await failureOf(file.append(bytes("two\n"), POINT))).code).toBe("EIO");
    await using reopened = await storage.open(dir.path("log"), {});
    await reopened.append(bytes("two\n"), POINT);
    await reopened.sync(POINT);
  });

  test("close waits for pending appends, may be repeated, and ends the file", async () => {
    await using dir = await scratch();
    const file = await createDiskStorage().open(dir.path("log"), { create: true, ...POINT });
    const pending = file.append(bytes("last\n"), POINT);
    await Promise.all([file.close(), file.close()]);
    await pending;
    expect(await readFile(dir.path("log"), "utf8")).toBe("last\n");
    expect((await failureOf(file.append(bytes("x"), POINT))).code).toBe("EBADF");
  });
});

describe("replace", () => {
  test("creates a private file and replaces it, keeping the mode it then has", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    await storage.replace(dir.path("file"), bytes("one"), POINT);
    expect((await stat(dir.path("file"))).mode & 0o777).toBe(0o600);
    await chmod(dir.path("file"), 0o755);
    await storage.replace(dir.path("file"), bytes("two"), { ...POINT, mode: 0o600 });
    expect(await readFile(dir.path("file"), "utf8")).toBe("two");
    expect((await stat(dir.path("file"))).mode & 0o777).toBe(0o755);
    expect(await readdir(dir.path("."))).toEqual(["file"]);
  });

  test("writes through links, also to a target that does not exist yet", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    await writeFile(dir.path("real"), "old");
    await symlink("real", dir.path("link"));
    await symlink("later", dir.path("dangling"));
    await storage.replace(dir.path("link"), bytes("new"), POINT);
    await storage.replace(dir.path("dangling"), bytes("born"), POINT);
    expect(await readFile(dir.path("real"), "utf8")).toBe("new");
    expect(await readFile(dir.path("later"), "utf8")).toBe("born");
    expect((await lstat(dir.path("link"))).isSymbolicLink()).toBe(true);
    expect((await lstat(dir.path("dangling"))).isSymbolicLink()).toBe(true);
    await symlink("loop", dir.path("loop"));
    expect((await failureOf(storage.replace(dir.path("loop"), bytes(""), POINT))).code).toBe(
      "ELOOP",
    );
  });

  test.each(["write", "sync"] as const)("a failing %s leaves the old bytes alone", async (name) => {
    await using dir = await scratch();
    await writeFile(dir.path("file"), "old");
    const calls: DiskCalls = { ...realDiskCalls, [name]: () => Promise.reject(systemError("EIO")) };
    const failure = await failureOf(
      createDiskStorage(calls).replace(dir.path("file"), bytes("new"), POINT),
    );
    expect(failure).toMatchObject({ code: "EIO", operation: "replace", path: dir.path("file") });
    expect(await readFile(dir.path("file"), "utf8")).toBe("old");
    expect(await readdir(dir.path("."))).toEqual(["file"]);
  });

  test("refuses what is not a regular file", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    await storage.makeDirectory(dir.path("sub"), POINT);
    expect((await failureOf(storage.replace(dir.path("sub"), bytes(""), POINT))).code).toBe(
      "EISDIR",
    );
    if (process.platform === "win32") return;
    expect((await failureOf(storage.replace("/dev/null", bytes(""), POINT))).code).toBe("EINVAL");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  });

  test("names its temporary so that a sweep can find it", () => {
    expect(isTemporaryName(".settings.json.0a1b2c3d4e5f.tau-tmp")).toBe(true);
    expect(isTemporaryName("settings.json")).toBe(false);
  });
});

describe("files and directories", () => {
  test("reads ranges, past the end, and files that do not tell their size", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    await writeFile(dir.path("file"), "0123456789");
    const read = async (options?: { start?: number; length?: number }) =>
      new TextDecoder().decode(await storage.read(dir.path("file"), options));
    expect(await read()).toBe("0123456789");
    expect(await read({ start: 4 })).toBe("456789");
    expect(await read({ start: 4, length: 3 })).toBe("456");
    expect(await read({ start: 8, length: 100 })).toBe("89");
    expect(await read({ start: 99 })).toBe("");
    expect(await read({ length: 0 })).toBe("");
    if (process.platform !== "linux") return;
    const status = new TextDecoder().decode(await storage.read("/proc/self/status"));
    expect(status).toContain("Pid:");
  });

  test("createExclusive is won by exactly one of many", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      storage.createExclusive(dir.path("lock"), bytes(String(index)), POINT),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
    const lost = await failureOf(storage.createExclusive(dir.path("lock"), bytes(""), POINT));
    expect(lost).toMatchObject({ code: "EEXIST", operation: "create" });
  });

  test("createExclusive leaves nothing when its write fails", async () => {
    await using dir = await scratch();
    const calls: DiskCalls = {
      ...realDiskCalls,
      write: () => Promise.reject(systemError("ENOSPC")),
    };
    await failureOf(createDiskStorage(calls).createExclusive(dir.path("lock"), bytes("x"), POINT));
    expect(await readdir(dir.path("."))).toEqual([]);
  });

  test("makes, lists, links, renames, stats and removes", async () => {
    await using dir = await scratch();
    const storage = createDiskStorage();
    await storage.makeDirectory(dir.path("a/b/c"), POINT);
    await storage.makeDirectory(dir.path("a/b/c"), POINT);
    expect((await storage.stat(dir.path("a/b")))?.mode).toBe(0o700);
    await storage.replace(dir.path("a/one"), bytes("1"), POINT);
    await storage.link(dir.path("a/one"), dir.path("a/two"), POINT);
    expect((await failureOf(storage.link(dir.path("a/one"), dir.path("a/two"), POINT))).code).toBe(
      "EEXIST",
    );
    await storage.rename(dir.path("a/one"), dir.path("a/b/three"), POINT);
    expect(await storage.list(dir.path("a"))).toEqual([
      { name: "b", kind: "directory" },
      { name: "two", kind: "file" },
    ]);
    expect(await storage.stat(dir.path("a/b/three"))).toMatchObject({ kind: "file", size: 1 });
    expect(await storage.stat(dir.path("a/one"))).toBeUndefined();
    expect(await storage.stat(dir.path("a/two/below"))).toBeUndefined();
    expect((await failureOf(storage.remove(dir.path("a"), POINT))).code).toBe("EISDIR");
    expect(await storage.remove(dir.path("a/two"), POINT)).toBe(true);
    expect(await storage.remove(dir.path("a/two"), POINT)).toBe(false);
    expect(await storage.remove(dir.path("a"), { ...POINT, what: "tree" })).toBe(true);
    expect((await failureOf(storage.list(dir.path("a")))).code).toBe("ENOENT");
  });

  test("every change of a directory is synced, also of directories made on the way", async () => {
    await using dir = await scratch();
    const synced: Set<number> = new Set();
    const calls: DiskCalls = {
      ...realDiskCalls,
      async sync(handle) {
        synced.add((await handle.stat()).ino);
        await handle.sync();
      },
    };
    const storage = createDiskStorage(calls);
    if (process.platform === "win32") return;
    const inode = async (name: string) => (await stat(dir.path(name))).ino;
    await storage.makeDirectory(dir.path("a/b/c"), POINT);
    expect(synced).toEqual(new Set([await inode("."), await inode("a"), await inode("a/b")]));
    const changes = [
      () =>
        storage.open(dir.path("a/log"), { create: true, ...POINT }).then((file) => file.close()),
      () => storage.rename(dir.path("a/log"), dir.path("a/moved"), POINT),
      () => storage.link(dir.path("a/moved"), dir.path("a/linked"), POINT),
      () => storage.remove(dir.path("a/linked"), POINT),
      () => storage.replace(dir.path("a/moved"), bytes("x"), POINT),
      () => storage.createExclusive(dir.path("a/lock"), bytes("x"), POINT),
    ];
    for (const change of changes) {
      synced.clear();
      await change();
      expect(synced).toContain(await inode("a"));
    }
  });
});
