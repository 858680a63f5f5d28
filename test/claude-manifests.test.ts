// Manifests for Claude Code as people do write them, beside what the format's description says.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { skill, writeAll } from "./support/plugin-files.ts";
import { runTau } from "./support/run-tau.ts";

const hooks = (command: string): string =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });

test("a usual directory that is named too is read once; a map may be written as a list", async () => {
  await using home = await isolatedHome();
  const run = (...args: string[]) => runTau(args, { cwd: home.root, home });
  const one = await writeAll(home, "one", {
    ".claude-plugin/plugin.json": JSON.stringify({
      name: "one",
      skills: ["./skills/", "./skills"],
      commands: [
        "./commands/plain.md",
        { name: "find", file: "commands/search.md" },
        { name: "put", source: "./commands/index.md" },
        { name: "nowhere" },
      ],
    }),
    "skills/a/SKILL.md": skill("a", "A"),
    "commands/plain.md": "Plain.",
    "commands/search.md": "Search.",
    "commands/index.md": "Index.",
    "hooks/hooks.json": hooks("true"),
  });
  const shown = await run("plugin", "show", one);
  expect(shown.stdout).toContain("not there: commands.nowhere, which has no file of its own");
  await run("plugin", "install", "-y", one);
  const { items } = JSON.parse((await run("config", "sources", "--json")).stdout) as {
    items: { kind: string; name: string }[];
  };
  expect(items.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
    "commands one:find",
    "commands one:plain",
    "commands one:put",
    "hooks Stop",
    "skills a",
  ]);
});

test("hooks of one event in two plugins both run: the doctor has nothing to say", async () => {
  await using home = await isolatedHome();
  const run = (...args: string[]) => runTau(["plugin", ...args], { cwd: home.root, home });
  for (const name of ["one", "two"]) {
    const files = {
      ".claude-plugin/plugin.json": JSON.stringify({ name }),
      "hooks/hooks.json": hooks("true"),
    };
    await run("install", "-y", await writeAll(home, name, files));
  }
  const { stdout, exitCode } = await run("doctor");
  expect({ stdout, exitCode }).toEqual({ stdout: "Everything is as it should be.\n", exitCode: 0 });
});
