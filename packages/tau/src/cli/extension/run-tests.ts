// `tau extension test`: runs the tests that stand beside an extension, against a scripted model.

import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeOutput } from "../../base/output.ts";
import { EXIT, type ExitCode } from "../../exit-code.ts";
import { importModule } from "../../extend/import-module.ts";
import { addShim } from "../../extend/shims/install-shims.ts";
import { UserError } from "../../user-error.ts";

const TEST_FILE = /\.test\.(?:ts|js|mjs)$/;

export async function runTests(given: string, cwd: string): Promise<ExitCode> {
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
    await importModule(join(directory, name));
    for (const { name: title, run } of harness.tests()) {
      const failure = await failureOf(run);
      if (failure === undefined) passed++;
      else failed++;
      await writeOutput(
        failure === undefined ? `✓ ${title}\n` : `✗ ${title}\n${indented(failure)}\n`,
      );
    }
  }
  await writeOutput(`${passed} passed, ${failed} failed\n`);
  return failed > 0 || passed === 0 ? EXIT.failed : EXIT.done;
}

async function failureOf(run: () => unknown): Promise<string | undefined> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function indented(text: string): string {
  return text.replace(/^/gm, "    ");
}
