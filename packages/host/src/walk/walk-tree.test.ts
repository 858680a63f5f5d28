import { expect, test } from "bun:test";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { walkTree, type WalkedEntry } from "./walk-tree.ts";

async function entriesOf(root: string, maxDepth?: number): Promise<WalkedEntry[]> {
  const all: WalkedEntry[] = [];
  await walkTree({
    root,
    gitignore: true,
    hidden: true,
    maxDepth,
    onEntries(entries) {
      all.push(...entries);
      return true;
    },
  });
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

test.skipIf(process.platform === "win32")(
  "reports links and special files, follows none",
  async () => {
    await using scratch = await createScratchDirectory();
    await scratch.write("d/f", "x");
    await symlink(scratch.root, scratch.path("d/loop"));
    await symlink("nowhere", scratch.path("broken"));
    expect(
      Bun.spawnSync(["mkfifo", scratch.path("fifo"), scratch.path("d/.gitignore")]).success,
    ).toBe(true);
    const kinds = (await entriesOf(scratch.root)).map(({ path, kind }) => `${path} ${kind}`);
    expect(kinds).toEqual([
      "broken link",
      "d directory",
      "d/.gitignore other",
      "d/f file",
      "d/loop link",
      "fifo other",
    ]);
  },
);

test("goes no deeper than it is told", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("a/b/c/d", "x");
  expect((await entriesOf(scratch.root, 2)).map(({ path }) => path)).toEqual(["a", "a/b"]);
});

test.skipIf(process.platform !== "linux")("names that are no UTF-8 can be reached", async () => {
  await using scratch = await createScratchDirectory();
  const directory = Buffer.concat([Buffer.from(`${scratch.root}/d`), Buffer.from([0xfe])]);
  await mkdir(directory);
  for (const last of [0xfd, 0xff]) {
    await writeFile(Buffer.concat([directory, Buffer.from("/x"), Buffer.from([last])]), "x");
  }
  const found = await entriesOf(scratch.root);
  expect(found.map(({ path }) => path)).toEqual(["d\ufffd", "d\ufffd/x\ufffd", "d\ufffd/x\ufffd"]);
  const lastBytes = found.slice(1).map(({ location }) => (location as Buffer).at(-1));
  expect(lastBytes.sort()).toEqual([0xfd, 0xff]);
});

test.skipIf(process.platform === "win32")("counts directories that cannot be read", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("closed/f", "x");
  await chmod(scratch.path("closed"), 0);
  const report = await walkTree({
    root: scratch.root,
    gitignore: true,
    hidden: true,
    onEntries: () => true,
  });
  await chmod(scratch.path("closed"), 0o755);
  // Nothing is closed to the superuser.
  expect(report.unreadable).toBe(process.getuid?.() === 0 ? 0 : 1);
});

test("ends with what it has when the time is up, when stopped, and rejects when aborted", async () => {
  await using scratch = await createScratchDirectory();
  for (let index = 0; index < 50; index += 1) await scratch.write(`d${index}/f`, "x");
  const options = { root: scratch.root, gitignore: true, hidden: true };
  let seen = 0;
  const slow = await walkTree({
    ...options,
    deadline: performance.now() + 20,
    async onEntries(entries) {
      seen += entries.length;
      await Bun.sleep(30);
      return true;
    },
  });
  expect(slow.end).toBe("timeout");
  expect(seen).toBeLessThan(100);
  const stopped = await walkTree({ ...options, onEntries: () => false });
  expect(stopped).toMatchObject({ end: "stopped", entries: 50 });
  const controller = new AbortController();
  const aborted = walkTree({
    ...options,
    signal: controller.signal,
    onEntries: () => {
      controller.abort(new Error("enough"));
      return true;
    },
  });
  await expect(aborted).rejects.toThrow("enough");
});

test("a bug of whoever consumes the entries is not swallowed", async () => {
  await using scratch = await createScratchDirectory();
  await scratch.write("f", "x");
  const walk = walkTree({
    root: scratch.root,
    gitignore: true,
    hidden: true,
    onEntries: () => {
      throw new Error("a bug");
    },
  });
  await expect(walk).rejects.toThrow("a bug");
});
