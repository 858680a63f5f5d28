// What the user runs with `!`: in the shell that the model's commands run in, as it is written.

import { expect, test } from "bun:test";
import { processesWithEnv } from "@tau/testkit/processes";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { Workspace } from "../workspace.ts";
import { createBashTool } from "./tool.ts";
import {
  parseUserCommand,
  runUserCommand,
  userCommandEnding,
  userCommandMessage,
} from "./user-command.ts";

async function open() {
  const scratch = await createScratchDirectory();
  const env = { HOME: scratch.root, PATH: process.env.PATH, TMPDIR: scratch.path("tmp") };
  const interceptorSettings = { enabled: true, patterns: [] };
  const workspace = new Workspace({ cwd: scratch.root, env, interceptorSettings });
  workspace.toolNames = ["read", "bash"];
  const tool = createBashTool(workspace);
  return {
    scratch,
    workspace,
    async model(command: string): Promise<string> {
      const context = { id: "c", signal: new AbortController().signal, update: () => {} };
      const { content } = await tool.execute({ command }, context as never);
      return content.map((block) => (block.type === "text" ? block.text : "")).join("");
    },
    assess: (command: string) => tool.assess!({ command }),
    async user(command: string, controller = new AbortController(), isTold = true) {
      let streamed = "";
      const onOutput = (text: string): void => {
        streamed += text;
        if (streamed.includes("STOP")) controller.abort();
      };
      const result = await runUserCommand(workspace, command, {
        signal: controller.signal,
        onOutput,
        isTold,
      });
      return { ...result, streamed };
    },
    async [Symbol.asyncDispose]() {
      await workspace[Symbol.asyncDispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

test("the user and the model share a shell, both ways", async () => {
  await using t = await open();
  expect(await t.user("mkdir sub; cd sub; export COLOUR=red")).toMatchObject({
    exitCode: 0,
    text: "",
  });
  expect(await t.model("pwd; echo $COLOUR; export SIZE=big")).toBe(`${t.scratch.path("sub")}\nred`);
  expect((await t.user("echo $SIZE")).text).toBe("big");
});

test("nothing is intercepted or left out, and colours do not come through", async () => {
  await using t = await open();
  await t.scratch.write("a.txt", "hello\n");
  const { text, streamed } = await t.user(
    "cat a.txt; seq 1 30 | head -2; printf '\\033[31mred\\033[0m\\r\\n'",
  );
  expect(text).toBe("hello\n1\n2\nred");
  expect(streamed).toBe("hello\n1\n2\nred\n");
});

test("what the user defines changes how later commands of the model are judged", async () => {
  await using t = await open();
  await t.user("ls() { rm -rf /; }");
  expect(await t.assess("ls")).not.toMatchObject({ tier: "read" });
});

test("a secret that the user shows the model does not leave unasked; one that stays here does no harm", async () => {
  await using t = await open();
  await t.scratch.write(".env", "KEY=1");
  await t.user("cat .env", new AbortController(), false);
  expect((await t.assess("getent hosts a.example.com")).guard).toBeUndefined();
  await t.user("cat .env");
  expect((await t.assess("getent hosts a.example.com")).guard).toContain("after a secret was read");
  for (const plain of [
    "npm install",
    "git pull",
    "git fetch origin",
    "git status",
    "docker pull postgres:16",
  ])
    expect((await t.assess(plain)).guard ?? "").not.toContain("after a secret was read");
});

test("stopping it ends it with what it started, and the shell goes on as it was", async () => {
  await using t = await open();
  const mark = { name: "TAU_TEST_USER", value: crypto.randomUUID() };
  await t.user("export KEPT=yes; cd /usr");
  const stopped = await t.user(
    `export ${mark.name}=${mark.value}; (setsid sleep 300 &) ; echo STOP; sleep 300`,
  );
  expect(stopped).toMatchObject({ isAborted: true, text: expect.stringMatching(/^STOP/) });
  expect(userCommandEnding(stopped)).toBe("stopped by the user");
  expect(await processesWithEnv(mark)).toEqual([]);
  expect((await t.user("echo $KEPT; pwd")).text).toBe("yes\n/usr");
  const controller = new AbortController();
  controller.abort();
  expect(await t.user("touch /tmp/never", controller)).toMatchObject({ isAborted: true, text: "" });
});

test("much output is bounded with its end, and kept whole", async () => {
  await using t = await open();
  const { text, truncated, artifactId } = await t.user("seq 1 100000");
  expect({ truncated, artifactId }).toEqual({ truncated: true, artifactId: "0" });
  expect(text.length).toBeLessThan(50_000);
  expect(text).toEndWith("\n100000");
  const { text: whole } = await (await t.workspace.artifacts()).read(artifactId!);
  expect(whole).toContain("\n50000\n");
});

test("what the model is told", async () => {
  await using t = await open();
  const failed = await t.user("echo no; exit 3");
  expect(userCommandMessage("echo no; exit 3", failed)).toBe(
    "[the user ran this in your shell]\n$ echo no; exit 3\nno\n[exit code 3]",
  );
  const quiet = await t.user("true");
  expect(userCommandMessage("true", quiet)).toEndWith("$ true\n(no output)");
});

test("a line with one mark is told, with two it is not", () => {
  expect(parseUserCommand("!ls -la ")).toEqual({ command: "ls -la", isTold: true });
  expect(parseUserCommand("!! cat .env")).toEqual({ command: "cat .env", isTold: false });
  expect(parseUserCommand("!")).toBeUndefined();
  expect(parseUserCommand("what? !ls")).toBeUndefined();
});
