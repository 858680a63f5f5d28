// `tau extension test`: runs the tests that stand beside an extension, against a scripted model.

import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeOutput } from "../../base/output.ts";
import { TookTooLong, withinLimit } from "../../base/within-limit.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { importModule } from "../../extend/import-module.ts";
import { ModuleFailure } from "../../extend/module-failure.ts";
import { addShim } from "../../extend/shims/install-shims.ts";
import { UserError } from "../../user-error.ts";

const TEST_FILE = /\.test\.(?:ts|js|mjs)$/;

/** A test that has not settled by then waits for something that never comes: no test of an extension is that slow. */
const TEST_LIMIT_MS = 30_000;

export async function runTests(
  given: string,
  cwd: string,
  { limitMs = TEST_LIMIT_MS }: { limitMs?: number } = {},
): Promise<ExitCode> {
  const path = resolve(cwd, given);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UserError(`${given} does not exist`, EXIT.usage);
  const directory = found.isDirectory() ? path : dirname(path);
  const files = (await readdir(directory)).filter((name) => TEST_FILE.test(name)).toSorted();
  if (files.length === 0) {
    throw new UserError(`${given} has no tests; write one as NAME.test.ts beside it`, EXIT.usage);
  }
  const harness = await import("./harness.ts");
  addShim("@tau/extension/testing", async () => harness);
  let failed = 0;
  let passed = 0;
  for (const name of files) {
    harness.begin(path);
    const unloaded = await whyNotLoaded(join(directory, name));
    if (unloaded !== undefined) {
      failed++;
      await writeOutput(`✗ ${name} cannot be loaded: ${unloaded}\n`);
      continue;
    }
    for (const { name: title, run } of harness.tests()) {
      const failure = await failureOf(run, limitMs);
      if (failure === undefined) passed++;
      else failed++;
      await writeOutput(
        failure === undefined ? `✓ ${title}\n` : `✗ ${title}\n${indented(failure)}\n`,
      );
    }
  }
  await harness.removeLeftovers();
  await writeOutput(`${passed} passed, ${failed} failed\n`);
  return failed > 0 || passed === 0 ? EXIT.failed : EXIT.done;
}

/** Undefined if it is there, with its tests. */
async function whyNotLoaded(path: string): Promise<string | undefined> {
  try {
    await importModule({ path });
    return undefined;
  } catch (error) {
    if (error instanceof ModuleFailure) return error.message;
    throw error;
  }
}

/** The limit's timer also keeps the process alive while a test waits for something that never comes. */
async function failureOf(run: () => unknown, limitMs: number): Promise<string | undefined> {
  try {
    await withinLimit(run(), limitMs);
    return undefined;
  } catch (error) {
    if (error instanceof TookTooLong) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, "    ");
}
