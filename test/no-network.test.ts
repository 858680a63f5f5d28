// Starting opens no socket and looks up no name but the model's own. The operating system
// is the witness.

import { expect } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { testWith } from "@tau/testkit/require-program";
import { isolatedHome } from "@tau/testkit/scratch";
import { launcher, runTau } from "./support/run-tau.ts";

const need = { program: "strace", proves: "which sockets a start opens" };

async function connectsOf(strace: string, args: string[], env: Record<string, string> = {}) {
  await using home = await isolatedHome();
  const log = home.path("trace");
  const program = [
    strace,
    "-f",
    "-qq",
    "-e",
    "trace=socket,connect,sendto,bind",
    "-o",
    log,
    launcher,
  ];
  const result = await runTau(args, { cwd: home.root, home, env, program });
  expect(result.stderr).toBe("");
  expect(result.exitCode).toBe(0);
  // The system's own name cache is asked by any program that wants to know its user.
  const lines = (await Bun.file(log).text())
    .split("\n")
    .filter((line) => /AF_INET|AF_UNIX|bind\(/.test(line) && !line.includes("/nscd/"))
    .filter((line) => !/socket\(AF_UNIX/.test(line));
  return lines;
}

for (const args of [["--version"], ["--help"], ["-p", "look around"]]) {
  testWith(need, `tau ${args.join(" ")} opens no socket`, async (strace) => {
    expect(await connectsOf(strace, args)).toEqual([]);
  });
}

testWith(need, "a turn connects to the model's server and nowhere else", async (strace) => {
  await using server = await ModelServer.start([{ text: "ok" }]);
  const lines = await connectsOf(strace, ["-p", "-m", "ollama/x", "hi"], {
    OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
  });
  const connects = lines.filter((line) => line.includes("connect("));
  const { port } = new URL(server.origin);
  expect(connects.length).toBeGreaterThan(0);
  expect(connects.filter((line) => !line.includes(`sin_port=htons(${port})`))).toEqual([]);
  expect(lines.filter((line) => line.includes("bind("))).toEqual([]);
});
