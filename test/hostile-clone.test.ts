// A stranger's clone, and every way to start Tau in it before anybody has trusted it: nothing of it
// runs, nothing is sent to it, and no start waits for it.

import { expect, test } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import { ModelServer } from "@tau/testkit/model-server";
import { plantHostileClone } from "./support/hostile-clone.ts";
import { launcher, root } from "./support/run-tau.ts";
import { expectNothingHappened, hostileStage } from "./support/start-everything.ts";

/** Some two hundred starts, on a machine that does other things as well. */
const ALL_STARTS_MS = 240_000;

testWith(
  { program: "git", proves: "that a clone runs nothing at any entry point" },
  "every entry point of the launcher",
  async () => {
    await using stage = await hostileStage();
    expect(await stage.startAll([launcher])).toEqual([]);
    await expectNothingHappened(stage);
  },
  ALL_STARTS_MS,
);

testWith(
  { program: "git", proves: "that a clone runs nothing in the terminal" },
  "the interactive mode, in every place",
  async () => {
    await using stage = await hostileStage();
    for (const place of Object.values(stage.clone.places)) {
      await stage.converse([launcher], place);
    }
    await expectNothingHappened(stage);
  },
  ALL_STARTS_MS,
);

testWith(
  { program: "git", proves: "that the traps of the hostile clone are real" },
  "the traps work: what Tau does not do sets them off",
  async () => {
    await using home = await isolatedHome();
    await using evil = await ModelServer.start(() => ({ text: "evil" }));
    const clone = await plantHostileClone(home, evil.baseUrl("openai-completions"));
    const run = async (place: string, command: string[]): Promise<string[]> => {
      const before = new Set(await clone.traces());
      const cwd = clone.places[place]!;
      await Bun.spawn(command, { cwd, env: home.env, stdout: "ignore", stderr: "ignore" }).exited;
      return (await clone.traces()).filter((name) => !before.has(name));
    };
    const bun = process.execPath;
    const script = `${root}/scripts/launch.mjs`;
    expect(await run("tsconfig in a parent", [bun, script, "--version"])).toEqual(["evil.ts"]);
    expect(await run("tsconfig here", ["git", "status"])).not.toEqual([]);
    expect(await run("a hidden bare repository", ["git", "status"])).toContain("hidden");
    expect(await run("jsconfig here", [".venv/bin/python3"])).toContain(".venv");
    const own = `--tsconfig-override=${root}/tsconfig.json`;
    const asked = await run("jsconfig here", [bun, own, "-e", 'require("valibot")']);
    expect(asked).toEqual(["module-valibot"]);
  },
);

test("the launcher of Windows starts elsewhere, too, and looks for no program in the clone", async () => {
  const text = await Bun.file(`${root}/tau.cmd`).text();
  const lines = text.split(/\r?\n/);
  const at = (words: string): number => lines.findIndex((line) => line.includes(words));
  const first = at("where node");
  expect(first).toBeGreaterThan(0);
  expect(at("NoDefaultCurrentDirectoryInExePath=1")).toBeWithin(0, first);
  expect(at('cd /d "%ROOT%"')).toBeWithin(0, first);
  const start = lines[at('bun.exe"')]!;
  for (const flag of ["--cwd=", "--config=", "--no-env-file", "--tsconfig-override="]) {
    expect(start).toContain(flag);
  }
});
