// What the session wrote is judged by its content when it is run, whichever tool wrote it and
// whenever; what was there before is not looked into.

import { expect, test } from "bun:test";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { createBashTool } from "./bash/tool.ts";
import { Workspace } from "./workspace.ts";
import { createWriteTool } from "./write/tool.ts";
import { scriptContent } from "./written-files.ts";

const HARM = "rm -rf ~/docs\n";

interface Session {
  home: IsolatedHome;
  write(path: string, content: string): Promise<void>;
  guard(command: string): Promise<string | undefined>;
  run(command: string): Promise<string>;
}

async function inSession(check: (session: Session) => Promise<void>): Promise<void> {
  await using home = await isolatedHome();
  await home.write("docs/precious.txt", "mine");
  await home.write("work/old.sh", HARM);
  await using workspace = new Workspace({ cwd: home.path("work"), env: home.env });
  workspace.consent.decide = (_, call) => (call.guard === undefined ? "allow" : "ask");
  const [write, bash] = [createWriteTool(workspace), createBashTool(workspace)];
  const context = { id: "x", signal: new AbortController().signal, update: () => {} };
  await check({
    home,
    write: async (path, content) => {
      const params = { path, content };
      await write.assess!(params);
      await write.execute(params, context);
    },
    guard: async (command) => (await bash.assess!({ command })).guard,
    run: async (command) => {
      const params = { command };
      await bash.assess!(params);
      return bash.execute(params, context).then(
        () => "ran",
        (error: Error) => error.message,
      );
    },
  });
}

test("a script of the session is read when it is run; one that was there before is its owner's", () =>
  inSession(async ({ home, write, guard }) => {
    expect(await guard("sh old.sh")).toBeUndefined();
    await write("new.sh", HARM);
    expect(await guard("sh new.sh")).toContain(`deletes ${home.path("docs")}`);
    await write("new.sh", "ls\n");
    expect(await guard("sh new.sh")).toBeUndefined();
    await write("old.sh", `ls\n${HARM}`);
    expect(await guard("./old.sh")).toContain(`deletes ${home.path("docs")}`);
  }));

test("what an earlier command wrote is judged as well, as it is now", () =>
  inSession(async ({ home, run, guard }) => {
    expect(await run(`printf 'import shutil\\n' > t.py`)).toBe("ran");
    expect(await guard("python3 t.py")).toBeUndefined();
    await home.write("work/t.py", `import shutil\nshutil.rmtree("${home.path("docs")}")\n`);
    expect(await guard("python3 t.py")).toContain(`deletes ${home.path("docs")}`);
  }));

test("a script that changes after its command was judged is judged again", () =>
  inSession(async ({ home, write }) => {
    await using workspace = new Workspace({ cwd: home.path("work"), env: home.env });
    workspace.consent.decide = (_, call) => (call.guard === undefined ? "allow" : "ask");
    const [writer, bash] = [createWriteTool(workspace), createBashTool(workspace)];
    const context = { id: "x", signal: new AbortController().signal, update: () => {} };
    await write("other.txt", "");
    // Both calls of one reply are judged before either runs.
    const params = { path: "late.sh", content: HARM };
    const command = { command: "sh late.sh" };
    await writer.assess!(params);
    expect((await bash.assess!(command)).guard).toBeUndefined();
    await writer.execute(params, context);
    await expect(bash.execute(command, context)).rejects.toThrow(/^Not run: /);
    expect(await Bun.file(home.path("docs/precious.txt")).text()).toBe("mine");
  }));

test("a copy that is a file, where a directory was thought possible, is no obstacle", () =>
  inSession(async ({ home, guard, run }) => {
    expect(await run("mkdir -p bin && cp /bin/ls bin/foo")).toBe("ran");
    expect(await guard("bin/foo")).toBeUndefined();
    expect(await run("bin/foo")).toBe("ran");
    expect(await home.read("work/old.sh")).toBe(HARM);
  }));

test("long files, programs and what is no file are told apart", async () => {
  await using home = await isolatedHome();
  await home.write("a.sh", "ls\n");
  await home.write("long.sh", "#".repeat(256 * 1024 + 1));
  await home.write("program", "\u0000ELF");
  expect(scriptContent(home.path("a.sh"))).toEqual({ text: "ls\n" });
  expect(scriptContent(home.path("long.sh"))).toEqual({ problem: "too long" });
  expect(scriptContent(home.path("program"))).toEqual({ problem: "binary" });
  expect(scriptContent(home.path("."))).toBeUndefined();
  expect(scriptContent(home.path("none"))).toBeUndefined();
  expect(scriptContent("/dev/zero")).toBeUndefined();
});
