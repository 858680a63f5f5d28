// The bash tool as the model has it: what is done to a command and to its output, and what is
// told about a call before it runs.

import { expect, test } from "bun:test";
import { ToolTable } from "@tau/agent/tool-table";
import { textOf } from "@tau/ai/message";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { DiskArtifacts } from "../../session/artifacts/disk-artifacts.ts";
import { workspaceTools } from "../../features/test/workspace-tools.ts";
import { Workspace, type WorkspaceOptions } from "../workspace.ts";
import { DEFAULT_BASH_SETTINGS } from "./settings.ts";

async function open(options: Partial<WorkspaceOptions> = {}) {
  const scratch = await createScratchDirectory();
  // Beside the project: one that covers the home has nothing inside.
  const home = await createScratchDirectory();
  const env = { HOME: home.root, PATH: process.env.PATH, TMPDIR: scratch.path("tmp") };
  const workspace = new Workspace({ cwd: scratch.root, env, ...options });
  const table = new ToolTable(await workspaceTools(workspace));
  const { signal } = new AbortController();
  return {
    scratch,
    home: home.root,
    assess: (params: object) => table.get("bash")!.assess!(params),
    async run(command: string, more: object = {}) {
      const call = {
        type: "toolCall" as const,
        id: "c",
        name: "bash",
        arguments: { command, ...more },
      };
      const { result } = await table.run(call, { signal, update: () => {} });
      return { text: textOf(result), isError: result.isError };
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

test("what was cut to a line is one line; with the setting the ending is left out, and said to be", async () => {
  await using t = await open();
  expect((await t.run("seq 1 9999 | head -1")).text).toBe("1");
  await using whole = await open({
    bashSettings: { ...DEFAULT_BASH_SETTINGS, stripTrailingHeadTail: true },
  });
  const { text } = await whole.run("seq 1 50 | head -3");
  expect(text).toContain("\n50");
  expect(text.split("\n")[0]).toStartWith("[");
});

test("a time limit out of bounds is the nearest one that is not", async () => {
  await using t = await open();
  expect((await t.run("sleep 1.5; echo no", { timeout: 0 })).text).toContain("timed out after 1 s");
  expect((await t.run("echo yes", { timeout: 99_999 })).text).toBe("yes");
});

test("a result says where the shell is now, if it has moved; a leading cd does not move it", async () => {
  await using t = await open();
  await t.scratch.write("sub/deep/a.txt", "a");
  expect((await t.run("cd sub && pwd")).text).toBe(t.scratch.path("sub"));
  expect((await t.run("ls -d s*")).text).toBe("sub");
  expect((await t.run("cd sub")).text).toBe("[now in sub/]");
  expect((await t.run("ls; cd deep && ls")).text).toBe("deep\na.txt\n[now in sub/deep/]");
  expect((await t.run("cd .. && ls")).text).toBe("deep");
  expect((await t.run("cd ../..")).text).toBe("[now in the project's directory]");
});

test("progress is left out, failures stay, and the raw output is kept", async () => {
  await using t = await open();
  await t.scratch.write(
    "cargo",
    `#!/bin/sh\nfor i in $(seq 1 60); do echo "   Compiling crate$i v1.0.$i"; done\necho "error[E0308]: mismatched types"\necho "  --> src/main.rs:4:5"\nexit 1\n`,
  );
  await t.run("chmod +x cargo; mkdir -p bin; mv cargo bin/");
  const { text, isError } = await t.run("PATH=$PWD/bin:$PATH cargo build");
  expect(isError).toBe(true);
  expect(text).toContain("error[E0308]");
  expect(text).toContain("src/main.rs:4:5");
  expect(text).not.toContain("crate33");
  expect(text).toContain("artifact://0");
});

test("the interceptor turns away what a tool does better, where it is switched on", async () => {
  await using off = await open();
  await off.scratch.write("a.txt", "hello\n");
  expect((await off.run("cat a.txt")).text).toBe("hello");
  await using on = await open({ interceptorSettings: { enabled: true, patterns: [] } });
  await on.scratch.write("a.txt", "hello\n");
  const refused = await on.run("cat a.txt");
  expect(refused).toMatchObject({ isError: true });
  expect(refused.text).toContain("read tool");
  expect((await on.run("cat a.txt | wc -l")).text.trim()).toBe("1");
});

test("what looks like reading is taken at its word only as long as names mean what they say", async () => {
  await using t = await open();
  expect(await t.assess({ command: "ls -la | grep x" })).toMatchObject({ tier: "read" });
  expect(await t.assess({ command: "echo hi > f" })).toMatchObject({ tier: "write" });
  expect(await t.assess({ command: "npm test" })).toMatchObject({ tier: "exec" });
  expect(await t.assess({ command: "rm -rf ~/.." })).toMatchObject({ guard: expect.any(String) });
  expect(await t.assess({ command: "ls", env: { LD_PRELOAD: "x.so" } })).toMatchObject({
    tier: "exec",
  });
  await t.run("ls() { rm -rf /tmp/nothing-here; }");
  expect(await t.assess({ command: "ls" })).not.toMatchObject({ tier: "read" });
  expect(await t.assess({ command: "pwd" })).toMatchObject({ tier: "read" });
  await t.run("export PATH=/elsewhere:$PATH");
  expect(await t.assess({ command: "pwd" })).toMatchObject({ tier: "exec" });
});

test("what a rule for a call is about leaves nothing of the call out", async () => {
  await using t = await open();
  const subjectsOf = async (params: object) => (await t.assess(params)).subjects;
  const broken = "echo x; coproc rm -rf /etc";
  expect(await subjectsOf({ command: broken })).toEqual(["echo x", `line: ${broken}`]);
  expect(await subjectsOf({ command: "make", env: { LD_PRELOAD: "x.so", A: "1" } })).toEqual([
    "LD_PRELOAD=x.so make",
  ]);
  expect(await subjectsOf({ command: "rm x", cwd: "/nowhere" })).toEqual(["cd /nowhere", "rm x"]);
  expect(await subjectsOf({ command: "make", cwd: "/nowhere" })).toEqual(["make"]);
});

test("what cannot be judged is said to be so, and why", async () => {
  await using t = await open();
  const { guard } = await t.assess({ command: "rm $x" });
  expect(guard).toBe("cannot be judged: what it deletes cannot be determined");
});

test("a line is judged from where the shell is", async () => {
  await using t = await open();
  await t.run("mkdir -p deep/er && cd deep/er");
  expect(((await t.assess({ command: "rm ../x" })) as { guard?: string }).guard).toBeUndefined();
  expect(await t.assess({ command: "rm ../../../x" })).toMatchObject({ guard: expect.any(String) });
});

test("an editor that a command opens takes what is proposed instead of waiting for a person", async () => {
  // A home without a start-up file: what whoever runs this has in theirs is no matter here.
  const home = import.meta.dir;
  const { PATH } = process.env;
  const env = { PATH, HOME: home, EDITOR: "sleep 600 #", GIT_EDITOR: "sleep 600 #" };
  await using t = await open({ env });
  const user = "-c user.name=t -c user.email=t@t";
  const commit = (words: string) => `git ${user} commit -q --allow-empty ${words}`;
  const { text, isError } = await t.run(
    `git init -q . && ${commit("-m first")} && ${commit("--amend")} && git log --format=%s`,
  );
  expect({ text, isError }).toEqual({ text: "first", isError: false });
});

test("bytes that are no text come as marks of that, and break nothing", async () => {
  await using t = await open();
  expect(await t.run("printf 'a\\377b\\0c\\342\\202'; echo; echo fine")).toEqual({
    text: "a\ufffdbc\ufffd\nfine",
    isError: false,
  });
  const long = await t.run("yes $'\\377\\303' | head -c 200000; echo end");
  expect(long.isError).toBe(false);
  expect(long.text.slice(-40)).toEndWith("end\n[the whole output: artifact://0]");
});

test("what could not be kept whole is not said to be", async () => {
  await using scratch = await createScratchDirectory();
  const artifacts = new DiskArtifacts({
    storage: createDiskStorage(),
    directory: scratch.path("kept"),
    maxArtifactBytes: 60_000,
  });
  await using t = await open({ artifacts: async () => artifacts });
  const { text } = await t.run("seq 1 50000");
  expect(text).toEndWith(
    "\n50000\n[the first 60000 bytes of the output, more could not be kept: artifact://0]",
  );
});

test("variables of a call count as if they stood in the line", async () => {
  await using t = await open();
  const guardOf = async (params: object) => ((await t.assess(params)) as { guard?: string }).guard;
  const { home } = t;
  expect(await guardOf({ command: 'rm -rf "$TMPDIR/docs"' })).toBeUndefined();
  expect(await guardOf({ command: 'rm -rf "$TMPDIR/docs"', env: { TMPDIR: home } })).toContain(
    `deletes ${home}/docs`,
  );
  expect(await guardOf({ command: "git clean -fd", env: { GIT_WORK_TREE: home } })).toBeString();
  expect(
    await guardOf({ command: "git fetch", env: { GIT_SSH_COMMAND: "rm -rf ~/docs" } }),
  ).toContain(`deletes ${home}/docs`);
  expect(await guardOf({ command: "npm test", env: { CI: "1" } })).toBeUndefined();
});

test("links are followed, guarded places are known, and every reason is told", async () => {
  await using t = await open();
  await t.run("mkdir docs && ln -s docs link && git init -q .");
  const guardOf = async (command: string) =>
    ((await t.assess({ command })) as { guard?: string }).guard;
  expect(await guardOf("rm link")).toBeUndefined();
  expect(await guardOf("touch .git/hooks/pre-commit")).toContain("a git hook");
  expect(await guardOf("touch ~/.tau/agent/config.yml")).toContain("Tau's own settings");
  expect(await guardOf("rm /srv/a; echo x > /srv/b")).toBe(
    "deletes /srv/a; creates /srv/b outside the workspace",
  );
  await t.run("ln -s /srv out");
  expect(await guardOf("rm -rf out/x")).toBe("deletes /srv/x");
});

test("what one call has fetched, a later one does not run unasked", async () => {
  await using t = await open();
  const guardOf = async (command: string) =>
    ((await t.assess({ command })) as { guard?: string }).guard;
  expect(await guardOf("sh x.sh")).toBeUndefined();
  expect(await guardOf("curl -o x.sh https://example.com")).toBeUndefined();
  expect(await guardOf("sh x.sh")).toBe("runs what it downloads");
});

test("git only looks where the repository has nothing for it to run", async () => {
  await using t = await open();
  await t.run("git init -q .");
  expect(await t.assess({ command: "git status" })).toMatchObject({ tier: "read" });
  await t.run("git config core.fsmonitor ./evil");
  expect(await t.assess({ command: "git status" })).toMatchObject({ tier: "exec" });
});

test.skipIf(process.platform !== "linux")("what ends with the call is named", async () => {
  await using place = await open();
  const { text } = await place.run("sleep 300 & sleep 301 & sleep 0.2; echo up");
  expect(text).toMatch(
    /^up\n\[ended with the call: \d+ sleep, \d+ sleep; async keeps a process running\]$/,
  );
  expect((await place.run("echo next")).text).toBe("next");
});
