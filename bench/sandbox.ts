// What a sandbox costs: the same work without one, in bubblewrap and with Landlock, in interleaved rounds.

import { openSandbox, type ConfiningSandbox } from "@tau/host/sandbox/sandbox";
import { createEvalTool } from "@tau/tau/tools/eval/tool";
import { createBashTool } from "@tau/tau/tools/bash/tool";
import { Confinement } from "@tau/tau/tools/confinement";
import { createSearchTool } from "@tau/tau/tools/search/tool";
import { Workspace } from "@tau/tau/tools/workspace";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { median } from "./measure.ts";

const KINDS = ["plain", "bubblewrap", "landlock"] as const;
type Kind = (typeof KINDS)[number];
const SHORT_COMMANDS = 200;
const FILES = 2000;

/** By what is measured, then by kind. */
type Samples = Map<string, Map<Kind, number[]>>;

/** Kinds that this machine does not have are left out. */
export async function measureSandbox(root: string, rounds: number): Promise<Figure[]> {
  await using scratch = await createScratchDirectory();
  for (let at = 0; at < FILES; at++)
    await scratch.write(`work/${at % 20}/${at}.txt`, `line ${at}\n`);
  const sandboxes = await openKinds(scratch, root);
  const samples: Samples = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const [kind, sandbox] of sandboxes) {
      await measure(samples, kind, sandbox, scratch);
      if (kind === "plain") continue;
      // Not one that was tried before: it hides something else.
      const options = { ...optionsIn(scratch), hidden: [scratch.path(`${round}`)] };
      await note(samples, "sandbox: tried at the start", kind, () =>
        openSandbox(options, { kind, own: ownPrograms(root) }),
      );
    }
  }
  return [...samples].flatMap(([name, byKind]) =>
    [...byKind].map(([kind, values]): Figure => {
      const plain = byKind.get("plain");
      // Of each round, so that a busy moment falls on both.
      const ratio = plain && median(values.map((value, at) => value / plain[at]!));
      return { name: `${name}, ${kind}`, value: median(values), unit: "ms", ratio };
    }),
  );
}

function placeIn(scratch: ScratchDirectory) {
  const cwd = scratch.path("work");
  const env = { HOME: scratch.path("home"), PATH: process.env.PATH, TMPDIR: scratch.path("tmp") };
  return { cwd, env };
}

function optionsIn(scratch: ScratchDirectory) {
  const { cwd, env } = placeIn(scratch);
  return { workspace: cwd, temporary: env.TMPDIR, home: env.HOME, network: "off" } as const;
}

/** The executable confines itself. */
function ownPrograms(root: string) {
  const executable = join(root, "dist", "tau");
  return { runConfined: [executable, "run-confined"], trySandbox: [executable, "try-sandbox"] };
}

async function note(
  samples: Samples,
  name: string,
  kind: Kind,
  work: () => Promise<unknown>,
): Promise<void> {
  const started = performance.now();
  await work();
  const byKind = samples.get(name) ?? new Map<Kind, number[]>();
  samples.set(name, byKind.set(kind, [...(byKind.get(kind) ?? []), performance.now() - started]));
}

async function openKinds(
  scratch: ScratchDirectory,
  root: string,
): Promise<Map<Kind, ConfiningSandbox | undefined>> {
  await scratch.write("home/.ssh/id", "secret");
  await scratch.write("tmp/x", "");
  const { cwd, env } = placeIn(scratch);
  const options = {
    workspace: cwd,
    temporary: env.TMPDIR,
    home: env.HOME,
    network: "off",
  } as const;
  const executable = join(root, "dist", "tau");
  const own = {
    runConfined: [executable, "run-confined"],
    trySandbox: [executable, "try-sandbox"],
  };
  const found = new Map<Kind, ConfiningSandbox | undefined>([["plain", undefined]]);
  for (const kind of ["bubblewrap", "landlock"] as const) {
    const sandbox = await openSandbox(options, { kind, own });
    if (sandbox.kind !== "none") found.set(kind, sandbox);
  }
  return found;
}

async function measure(
  samples: Samples,
  kind: Kind,
  sandbox: ConfiningSandbox | undefined,
  scratch: ScratchDirectory,
): Promise<void> {
  const { cwd, env } = placeIn(scratch);
  const timed = (name: string, work: () => Promise<unknown>): Promise<void> =>
    note(samples, `sandbox: ${name}`, kind, work);
  const program = sandbox?.wrap(["true"]) ?? ["true"];
  await timed("start of a program", () => Bun.spawn(program, { cwd, env }).exited);
  await using workspace = new Workspace({ cwd, env });
  if (sandbox) {
    workspace.confine(new Confinement({ network: "off", make: async () => sandbox }));
    await workspace.confinement!.check();
  }
  const context = { id: "c", signal: new AbortController().signal, update: () => {} };
  const bash = createBashTool(workspace);
  const run = (command: string) => bash.execute({ command }, context);
  await timed("first command", () => run("true"));
  await timed(`${SHORT_COMMANDS} short commands`, async () => {
    for (let at = 0; at < SHORT_COMMANDS; at++) await run("/bin/true");
  });
  const search = createSearchTool(workspace);
  await timed("search", () => search.execute({ pattern: "line 77", paths: "." }, context));
  await using cells = createEvalTool(workspace);
  for (const [language, code] of [
    ["py", "1"],
    ["js", "1"],
  ] as const) {
    const first = { cells: [{ language, code }] };
    await timed(`first ${language} cell`, () => cells.execute(first, context));
  }
}
