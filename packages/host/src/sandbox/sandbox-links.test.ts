// What a project brings and what a command leaves behind, links above all, opens nothing outside: neither in
// the next sandbox that is made, nor by the hand of Tau, which is not confined.

import { expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { ShellPool } from "../shell/shell-pool.ts";
import { openSandbox } from "./sandbox.ts";
import { confined, place, run, SECRET } from "./test/sandbox-place.ts";
import { KINDS, sandboxTest } from "./test/sandbox-test.ts";

sandboxTest(
  "what is obeyed later stays as it is, also if the whole home is the workspace",
  async () => {
    await using scratch = await createScratchDirectory();
    const { options } = await place(scratch);
    await scratch.write("home/.tau/agent/config.yml", "own");
    await scratch.write("home/work/.git/config", "own");
    await scratch.write("home/work/.git/modules/sub/hooks/x", "own");
    const whole = { ...options, workspace: options.home };
    for (const path of [".profile", ".tau/agent/config.yml", ".tau/agent/new"]) {
      expect(await run(whole, `echo x > ${path}`)).not.toMatchObject({ exitCode: 0 });
    }
    expect(await run(whole, "echo x > new && echo x > work/.git/HEAD")).toMatchObject({
      exitCode: 0,
    });
    for (const path of [".git/config", ".git/modules/sub/hooks/y"]) {
      expect(await run(options, `echo x > ${path}`)).not.toMatchObject({ exitCode: 0 });
    }
    expect(await run(options, "mv .git aside || mv .git/modules aside")).not.toMatchObject({
      exitCode: 0,
    });
    expect(await run(options, "echo x > .git/HEAD && echo x > .git/index")).toMatchObject({
      exitCode: 0,
    });
    // A file in its place leads to a repository elsewhere.
    await scratch.write("home/tree/.git", "gitdir: /elsewhere");
    const tree = { ...options, workspace: scratch.path("home/tree") };
    expect(await run(tree, "echo gitdir: /mine > .git")).not.toMatchObject({ exitCode: 0 });
    // What the user names is theirs to open.
    const named = { ...options, writable: [scratch.path("home/work/.git/config")] };
    expect(await run(named, "echo x > .git/config")).toMatchObject({ exitCode: 0 });
  },
);

sandboxTest("links in a project open nothing that is outside", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  await scratch.write("outside/config.toml", "own");
  await mkdir(scratch.path("home/work/.hg"));
  await mkdir(scratch.path("home/work/.jj"));
  await mkdir(scratch.path("home/work/.git/info"), { recursive: true });
  await symlink(scratch.path("home/.ssh/id"), scratch.path("home/work/.hg/hgrc"));
  await symlink(scratch.path("outside"), scratch.path("home/work/.jj/repo"));
  await symlink(scratch.path("home/.ssh"), scratch.path("home/work/.git/hooks"));
  const { output } = await run(
    options,
    "cat .hg/hgrc .git/hooks/id ~/.ssh/id; echo x > .jj/repo/new",
  );
  expect(output).not.toContain(SECRET);
  expect(existsSync(scratch.path("outside/new"))).toBe(false);
});

for (const kind of KINDS) {
  sandboxTest(
    `a link that a command puts in place of what it may write opens nothing (${kind})`,
    async () => {
      await using scratch = await createScratchDirectory();
      const { options } = await place(scratch);
      const state = scratch.path("temporary/state");
      await mkdir(state);
      await scratch.write("home/work/.git/config", "own");
      const listed = { ...options, writable: [scratch.path("home/work/.git/config")] };
      const sandbox = await openSandbox(listed, { kind });
      if (sandbox.kind === "none") throw new Error(sandbox.why);
      const wrapper = sandbox.wrapper({ profile: "commands", writes: [state] });
      const start = (script: string) =>
        Bun.spawn([...wrapper.argv, "sh", "-c", script], {
          cwd: options.workspace,
          env: { PATH: process.env.PATH },
          stderr: "ignore",
        }).exited;
      const home = scratch.path("home");
      await start(`echo x > ${state}/x`);
      expect(existsSync(join(state, "x"))).toBe(true);
      await start(`rm -r ${state}; ln -s ${home} ${state}; ln -sf ${home}/.profile .git/config`);
      await start(`echo x > ${home}/made; echo x > ${home}/.profile; echo x > ${state}/made`);
      expect(existsSync(scratch.path("home/made"))).toBe(false);
      expect(readFileSync(scratch.path("home/.profile"), "utf8")).toBe("fine");
    },
    60_000,
    kind,
  );
}

for (const kind of KINDS) {
  sandboxTest(
    `what a command leaves in its shell's directory does not lead Tau outside (${kind})`,
    async () => {
      await using scratch = await createScratchDirectory();
      const { options } = await place(scratch);
      const sandbox = await openSandbox(options, { kind });
      if (sandbox.kind === "none") throw new Error(sandbox.why);
      const state = join(options.temporary, "shell");
      const env = { PATH: process.env.PATH, HOME: options.home, LC_ALL: "C" };
      const { workspace: cwd, home } = options;
      // From source, Bun keeps what it has compiled of Tau's own code in the home.
      const inHome = async () => (await readdir(home)).filter((name) => name !== ".bun").toSorted();
      const before = await inHome();
      const wrapper = sandbox.wrapper();
      const pool = new ShellPool({ cwd, env, wrapper, stateDirectory: state });
      const ask = async (command: string, aside?: AbortSignal): Promise<string> => {
        let output = "";
        const onOutput = (bytes: Buffer): void => void (output += bytes.toString());
        await pool.run(command, { onOutput, aside, timeoutMs: 10_000 });
        return output;
      };
      const long = (words: string): string => `: ${"x".repeat(100_000)}; ${words}`;
      // Links and a pipe under the names of files that Tau writes and reads.
      const links = [1, 2, 3, 4]
        .map((at) => `ln -s ~/.profile ${state}/0/command-${at}`)
        .join("; ");
      await ask(
        `${links}; rm ${state}/0/state*; mkfifo ${state}/0/state.new; trap - EXIT; echo done`,
      );
      expect(await ask(long("echo one"))).toContain("one");
      expect(await ask(long("echo two"), AbortSignal.abort())).toContain("two");
      // Another directory in the place of its own, and one that is yet to be made.
      await ask(`mv ${state} ${state}-away; ln -s ~ ${state}; echo done`);
      await ask(long("echo three"));
      await ask("echo four", AbortSignal.abort());
      await ask("exit 3");
      await ask(long("echo five"));
      await pool[Symbol.asyncDispose]();
      expect(await inHome()).toEqual(before);
      expect(readFileSync(join(home, ".profile"), "utf8")).toBe("fine");
    },
    60_000,
    kind,
  );
}

sandboxTest("a shell comes up again after a secret has gone", async () => {
  await using scratch = await createScratchDirectory();
  const { options } = await place(scratch);
  const wrapper = (await confined(options)).wrapper();
  const start = async () => {
    const argv = [...wrapper.argv, "echo", "up"];
    return Bun.spawn(argv, {
      cwd: options.workspace,
      env: { PATH: process.env.PATH },
    }).stdout.text();
  };
  expect(await start()).toBe("up\n");
  await Bun.$`rm -r ${scratch.path("home/.netrc")} ${scratch.path("home/.ssh")}`;
  expect(await start()).toBe("up\n");
});
