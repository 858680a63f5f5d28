// Nothing that Tau started outlives it, whatever Tau was doing and however it ended.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { canInspectProcesses, findProcesses } from "@tau/testkit/processes";
import { isolatedHome } from "@tau/testkit/scratch";
import { launcher, runTau } from "./support/run-tau.ts";

const seconds = (nth: number) => `9${nth}${process.pid}`;

test.skipIf(!canInspectProcesses)(
  "killed with a command, a job and cells running: all of it is gone soon",
  async () => {
    await using home = await isolatedHome();
    const calls = [
      { name: "bash", arguments: { command: `sleep ${seconds(1)}`, async: true } },
      {
        name: "bash",
        arguments: {
          command: `(setsid sh -c 'sleep ${seconds(2)}' &); sleep ${seconds(2)}`,
          async: true,
        },
      },
      {
        name: "eval",
        arguments: {
          cells: [
            {
              language: "py",
              code: `import subprocess, time\nsubprocess.Popen(["sleep", "${seconds(3)}"])\nwhile True: time.sleep(1)`,
              timeout: 60,
            },
          ],
        },
      },
    ];
    await using server = await ModelServer.start([
      { toolCalls: [calls[0]!, calls[1]!] },
      { toolCalls: [calls[2]!] },
    ]);
    const tau = Bun.spawn([launcher, "-p", "-m", "ollama/x", "--yolo", "go"], {
      cwd: home.root,
      env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
      stdout: "ignore",
      stderr: "ignore",
    });
    const mine = () =>
      findProcesses(({ command }) => [1, 2, 3].some((nth) => command.includes(seconds(nth))));
    const deadline = performance.now() + 20_000;
    for (;;) {
      const words = (await mine()).map(({ command }) => command).join("\n");
      if ([1, 2, 3].every((nth) => words.includes(`sleep ${seconds(nth)}`))) break;
      if (performance.now() > deadline) throw new Error(`not all of it started:\n${words}`);
      await Bun.sleep(50);
    }
    const listed = await runTau(["ps"], { cwd: home.root, home });
    expect(listed.stdout).toContain(`sleep ${seconds(1)}`);
    tau.kill("SIGKILL");
    await tau.exited;
    const end = performance.now() + 10_000;
    while ((await mine()).length > 0 && performance.now() < end) await Bun.sleep(50);
    expect((await mine()).map(({ command }) => command)).toEqual([]);
  },
);
