// The gallery as a user runs it: in a pipe, in a terminal, in themes of their own.

import { expect, test } from "bun:test";
import { isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, runTau } from "./support/run-tau.ts";

test("in a pipe it is plain text of 80 columns, or as wide as it is told", async () => {
  await using home = await isolatedHome();
  const options = { cwd: home.root, home };
  const list = await runTau(["gallery", "--list"], options);
  expect(list.exitCode).toBe(0);
  for (const name of [
    "editor/empty",
    "markdown/kitchen-sink",
    "tools/bash",
    "tools/unknown-tool",
  ]) {
    expect(list.stdout.split("\n")).toContain(name);
  }
  const all = await runTau(["gallery"], options);
  expect(all).toMatchObject({ exitCode: 0, stderr: "" });
  expect(all.stdout).not.toContain("\x1b");
  const heads = all.stdout.split("\n").filter((line) => /^── \w+\/\S+ ─/.test(line));
  expect(heads).toHaveLength(list.stdout.trim().split("\n").length);
  expect(new Set(heads.map((line) => Bun.stringWidth(line)))).toEqual(new Set([80]));
  const one = await runTau(["gallery", "--only", "tools/bash", "--width", "40"], options);
  expect(one.stdout).toContain("✗ bash npm test -- --bail… · exit code 1");
});

test("mistakes are one sentence and exit code 2", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/themes/torn.json", "{");
  for (const [args, sentence] of [
    [["--only", "tols"], 'tau: there is no "tols" in the gallery; did you mean "tools"?'],
    [["--width", "3"], "tau: --width takes a whole number from 10 to 1000"],
    [["--theme", "drak"], 'tau: There is no theme "drak"; the built-in themes are dark, light'],
    [["--theme", "torn"], 'tau: The theme "torn" has a mistake: '],
  ] as const) {
    const result = await runTau(["gallery", ...args], { cwd: home.root, home });
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toBe("");
    expect(result.stderr).toStartWith(sentence);
  }
});

test("in a terminal it has the terminal's width and the colours of the user's theme", async () => {
  await using home = await isolatedHome();
  const theme = { name: "mine", extends: "dark", colors: { accent: "#010203" } };
  await home.write(".tau/agent/themes/mine.json", JSON.stringify(theme));
  await home.write(".tau/agent/config.yml", "theme:\n  dark: mine\n");
  const env = { ...home.env, COLORTERM: "truecolor", TERM: "xterm-256color" };
  const args = ["gallery", "--only", "theme/colours"];
  await using terminal = runInTerminal([launcher, ...args], {
    cwd: home.root,
    env,
    columns: 60,
    rows: 50,
  });
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  expect(terminal.screen()[0]).toHaveLength(60);
  expect(new TextDecoder().decode(terminal.bytes())).toContain("\x1b[38;2;1;2;3maccent\x1b[39m");
  await using plain = runInTerminal([launcher, ...args], {
    cwd: home.root,
    env: { ...env, NO_COLOR: "1" },
  });
  await plain.exited;
  expect(new TextDecoder().decode(plain.bytes())).not.toContain("\x1b[38");
});

test("a theme that cannot be used is told, and the built-in one is shown", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "theme:\n  dark: gone\nsymbolPreset: ascii\n");
  const args = ["gallery", "--only", "dialogs/confirm"];
  const result = await runTau(args, { cwd: home.root, home });
  expect(result.exitCode).toBe(0);
  expect(result.stderr).toStartWith(
    'tau: There is no theme "gone"; the built-in themes are dark, ',
  );
  expect(result.stderr).toEndWith("The built-in theme dark is used instead.\n");
  expect(result.stdout).toContain("+- Delete the session? ---");
});
