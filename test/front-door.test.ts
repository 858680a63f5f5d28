// The command line as a user meets it: version, help, mistakes, completions.

import { describe, expect, test } from "bun:test";
import { testWith } from "@tau/testkit/require-program";
import { createScratchDirectory, isolatedHome } from "@tau/testkit/scratch";
import { symlink } from "node:fs/promises";
import manifest from "../packages/tau/package.json";
import { launcher, runTau, root } from "./support/run-tau.ts";

async function tau(...args: string[]) {
  await using home = await isolatedHome();
  return await runTau(args, { cwd: home.root, home });
}

test("--version prints the version of the package", async () => {
  for (const flag of ["--version", "-V"]) {
    expect(await tau(flag)).toEqual({
      stdout: `tau ${manifest.version}\n`,
      stderr: "",
      exitCode: 0,
    });
  }
});

test("--help fits 80 columns and names every command and flag", async () => {
  const { stdout, exitCode } = await tau("--help");
  expect(exitCode).toBe(0);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  for (const word of ["completions", "help", "--print", "--model", "--cwd", "--version"]) {
    expect(stdout).toContain(word);
  }
  expect(stdout).toMatchSnapshot();
});

test("help for one command, both ways", async () => {
  const asked = await tau("help", "completions");
  expect(asked.stdout).toContain("tau completions [flags] <shell>");
  expect(await tau("completions", "--help")).toEqual(asked);
});

test("works through a symlink, from anywhere", async () => {
  await using home = await isolatedHome();
  await symlink(launcher, home.path("my-tau"));
  await symlink("my-tau", home.path("again"));
  const result = await runTau(["--version"], { cwd: "/", home, program: [home.path("again")] });
  expect(result.stdout).toBe(`tau ${manifest.version}\n`);
});

describe("a mistake is one clear sentence on standard error and exit code 2", () => {
  const cases: [string[], string][] = [
    [["--modle", "x"], 'tau: unknown flag "--modle"; did you mean "--model"?'],
    [["-x"], 'tau: unknown flag "-x"'],
    [["completons"], 'tau: unknown command "completons"; did you mean "completions"?'],
    [["help", "complete"], 'tau: unknown command "complete"'],
    [["completions"], "tau: name a shell: bash, zsh, fish"],
    [["completions", "tcsh"], 'tau: "tcsh" is not a supported shell'],
    [["--model"], "tau: --model needs a value: --model <provider/id>"],
    [["--print=yes", "hi"], "tau: --print takes no value"],
    [["--max-turns", "0", "-p", "hi"], "tau: --max-turns takes a whole number from 1"],
    [
      ["--yolo", "--approval-mode", "always-ask", "-p", "hi"],
      "tau: --yolo and --approval-mode always-ask contradict each other",
    ],
    [["-p"], "tau: nothing to do: give a prompt, or pipe one in"],
    [
      ["-p", "hi", "--model", "opnai/x"],
      'tau: unknown provider "opnai" in --model; did you mean "openai"?',
    ],
    [["-p", "hi", "--model", "ollama"], "tau: name a model: --model ollama/<id>"],
    [["-p", "hi", "--api-key", "k"], "tau: --api-key needs --model"],
    [["-p", "hi", "@missing.txt"], "tau: @missing.txt does not exist"],
    [["-p", "hi", "@."], "tau: @. is a directory"],
    [["-p", "hi", "--cwd", "/no/such"], "tau: the directory /no/such does not exist"],
    [["-p", "hi", "--cwd", "/etc/passwd"], "tau: /etc/passwd is not a directory"],
  ];
  for (const [args, sentence] of cases) {
    test(args.join(" "), async () => {
      const { stdout, stderr, exitCode } = await tau(...args);
      expect(stderr.split("\n")[0]).toStartWith(sentence);
      expect(stderr).not.toContain("    at ");
      expect(stdout).toBe("");
      expect(exitCode).toBe(2);
    });
  }
});

test("a model without a key: exit code 3 and where the key belongs", async () => {
  const { stderr, stdout, exitCode } = await tau("-p", "hi", "--model", "anthropic/claude-x");
  expect(stderr).toBe(
    "tau: no key for Anthropic: set ANTHROPIC_API_KEY, or run tau login anthropic, or try --model tau/demo, which works offline\n",
  );
  expect([stdout, exitCode]).toEqual(["", 3]);
});

test("a single word that resembles a command is a prompt behind --", async () => {
  const { exitCode, stdout } = await tau("-p", "--model", "tau/demo", "--", "completons");
  expect(exitCode).toBe(0);
  expect(stdout).not.toBe("");
});

describe("completions are accepted by the shells they are for", () => {
  testWith({ program: "bash", proves: "bash completions" }, "bash completes", async (bash) => {
    await using home = await isolatedHome();
    const complete = (line: string) =>
      `source <("${launcher}" completions bash); COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _tau; echo "\${COMPREPLY[@]}"`;
    const run = async (line: string) => {
      const child = Bun.spawn([bash, "-c", complete(line)], { env: home.env, cwd: root });
      return (await child.stdout.text()).trim();
    };
    expect(await run("tau comp")).toBe("completions");
    expect(await run("tau completions f")).toBe("fish");
    expect(await run("tau --thin")).toBe("--thinking");
    expect(await run("tau -p @READ")).toBe("@README.md");
  });

  testWith({ program: "zsh", proves: "zsh completions" }, "zsh loads them", async (zsh) => {
    await using scratch = await createScratchDirectory();
    await scratch.write("_tau", (await tau("completions", "zsh")).stdout);
    const load = `fpath=(${scratch.root} $fpath); autoload -Uz compinit; compinit -u -d ${scratch.root}/dump; autoload +X _tau && echo "\${_comps[tau]}"`;
    const child = Bun.spawn([zsh, "-f", "-c", load], {
      stderr: "pipe",
      env: { PATH: process.env.PATH },
    });
    expect(await child.stderr.text()).toBe("");
    expect((await child.stdout.text()).trim()).toBe("_tau");
  });

  testWith({ program: "fish", proves: "fish completions" }, "fish completes", async (fish) => {
    await using home = await isolatedHome();
    const script = `"${launcher}" completions fish | source; complete -C "tau completions z"; complete -C "tau --thin"`;
    const child = Bun.spawn([fish, "--no-config", "-c", script], { env: home.env, stderr: "pipe" });
    const lines = (await child.stdout.text()).trim().split("\n");
    expect(await child.stderr.text()).toBe("");
    expect(lines.map((line) => line.split("\t")[0])).toEqual(["zsh", "--thinking"]);
  });
});
