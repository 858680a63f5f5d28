// A Tau that is killed leaves trees, mounts and half of a merge; the next start leaves nothing of them, and whatever a
// living one has stays as it is.

import { existsSync } from "node:fs";
import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "bun:test";
import {
  createScratchDirectory,
  createScratchRepository,
  type ScratchRepository,
} from "@tau/testkit/scratch";
import { inMergeRoom } from "./merge-room.ts";
import { processesWithMark } from "../process/process-tree.ts";
import { isolated, testEach } from "./test/mechanisms.ts";
import { snapshotOf } from "./test/tree-snapshot.ts";
import { tidyIsolation } from "./tidy-isolation.ts";
import { processes, readRecord, removeDirectory } from "./tree-record.ts";
import { writeTree } from "./write-tree.ts";

const FIXTURE = join(import.meta.dir, "tidy.fixture.ts");

const KILL_ROUNDS = 12;
/** By then a tree is there. */
const LATEST_KILL_MS = 400;

async function startTau(
  repository: ScratchRepository,
  directory: string,
  words: readonly string[],
) {
  const child = Bun.spawn([process.execPath, FIXTURE, repository.root, directory, ...words], {
    env: { ...repository.gitEnv, HOME: dirname(directory), TAU_TIDY_TEST: directory },
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const { root, argv } = JSON.parse(Buffer.from(value!).toString()) as {
    root: string;
    argv: string[];
  };
  const holder = Number(argv[argv.indexOf("--target") + 1]);
  return { child, root, holder: Number.isNaN(holder) ? undefined : holder };
}

testEach(
  "killed: the next start removes its trees and leaves those of the living",
  async (mechanism) => {
    await using repository = await createScratchRepository({ files: { "a.txt": "a\n" } });
    await using place = await createScratchDirectory();
    const trees = place.path("trees");
    const gitFiles = (await readdir(repository.path(".git"), { recursive: true })).toSorted();
    const dead = await startTau(repository, trees, ["dead", mechanism]);
    await using living = await isolated(repository, trees, { mechanism, id: "living" });
    await writeFile(join(dead.root, "a.txt"), "work that is lost\n");
    expect(await tidyIsolation(trees, repository.gitEnv)).toEqual([]);
    dead.child.kill("SIGKILL");
    await dead.child.exited;
    expect(await tidyIsolation(trees, repository.gitEnv)).toEqual(["dead"]);
    expect((await readdir(trees)).toSorted()).toEqual(["living"]);
    expect(await Bun.file(join(living.root, "a.txt")).text()).toBe("a\n");
    // It goes with Tau, at the latest when it is tidied.
    while (dead.holder !== undefined && existsSync(`/proc/${dead.holder}/root/`))
      await Bun.sleep(5);
    expect(processesWithMark(`TAU_TIDY_TEST=${trees}`)).toEqual([]);
    const left = await readdir(repository.path(".git"), { recursive: true });
    expect(left.toSorted()).toEqual(gitFiles);
    expect(await snapshotOf(repository.root)).toEqual({ "a.txt": "file a\n" });
  },
);

testEach(
  "killed at any moment: nothing is left that is not tidied",
  async (mechanism) => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`d${at % 9}/${at}`, `${at}\n`]),
    );
    await using repository = await createScratchRepository({ files });
    await using place = await createScratchDirectory();
    const trees = place.path("trees");
    const before = await snapshotOf(repository.root);
    for (let round = 0; round < KILL_ROUNDS; round++) {
      const words = [FIXTURE, repository.root, trees, `t${round}`, mechanism];
      const child = Bun.spawn([process.execPath, ...words], {
        env: { ...repository.gitEnv, HOME: place.root },
        stdout: "ignore",
        stderr: "ignore",
      });
      await Bun.sleep((round * LATEST_KILL_MS) / KILL_ROUNDS);
      child.kill("SIGKILL");
      await child.exited;
      await tidyIsolation(trees, repository.gitEnv);
      const left = existsSync(trees) ? await readdir(trees) : [];
      // Only what died before it could say whose it is, and that is empty.
      for (const name of left) {
        expect(await readdir(join(trees, name))).toEqual([]);
        await utimes(join(trees, name), 1, 1);
      }
      expect(await tidyIsolation(trees, repository.gitEnv)).toEqual(left);
    }
    expect(await snapshotOf(repository.root)).toEqual(before);
    expect(await repository.status()).toEqual([]);
  },
  60_000,
);

test("a directory without a record is left to whoever is making it, for a while", async () => {
  await using place = await createScratchDirectory();
  await place.write("young/x", "");
  await place.write("old/owner.json", "{ torn");
  await utimes(place.path("old"), 1, 1);
  expect(await tidyIsolation(place.root, process.env)).toEqual(["old"]);
  expect(await readdir(place.root)).toEqual(["young"]);
  expect(await tidyIsolation(place.path("nowhere"), process.env)).toEqual([]);
});

test("a merge that was half written is undone", async () => {
  await using repository = await createScratchRepository({
    files: { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" },
  });
  await using place = await createScratchDirectory();
  const merging = { root: repository.root, directory: place.root, env: repository.gitEnv };
  const kept = place.path("kept");
  // The room of a merge that is written, as it was before it was removed.
  await inMergeRoom(merging, { repository: "", objects: [] }, async (room) => {
    const { git, now } = room;
    const blob = await git.word(["hash-object", "-w", "--stdin"], {
      input: Buffer.from("new content\n"),
    });
    const index = join(git.directory, "next");
    const lines = ["a.txt", "c.txt", "new.txt"].map((path) => `100644 ${blob} 0\t${path}\n`);
    await git.run(["read-tree", now.tree], { index });
    await git.run(["update-index", "--index-info"], { index, input: Buffer.from(lines.join("")) });
    await git.run(["update-index", "--force-remove", "b.txt"], { index });
    await writeTree(room, await git.word(["write-tree"], { index }));
    expect(Bun.spawnSync(["cp", "-a", room.directory, kept]).success).toBe(true);
  });
  const after = await snapshotOf(repository.root);
  expect(after).toEqual({
    "a.txt": "file new content\n",
    "c.txt": "file new content\n",
    "d.txt": "file d\n",
    "new.txt": "file new content\n",
  });
  const died = async (): Promise<void> => {
    const record = readRecord(kept)!;
    const owner = { ...(await processes.self()), start: "1" };
    const again = place.path("merge-again");
    expect(Bun.spawnSync(["cp", "-a", kept, again]).success).toBe(true);
    await writeFile(join(again, "owner.json"), JSON.stringify({ ...record, owner }));
  };
  // One that was written to its end stays.
  await died();
  expect(await tidyIsolation(place.root, repository.gitEnv)).toEqual(["merge-again"]);
  expect(await snapshotOf(repository.root)).toEqual(after);
  // One file not begun, one torn; and one that the user has changed since is the user's.
  await repository.write("c.txt", "new con");
  await repository.write("a.txt", "a\n");
  await died();
  expect(await tidyIsolation(place.root, repository.gitEnv)).toEqual(["merge-again"]);
  expect(await snapshotOf(repository.root)).toEqual({
    "a.txt": "file a\n",
    "b.txt": "file b\n",
    "c.txt": "file c\n",
    "d.txt": "file d\n",
  });
  await removeDirectory(kept);
  await rm(place.path("locks"), { recursive: true });
});
