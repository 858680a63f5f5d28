import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, test } from "@tau/extension/testing";

test("the program gets the last words, and nothing runs if none is set", async () => {
  const directory = mkdtempSync(join(tmpdir(), "notifier-"));
  const script = join(directory, "told");
  writeFileSync(script, `#!/bin/sh\nprintf %s "$1" > ${directory}/words\n`);
  chmodSync(script, 0o755);
  const settings = { "notifier.command": script, "notifier.afterSeconds": 0 };
  const trial = { prompt: "Go.", model: [{ text: "All done." }] };
  await run(trial);
  assert.equal(existsSync(join(directory, "words")), false);
  const { problems } = await run({ ...trial, settings });
  assert.deepEqual(problems, []);
  assert.equal(readFileSync(join(directory, "words"), "utf8"), "All done.");
});
