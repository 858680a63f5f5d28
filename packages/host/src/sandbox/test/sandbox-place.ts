// A home with secrets and a project in it, and commands that run there in a sandbox of bubblewrap's.

import { mkdir, symlink } from "node:fs/promises";
import type { ScratchDirectory } from "@tau/testkit/scratch";
import { openSandbox, type ConfiningSandbox } from "../sandbox.ts";
import type { SandboxOptions } from "../sandbox-places.ts";

export const SECRET = "hunter2";

interface Place {
  scratch: ScratchDirectory;
  options: SandboxOptions;
}

export async function place(scratch: ScratchDirectory): Promise<Place> {
  for (const name of ["home/work", "temporary", "outside"])
    await mkdir(scratch.path(name), { recursive: true });
  await scratch.write("home/.ssh/id", SECRET);
  await scratch.write("home/.config/gh/hosts.yml", SECRET);
  await scratch.write("home/.netrc", SECRET);
  await scratch.write("home/.profile", "fine");
  await scratch.write("real-aws/credentials", SECRET);
  await symlink(scratch.path("real-aws"), scratch.path("home/.aws"));
  await scratch.write("own-secret", SECRET);
  return {
    scratch,
    options: {
      workspace: scratch.path("home/work"),
      temporary: scratch.path("temporary"),
      hidden: [scratch.path("own-secret")],
      network: "on",
      home: scratch.path("home"),
    },
  };
}

export async function confined(options: SandboxOptions): Promise<ConfiningSandbox> {
  const sandbox = await openSandbox(options, { kind: "bubblewrap" });
  if (sandbox.kind === "none") throw new Error(sandbox.why);
  return sandbox;
}

export async function run(
  options: SandboxOptions,
  command: string,
  env: Record<string, string> = {},
): Promise<{ exitCode: number | null; output: string }> {
  const argv = (await confined(options)).wrap(["sh", "-c", `exec 2>&1; ${command}`]);
  const child = Bun.spawn(argv, {
    cwd: options.workspace,
    env: { PATH: process.env.PATH, HOME: options.home, LC_ALL: "C", ...env },
    stderr: "inherit",
  });
  const output = await child.stdout.text();
  await child.exited;
  return { exitCode: child.exitCode, output };
}
