// The user's own startup file in the agent's shells: what of it commands find, what is kept of it,
// and that nothing in it can hold commands up or break them. Real bash, real files.

import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { findProcesses } from "@tau/testkit/processes";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { Workspace, type WorkspaceOptions } from "../workspace.ts";
import { DEFAULT_BASH_SETTINGS } from "./settings.ts";
import { createBashTool } from "./tool.ts";

async function home(files: Readonly<Record<string, string>>): Promise<ScratchDirectory> {
  const scratch = await createScratchDirectory();
  for (const [name, text] of Object.entries(files)) await scratch.write(name, text);
  return scratch;
}

/** A session in that home. */
function begin(scratch: ScratchDirectory, options: Partial<WorkspaceOptions> = {}) {
  const env = {
    HOME: scratch.root,
    PATH: process.env.PATH,
    TMPDIR: scratch.path("tmp"),
    ...options.env,
  };
  const workspace = new Workspace({ cwd: scratch.root, ...options, env });
  const tool = createBashTool(workspace);
  return {
    async run(command: string): Promise<string> {
      const { signal } = new AbortController();
      const context = { id: "c", signal, update: () => {} };
      const { content } = await tool.execute({ command }, context as never);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
    assess: (command: string) => tool.assess!({ command }),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

function cached(scratch: ScratchDirectory): string[] {
  const directory = scratch.path(".tau/agent/shell-rc");
  // Others are on their way to one.
  const whole = readdirSync(directory).filter((name) => name.endsWith(".json") && name[0] !== ".");
  return whole.map((name) => `${directory}/${name}`);
}

/** Until what runs behind the first command has been written down. */
async function untilCached(scratch: ScratchDirectory): Promise<string> {
  for (;;) {
    try {
      const [file] = cached(scratch);
      if (file) return file;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    }
    await Bun.sleep(20);
  }
}

const RC = `
case $- in *i*) ;; *) return ;; esac
echo noise; echo more >&2
shopt -s extglob globstar
alias hello='echo "it'\\''s me"'
alias rm='rm -i'
alias cd='echo nowhere'
greet() { case $1 in @(a|b)) _inner "$1" ;; *) echo other ;; esac; }
_inner() { echo "hi $1"; }
_unused() { :; }
export COLOUR=red EDITOR=vim PAGER=less ANTHROPIC_API_KEY=sk-secret-1234 MY_TOKEN=hush-hush-hush
export PATH="$HOME/own-bin:$PATH"
PROMPT_COMMAND='echo prompt'
`;

test("aliases, functions, options and exports are there; secrets and word to nobody are not", async () => {
  await using scratch = await home({ ".bashrc": RC, "x/y/z.txt": "" });
  {
    await using first = begin(scratch);
    await first.run(":");
    await untilCached(scratch);
  }
  await using s = begin(scratch);
  expect(await s.run('hello; greet a; greet c; echo "$COLOUR [$MY_TOKEN] $EDITOR $PAGER"')).toBe(
    "it's me\nhi a\nother\nred [] true cat",
  );
  expect(await s.run("echo x/**/z.txt; echo ${PATH%%:*}; mkdir d && cd d && pwd")).toBe(
    `x/y/z.txt\n${scratch.path("own-bin")}\n${scratch.path("d")}\n[now in d/]`,
  );
  expect(await s.run("touch gone; rm gone; ls; declare -F _unused || echo none")).toBe("none");
  const [file] = cached(scratch);
  const kept = readFileSync(file!, "utf8");
  expect(kept).not.toMatch(/sk-secret|hush/);
  expect(statSync(file!).mode & 0o777).toBe(0o600);
});

test("what a shell has is asked anew where the file has changed, and not where it has not", async () => {
  await using scratch = await home({ ".bashrc": "echo x >> ~/runs\nalias hi='echo one'" });
  const runs = () => readFileSync(scratch.path("runs"), "utf8").split("\n").length - 1;
  const session = async (command: string) => {
    await using s = begin(scratch);
    await s.run(":");
    await untilCached(scratch);
    return await s.run(command).catch((error: Error) => error.message);
  };
  await session(":");
  expect(await session("hi")).toBe("one");
  expect(runs()).toBe(1);
  await scratch.write(".bashrc", "echo x >> ~/runs\nalias hi='echo two'");
  await session(":");
  while (cached(scratch).length < 2) await Bun.sleep(20);
  expect(await session("hi")).toBe("two");
  expect(runs()).toBe(2);
});

test("the environment has the last word over what was kept", async () => {
  await using scratch = await home({ ".bashrc": "export COLOUR=red" });
  {
    await using first = begin(scratch);
    await first.run(":");
    await untilCached(scratch);
  }
  await using s = begin(scratch, { env: { COLOUR: "blue" } });
  expect(await s.run("echo $COLOUR")).toBe("blue");
});

test("one that hangs holds nothing up, is ended with what it started, and is said so once", async () => {
  const seconds = `85${process.pid}`;
  await using scratch = await home({
    ".bashrc": `trap '' TERM INT HUP\n(setsid sleep ${seconds} &)\nsleep ${seconds}`,
  });
  await using s = begin(scratch);
  const started = performance.now();
  expect(await s.run("echo works")).toBe("works");
  expect(performance.now() - started).toBeLessThan(2500);
  await untilCached(scratch);
  expect(await findProcesses(({ command }) => command.includes(seconds))).toEqual([]);
  let said = await s.run("echo a");
  while (said === "a") said = await s.run("echo a");
  expect(said).toBe(
    "[~/.bashrc did not end within 5 s; commands run without its aliases, functions and variables]\na",
  );
  expect(await s.run("echo b")).toBe("b");
}, 30_000);

test.each([
  ["ends the shell", "exit 3"],
  ["becomes another program", "exec true"],
  ["is broken", "if then fi ((("],
  ["asks", "read -p 'name? ' name; alias hi='echo hi'"],
  ["turns everything strict", "set -euo pipefail; trap 'exit 9' DEBUG"],
  ["takes the words away", "alias builtin=false eval=false printf=false if=false; printf() { :; }"],
  ["makes things readonly", "readonly PATH; declare -r __tau_state=x; f() { :; }; readonly -f f"],
])("one that %s leaves a shell that works", async (_name, rc) => {
  await using scratch = await home({ ".bashrc": rc });
  for (let start = 0; start < 2; start++) {
    await using s = begin(scratch);
    expect(await s.run("echo one; (exit 0)")).toEndWith("one");
    expect(await s.run("cd /usr; false || pwd")).toEndWith("/usr\n[now in /usr/]");
    await untilCached(scratch);
  }
});

test("names that mean something else are no longer taken for what they look like", async () => {
  await using scratch = await home({
    ".bashrc": "alias ls='ls --color=auto' cat='rm -rf' gs='git status'\ngrep() { rm \"$@\"; }",
  });
  {
    await using first = begin(scratch);
    await first.run(":");
    await untilCached(scratch);
  }
  await using s = begin(scratch);
  expect(await s.assess("ls -la")).toMatchObject({ tier: "read" });
  expect(await s.assess("cat notes")).not.toMatchObject({ tier: "read" });
  expect(await s.assess("grep x notes")).not.toMatchObject({ tier: "read" });
});

test("plain aliases of whoever sits at a zsh are taken, by reading", async () => {
  await using scratch = await home({
    ".zshrc": `touch ~/was-run
alias hi='echo hi'
alias -g NUL='>/dev/null'
alias two="echo $(date)"
alias three="echo 3" # three`,
  });
  await using s = begin(scratch, { env: { SHELL: "/bin/zsh" } });
  expect(await s.run("hi; three; type NUL two 2>&1 | wc -l; ls ~/was-run 2>&1 | wc -l")).toBe(
    "hi\n3\n2\n1",
  );
  expect(await s.run("[ -e ~/was-run ] || echo not run")).toBe("not run");
});

test("the setting turns it off", async () => {
  await using scratch = await home({ ".bashrc": "touch ~/was-run" });
  await using s = begin(scratch, { bashSettings: { ...DEFAULT_BASH_SETTINGS, userRc: false } });
  expect(await s.run("[ -e ~/was-run ] || echo not run")).toBe("not run");
});
