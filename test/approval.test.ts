// Consent as users meet it: what is refused where nobody can be asked, what is asked in the
// terminal, and what "always" means the next time.

import { existsSync } from "node:fs";
import { expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { mkdir } from "node:fs/promises";
import { launcher, runTau } from "./support/run-tau.ts";

async function project(home: IsolatedHome): Promise<string> {
  await mkdir(home.path("work"), { recursive: true });
  await home.write("precious.txt", "mine\n");
  return home.path("work");
}

/** The temporary directory of a test home is its own, so that the rest of the home is outside. */
const env = (server: ModelServer) => ({
  OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  TAU_NO_TITLE: "1",
});

const remove = { toolCalls: [{ name: "bash", arguments: { command: "rm ../precious.txt" } }] };

function resultsIn(server: ModelServer, at: number): string {
  const { messages } = server.requests.at(at)!.decoded;
  return messages
    .filter(({ role }) => role === "toolResult")
    .map(textOf)
    .join("\n");
}

test("where nobody can be asked, what is dangerous is refused with a reason", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start([remove, { text: "I may not." }]);
  const args = ["-p", "-m", "ollama/x", "delete it"];
  const result = await runTau(args, { cwd, home, env: env(server) });
  expect(result).toMatchObject({ exitCode: 0, stdout: "I may not.\n" });
  expect(existsSync(home.path("precious.txt"))).toBe(true);
  expect(resultsIn(server, 1)).toContain("needs a person's consent");
  expect(resultsIn(server, 1)).toContain("precious.txt");
});

test("--yolo asks about nothing; a refusal in the settings holds all the same", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? remove : { text: "done" },
  );
  const args = ["-p", "-m", "ollama/x", "--yolo", "delete it"];
  await home.write(".tau/agent/config.yml", "tools:\n  rules:\n    - deny bash(rm *)\n");
  await runTau(args, { cwd, home, env: env(server) });
  expect(resultsIn(server, 1)).toContain("Your settings refuse");
  await home.write(".tau/agent/config.yml", "{}\n");
  await runTau(args, { cwd, home, env: env(server) });
  expect(existsSync(home.path("precious.txt"))).toBe(false);
});

test("reading is never asked about, even where everything else is", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  const look = {
    name: "bash",
    arguments: { command: "ls -la | grep x; cat ../precious.txt | wc -l" },
  };
  await using server = await ModelServer.start([{ toolCalls: [look] }, { text: "seen" }]);
  const args = ["-p", "-m", "ollama/x", "--approval-mode", "always-ask", "look"];
  await runTau(args, { cwd, home, env: env(server) });
  expect(resultsIn(server, 1)).toContain("1");
  expect(resultsIn(server, 1)).not.toContain("consent");
});

test("in the terminal it is asked; always means always", async () => {
  await using home = await isolatedHome();
  const cwd = await project(home);
  await using server = await ModelServer.start((_request, turn) =>
    turn % 2 === 1 ? remove : { text: `answer ${turn}` },
  );
  const open = () =>
    runInTerminal([launcher, "-m", "ollama/x"], {
      cwd,
      env: { ...home.env, ...env(server) },
    });
  {
    await using terminal = open();
    await terminal.waitFor("›");
    terminal.send("delete it");
    terminal.press("enter");
    await terminal.waitFor("bash asks");
    expect(terminal.screen().join("\n")).toContain("rm ../precious.txt");
    expect(terminal.text()).toContain("› delete it");
    terminal.send("n");
    await terminal.waitFor("answer 2");
    expect(existsSync(home.path("precious.txt"))).toBe(true);
    expect(resultsIn(server, 1)).toContain("The user said no");
    terminal.send("do it");
    terminal.press("enter");
    await terminal.waitFor("bash asks");
    terminal.send("a");
    await terminal.waitFor("answer 4");
    expect(existsSync(home.path("precious.txt"))).toBe(false);
  }
  await home.write("precious.txt", "again\n");
  const args = ["-p", "-m", "ollama/x", "once more"];
  await runTau(args, { cwd, home, env: env(server) });
  expect(existsSync(home.path("precious.txt"))).toBe(false);
});
