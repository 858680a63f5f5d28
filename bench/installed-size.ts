// What a user has on disk after the first start: Tau's sources and its runtime
// dependencies, with Bun itself counted apart.

import { createScratchDirectory } from "@tau/testkit/scratch";
import { cp, mkdir, readdir, lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface InstalledSize {
  sourceBytes: number;
  dependencyBytes: number;
  bunBytes: number;
}

export async function measureInstalledSize(root: string): Promise<InstalledSize> {
  await using scratch = await createScratchDirectory();
  const listed = Bun.spawnSync(["git", "ls-files", "-z"], { cwd: root }).stdout.toString();
  for (const path of listed.split("\0").filter(Boolean)) {
    if (!(await Bun.file(join(root, path)).exists())) continue;
    await mkdir(dirname(scratch.path(path)), { recursive: true });
    await cp(join(root, path), scratch.path(path));
  }
  const sourceBytes = await sizeOf(scratch.root);
  const install = Bun.spawnSync(["node", "scripts/install.mjs", "runtime"], {
    cwd: scratch.root,
    stderr: "pipe",
  });
  if (install.exitCode !== 0) throw new Error(`install failed: ${install.stderr.toString()}`);
  const modules = join(scratch.root, "node_modules");
  const bunBytes = (await sizeOf(join(modules, "@oven"))) + (await sizeOf(join(modules, "bun")));
  return { sourceBytes, bunBytes, dependencyBytes: (await sizeOf(modules)) - bunBytes };
}

/** Links are not followed: workspaces are links to sources that are counted already. */
async function sizeOf(path: string): Promise<number> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) return stat.size;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
