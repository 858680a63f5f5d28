// A sandbox as users meet it: one setting, and commands of the model stay in the project.

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { sandboxTest } from "@tau/host/sandbox/test/sandbox-test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runTau } from "./support/run-tau.ts";

const command = "echo in > inside; echo out > ../outside";
const write = { toolCalls: [{ name: "bash", arguments: { command } }] };

/** What the model was told of the command, given twice, with everything allowed that the sandbox allows. */
async function runConfined(home: IsolatedHome, path?: string): Promise<string> {
  await using server = await ModelServer.start([write, write, { text: "done" }]);
  const env = {
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    TAU_NO_TITLE: "1",
    ...(path === undefined ? {} : { PATH: path }),
  };
  await home.write("work/README", "");
  const settled = { cwd: home.path("work"), home, env };
  expect(await runTau(["config", "set", "sandbox.mode", "workspace"], settled)).toMatchObject({
    exitCode: 0,
  });
  const result = await runTau(["-p", "-m", "ollama/x", "--yolo", "write"], settled);
  expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
  const told = server.requests.at(2)!.decoded.messages;
  return told
    .filter(({ role }) => role === "toolResult")
    .map(textOf)
    .join("\n");
}

sandboxTest("with sandbox.mode workspace a command writes in the project alone", async () => {
  await using home = await isolatedHome();
  expect(await runConfined(home)).toContain("Read-only file system");
  expect(await home.read("work/inside")).toBe("in\n");
  expect(existsSync(home.path("outside"))).toBe(false);
});

test("wanted and not to be had, no command runs at all", async () => {
  await using home = await isolatedHome();
  await home.write("no-programs/README", "");
  const told = await runConfined(home, home.path("no-programs"));
  expect(told.match(/Not run: the sandbox is not available/g)).toHaveLength(2);
  expect(existsSync(home.path("work/inside"))).toBe(false);
  expect(existsSync(home.path("outside"))).toBe(false);
});
