// Commands: what the first one costs with everything that starts for it, and what a program that
// prints a gigabyte costs more than one that prints it to nobody.

import { createDiskStorage } from "@tau/host/storage";
import { ShellPool } from "@tau/host/shell/shell-pool";
import { DiskArtifacts } from "@tau/tau/session/artifacts/disk-artifacts";
import { createBashTool } from "@tau/tau/tools/bash/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { createScratchDirectory } from "@tau/testkit/scratch";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const BYTES = 1_000_000_000;
const COMMAND = `head -c ${BYTES} /dev/zero`;
const FLOOD_BAR = 2;
const FIRST_BAR_MS = 40;
const WARM_BAR_MS = 3;
const WARM_CALLS = 100;
/** Much for a person: a startup file that defines this many functions. */
const FUNCTIONS = 100;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export async function measureShell(rounds: number): Promise<Figure[]> {
  const cat: number[] = [];
  const shell: number[] = [];
  const tool: number[] = [];
  const plain: number[] = [];
  const withRc: number[] = [];
  const warm: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await using scratch = await createScratchDirectory();
    const env = { HOME: scratch.root, PATH: process.env.PATH, TMPDIR: scratch.root };
    const piped = ["sh", "-c", `${COMMAND} | cat >/dev/null`];
    cat.push(await timed(() => Bun.spawn(piped).exited));
    await using pool = new ShellPool({ cwd: "/", env, stateDirectory: scratch.path("state") });
    await pool.run(":", { onOutput: () => {} });
    shell.push(await timed(() => pool.run(COMMAND, { onOutput: () => {} })));
    const storage = createDiskStorage();
    const artifacts = new DiskArtifacts({
      storage,
      directory: scratch.path("kept"),
      inherited: [],
    });
    const options = { cwd: "/", env, artifacts: async () => artifacts };
    plain.push(await firstCommand(options));
    await using workspace = new Workspace(options);
    tool.push(await timed(() => run(workspace, COMMAND)));
    for (let call = 0; call < WARM_CALLS; call++) {
      warm.push(await timed(() => run(workspace, "true")));
    }
    const functions = Array.from({ length: FUNCTIONS }, (_, at) => `f${at}() { echo ${at} "$@"; }`);
    await scratch.write(".bashrc", functions.join("\n"));
    await firstCommand(options);
    await Bun.sleep(500);
    withRc.push(await firstCommand(options));
  }
  const flood = (name: string, values: readonly number[], more: Partial<Figure>): Figure => ({
    name,
    value: median(values),
    unit: "ms",
    ratio: median(values.map((value, at) => value / cat[at]!)),
    ...more,
  });
  return [
    { name: "1 GB of output, to cat", value: median(cat), unit: "ms", ratio: 1 },
    flood("1 GB of output, through a shell", shell, { ratioBar: FLOOD_BAR }),
    flood("1 GB of output, of the bash tool, kept on disk", tool, {}),
    {
      name: "the bash tool, `true` on a warm shell",
      value: median(warm),
      unit: "ms",
      bar: WARM_BAR_MS,
    },
    { name: "first command of a session", value: median(plain), unit: "ms", bar: FIRST_BAR_MS },
    {
      name: `the same with a known startup file of ${FUNCTIONS} functions`,
      value: median(withRc),
      unit: "ms",
      bar: FIRST_BAR_MS,
    },
  ];
}

async function firstCommand(options: ConstructorParameters<typeof Workspace>[0]): Promise<number> {
  await using workspace = new Workspace(options);
  return await timed(() => run(workspace, "echo hi"));
}

async function run(workspace: Workspace, command: string): Promise<void> {
  const { signal } = new AbortController();
  const context = { id: "c", signal, update: () => {} };
  await createBashTool(workspace).execute({ command }, context);
}
