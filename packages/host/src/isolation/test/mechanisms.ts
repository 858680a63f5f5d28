// The mechanisms that this machine has. A test of one that it lacks is skipped by a name that says why.

import { test } from "bun:test";
import { createScratchDirectory, createScratchRepository } from "@tau/testkit/scratch";
import { REQUIRE_VARIABLE } from "@tau/testkit/require-program";
import { isolate, type IsolateOptions } from "../isolate.ts";
import { IsolationRefused, type IsolatedTree, type IsolationMechanism } from "../isolated-tree.ts";

async function whyNoOverlay(): Promise<string | undefined> {
  await using repository = await createScratchRepository({ files: { a: "a" } });
  await using place = await createScratchDirectory();
  const where = { cwd: repository.root, directory: place.root, id: "try", env: repository.gitEnv };
  try {
    await (await isolate(where, { mechanism: "overlay" })).remove();
    return undefined;
  } catch (error) {
    if (!(error instanceof IsolationRefused)) throw error;
    return error.message;
  }
}

const missing = await whyNoOverlay();

export function testEach(
  name: string,
  body: (mechanism: IsolationMechanism) => Promise<void>,
  timeoutMs?: number,
): void {
  test(`worktree: ${name}`, () => body("worktree"), timeoutMs);
  testOverlay(name, () => body("overlay"), timeoutMs);
}

export function testOverlay(name: string, body: () => Promise<void>, timeoutMs?: number): void {
  if (missing === undefined || process.env[REQUIRE_VARIABLE] === "all") {
    test(`overlay: ${name}`, body, timeoutMs);
  } else test.skip(`overlay: ${name} (${missing})`, body);
}

export type Disposable = IsolatedTree & AsyncDisposable;

export async function isolated(
  repository: { root: string; gitEnv: Readonly<Record<string, string>> },
  directory: string,
  {
    cwd = repository.root,
    id = "agent",
    ...options
  }: IsolateOptions & { cwd?: string; id?: string },
): Promise<Disposable> {
  const tree = await isolate({ cwd, directory, id, env: repository.gitEnv }, options);
  return Object.assign(tree, { [Symbol.asyncDispose]: () => tree.remove() });
}

/** A command in the tree, as an agent's: its output. */
export async function inTree(
  tree: IsolatedTree,
  env: Readonly<Record<string, string>>,
  script: string,
): Promise<string> {
  const child = Bun.spawn([...(tree.enter?.argv ?? []), "sh", "-c", script], {
    cwd: tree.cwd,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, words] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(`${script}: ${words}`);
  return output;
}
