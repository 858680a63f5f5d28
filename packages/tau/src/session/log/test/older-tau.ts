// The sources of an older Tau beside this one, for tests of what the two make of one file.

import { readdir, symlink, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ScratchDirectory } from "@tau/testkit/scratch";

const root = join(import.meta.dir, "..", "..", "..", "..", "..", "..");

/** The last commit before entries that stand aside were marked on their lines. */
export const BEFORE_ASIDE = "8e106d0";

/** Whether the clone has it: a shallow one may not. */
export function hasCommit(commit: string): boolean {
  const asked = Bun.spawnSync(["/usr/bin/env", "git", "cat-file", "-e", `${commit}^{commit}`], {
    cwd: root,
  });
  return asked.exitCode === 0;
}

/** Its packages, with the dependencies of this one; the path of its root. */
export async function unpackTau(commit: string, dir: ScratchDirectory): Promise<string> {
  const to = dir.path("older");
  await mkdir(join(to, "node_modules"), { recursive: true });
  const archive = dir.path("older.tar");
  run(["git", "archive", "-o", archive, commit, "packages", "package.json"], root);
  run(["tar", "-xf", archive], to);
  const modules = join(root, "node_modules");
  for (const name of await readdir(modules)) {
    // Its own packages, not ours.
    if (name !== "@tau") await symlink(join(modules, name), join(to, "node_modules", name));
  }
  await mkdir(join(to, "node_modules", "@tau"));
  for (const name of await readdir(join(to, "packages"))) {
    await symlink(join(to, "packages", name), join(to, "node_modules", "@tau", name));
  }
  return to;
}

function run(command: string[], cwd: string): void {
  const done = Bun.spawnSync(["/usr/bin/env", ...command], { cwd });
  if (done.exitCode !== 0) throw new Error(`${command[0]}: ${done.stderr.toString()}`);
}
