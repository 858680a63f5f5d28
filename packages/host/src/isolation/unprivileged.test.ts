// The overlay needs no administrator: the same as a user who is nobody. Only an administrator can become one, so
// that whoever runs the tests as a user has proved it with every other test.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { testOverlay } from "./test/mechanisms.ts";

const NOBODY = 65_534;
const FIXTURE = join(import.meta.dir, "unprivileged.fixture.ts");

testOverlay("as a user without any rights", async () => {
  await using repository = await createScratchRepository({ files: { "a.txt": "a\n" } });
  await using place = await createScratchDirectory();
  const isRoot = process.geteuid!() === 0;
  const become = isRoot
    ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--no-new-privs"]
    : [];
  if (isRoot) {
    const owned = Bun.spawnSync([
      "chown",
      "-R",
      `${NOBODY}:${NOBODY}`,
      repository.root,
      place.root,
    ]);
    expect(owned.success).toBe(true);
  }
  const trees = place.path("trees");
  const child = Bun.spawnSync([...become, process.execPath, FIXTURE, repository.root, trees], {
    env: { ...repository.gitEnv, HOME: place.root },
  });
  expect(child.stderr.toString()).toBe("");
  const { said, tree, ...rest } = JSON.parse(child.stdout.toString()) as Record<string, string>;
  expect(said).toBe(`${isRoot ? NOBODY : process.geteuid!()}\n${tree}\nby Tau\n`);
  expect(rest).toEqual({ parent: "a\n", outcome: "applied", merged: "by Tau\nmore\n" });
  expect(await readdir(trees)).toEqual(["locks"]);
});
