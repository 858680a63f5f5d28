// What a stranger does: clone, start. No node_modules, no Bun on the PATH, install scripts
// blocked. Takes the files as they are in the working tree.

import { expect, test } from "bun:test";
import { createScratchDirectory, isolatedHome, type ScratchDirectory } from "@tau/testkit/scratch";
import { cp, mkdir, readdir, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { root, runTau } from "./support/run-tau.ts";

const INSTALL_TIMEOUT_MS = 180_000;

async function cloneInto(scratch: ScratchDirectory): Promise<string> {
  const listed = Bun.spawnSync(
    ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
    },
  );
  const clone = scratch.path("clone");
  for (const path of listed.stdout.toString().split("\0").filter(Boolean)) {
    if (!(await Bun.file(join(root, path)).exists())) continue;
    await mkdir(dirname(join(clone, path)), { recursive: true });
    await cp(join(root, path), join(clone, path));
  }
  return clone;
}

/** A PATH with the ordinary tools, Node and npm, and nothing else of this machine. */
async function plainPath(scratch: ScratchDirectory): Promise<string> {
  const bin = scratch.path("bin");
  await mkdir(bin, { recursive: true });
  for (const program of ["node", "npm"]) await symlink(Bun.which(program)!, join(bin, program));
  return `${bin}:/usr/bin:/bin`;
}

test(
  "a fresh clone installs once, answers, and installs nothing the second time",
  async () => {
    await using scratch = await createScratchDirectory();
    await using home = await isolatedHome();
    const clone = await cloneInto(scratch);
    const env = {
      PATH: await plainPath(scratch),
      // The user's own registry and cache: where packages come from is not what is tested.
      npm_config_userconfig: join(process.env.HOME ?? "/root", ".npmrc"),
      npm_config_cache: process.env.npm_config_cache ?? join(process.env.HOME ?? "/root", ".npm"),
      npm_config_ignore_scripts: "true",
    };
    expect(Bun.which("bun", { PATH: env.PATH })).toBeNull();
    const program = [join(clone, "tau")];
    const start = (prompt: string) => runTau(["-p", prompt], { cwd: clone, home, env, program });

    const [first, beside] = await Promise.all([start("look around"), start("what can you do?")]);
    expect(first.exitCode).toBe(0);
    expect(first.stdout).toContain("packages/");
    expect(first.stdout).toContain("Tau");
    expect(beside.exitCode).toBe(0);
    expect(`${first.stderr}${beside.stderr}`.match(/Installing/g)).toHaveLength(1);

    const before = await readdir(join(clone, "node_modules"));
    expect(before).not.toContain("oxlint");
    const second = await start("look around");
    expect(second).toEqual({ stdout: first.stdout, stderr: "", exitCode: 0 });
    expect(await readdir(join(clone, "node_modules"))).toEqual(before);

    // A source that has changed is what runs, without anybody building anything.
    const brand = join(clone, "packages/tau/src/brand.ts");
    await Bun.write(
      brand,
      (await Bun.file(brand).text()).replace(/VERSION = "[^"]+"/, 'VERSION = "9.9.9"'),
    );
    const help = await runTau(["--help"], { cwd: clone, home, env, program });
    expect(help.stdout).toStartWith("Tau 9.9.9: ");

    // Compiling on the way leaves one process, with the identity that its parent knows.
    await Bun.write(brand, (await Bun.file(brand).text()).replace("9.9.9", "9.9.10"));
    const cwd = scratch.root;
    const child = Bun.spawn([...program, "--mode", "rpc"], {
      cwd,
      env: { ...home.env, ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    await child.stdout.getReader().read();
    if (process.platform === "linux") {
      const executable = await realpath(`/proc/${child.pid}/exe`);
      expect(executable).toBe(await realpath(join(clone, "node_modules/.tau/tau")));
      expect(await realpath(`/proc/${child.pid}/cwd`)).toBe(await realpath(cwd));
    }
    await child.stdin.end();
    expect(await child.exited).toBe(0);

    // Sources that do not compile say themselves what is wrong with them.
    await Bun.write(brand, "export const VERSION = ;");
    const broken = await runTau(["--help"], { cwd: clone, home, env, program });
    expect(broken.exitCode).toBe(1);
    expect(broken.stderr).toContain("brand.ts");
  },
  INSTALL_TIMEOUT_MS,
);
