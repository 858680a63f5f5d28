// The first minutes with Tau: what is offered, and that it is never in the way.

import { expect, test } from "bun:test";
import { createScratchRepository, isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, runTau } from "./support/run-tau.ts";

test("the tour leads from step to step and ends when it is told to", async () => {
  await using repository = await createScratchRepository({
    files: { "README.md": "# Sundial\n\nTells the time by the sun.\n" },
  });
  await using home = await isolatedHome();
  await using terminal = runInTerminal([launcher], { cwd: repository.root, env: { ...home.env } });
  await terminal.waitFor("/tour");
  terminal.send("/tour");
  terminal.press("enter");
  await terminal.waitFor("1 of 4");
  await terminal.waitFor("› look around");
  terminal.press("enter");
  await terminal.waitFor("2 of 4", { timeoutMs: 10_000 });
  await terminal.waitFor("› explain README.md");
  terminal.press("escape");
  await terminal.waitFor("The tour is over");
  expect(terminal.text()).not.toContain("› explain README.md");
});

test("the built-in model edits with the real tool, and nobody need be asked", async () => {
  await using repository = await createScratchRepository({
    files: { "notes.md": "+ the sun\n- and the sun again\nrises\n" },
  });
  await using home = await isolatedHome();
  const run = (prompt: string) =>
    runTau(["-p", "--mode", "json", prompt], { cwd: repository.root, home });
  const changed = await run('replace "rises" with "sets $& $1" in notes.md');
  expect(changed.exitCode).toBe(0);
  expect(changed.stdout).toContain('"name":"edit"');
  expect(changed.stdout).not.toContain('"name":"bash"');
  const everywhere = await run('replace all "sun" with "moon" in notes.md');
  expect(everywhere.stdout).toContain("2 replacements");
  const added = await run('add "- one more" to the end of notes.md');
  expect(added.exitCode).toBe(0);
  expect(await Bun.file(repository.path("notes.md")).text()).toBe(
    "+ the moon\n- and the moon again\nsets $& $1\n- one more\n",
  );
});

test("with a model of one's own there is no word of it", async () => {
  await using home = await isolatedHome();
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd: home.root,
    env: { ...home.env },
  });
  await terminal.waitFor("ollama/x");
  await terminal.waitFor("/help shows more");
  expect(terminal.text()).not.toContain("tour");
});
