// A clone that names a program for everything git can be made to run one for: isolating it, taking its changes and
// merging them runs none of them.

import { readdirSync } from "node:fs";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "bun:test";
import { GIT_ALIASES, GIT_PROGRAM_KEYS } from "@tau/testkit/git-program-keys";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { mergeBranch } from "./merge-branch.ts";
import { mergePatch } from "./merge-patch.ts";
import { isolated, testEach } from "./test/mechanisms.ts";

const HOOKS = (
  "post-index-change post-checkout pre-commit post-commit post-merge " +
  "reference-transaction fsmonitor-watchman query-watchman pre-applypatch"
).split(" ");

testEach("nothing of a hostile clone is run", async (mechanism) => {
  await using repository = await createScratchRepository({
    files: { "a.f": "one\n", "b.txt": "two\n", ".gitattributes": "*.f filter=x diff=x merge=x\n" },
  });
  await using place = await createScratchDirectory();
  const ran = place.path("ran");
  await mkdir(ran);
  const trap = await place.write("trap.sh", `#!/bin/sh\necho "$0 $*" > "${ran}/$$"\nexit 1\n`);
  await chmod(trap, 0o755);
  for (const key of GIT_PROGRAM_KEYS) await repository.git("config", key, `${trap} '${key}'`);
  for (const name of GIT_ALIASES) await repository.git("config", `alias.${name}`, `!${trap} alias`);
  await repository.git("config", "filter.x.required", "true");
  await repository.git("-c", "protocol.file.allow=always", "init", "-q", "sub");
  await repository.git("-C", "sub", "config", "core.fsmonitor", trap);
  await repository.write("sub/s.txt", "s\n");
  await mkdir(repository.path(".git/hooks"), { recursive: true });
  for (const hook of HOOKS) await symlink(trap, repository.path(`.git/hooks/${hook}`));
  await repository.write("a.f", "ONE\n");
  await repository.write("new.f", "new\n");

  await using tree = await isolated(repository, place.path("trees"), { mechanism });
  await writeFile(join(tree.root, "a.f"), "one, by the agent\n");
  await writeFile(join(tree.root, "b.txt"), "two, by the agent\n");
  const { patches } = await tree.changes();
  const merging = { root: repository.root, directory: place.path("trees"), env: repository.gitEnv };
  expect((await mergePatch(merging, patches[0]!)).kind).toBe("applied");
  await writeFile(join(tree.root, "b.txt"), "again\n");
  const [again] = (await tree.changes()).patches;
  const commit = { id: "x", message: "x" };
  await expect(mergeBranch(merging, again!, commit)).rejects.toThrow("a.f goes through a filter");
  expect(await mergeBranch(merging, { ...again!, files: ["b.txt"] }, commit)).toMatchObject({
    kind: expect.stringMatching(/committed|conflict/),
  });
  expect(readdirSync(ran)).toEqual([]);
  expect(await repository.read("a.f")).toBe("one, by the agent\n");
  // The traps are real.
  await repository.git("status", "--porcelain").catch(() => {});
  expect(readdirSync(ran).length).toBeGreaterThan(0);
});
