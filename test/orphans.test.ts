// Nothing that Tau started outlives it, whatever Tau was doing and however it ended.

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
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
    const TMPDIR = dirname(await home.write("temporary/kept", ""));
    const tau = Bun.spawn([launcher, "-p", "-m", "ollama/x", "--yolo", "go"], {
      cwd: home.root,
      env: { ...home.env, TMPDIR, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
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
    expect(listed.stdout).toMatch(/^ +PID +AGE {2}COMMAND\n[^]*^ +\d+ +\d+\w+ {2}tau in /m);
    const shellFiles = () => readdirSync(TMPDIR).filter((name) => name.startsWith("tau-shell-"));
    expect(shellFiles()).not.toEqual([]);
    tau.kill("SIGKILL");
    await tau.exited;
    const end = performance.now() + 10_000;
    while ((await mine()).length > 0 && performance.now() < end) await Bun.sleep(50);
    expect((await mine()).map(({ command }) => command)).toEqual([]);
    // What shells wrote down of their variables goes too, and nothing beside it.
    while (shellFiles().length > 0 && performance.now() < end) await Bun.sleep(50);
    expect(shellFiles()).toEqual([]);
    expect(readdirSync(TMPDIR)).toContain("kept");
  },
);

const GONE_WITHIN_MS = 2000;

test.skipIf(!canInspectProcesses)(
  "killed with a command, a job, a terminal and a cell: nothing is left after two seconds",
  async () => {
    await using home = await isolatedHome();
    const bash = (nth: number, more: object = {}) => ({
      name: "bash",
      arguments: { command: `(setsid sleep ${seconds(nth)} &); sleep ${seconds(nth)}`, ...more },
    });
    const toolCalls = [bash(4), bash(5, { async: true }), bash(6, { pty: true })];
    await using server = await ModelServer.start([{ toolCalls }]);
    const program = await home.write(
      "program.ts",
      `import { createSession, userText } from ${JSON.stringify(import.meta.resolve("@tau/tau/sdk"))};
       import { runUserCell } from ${JSON.stringify(import.meta.resolve("@tau/tau/tools/eval/user-cell"))};
       import { CELLS } from ${JSON.stringify(import.meta.resolve("@tau/tau/tools/eval/tool"))};
       import { WORKSPACE } from ${JSON.stringify(import.meta.resolve("@tau/tau/tools/workspace"))};
       const { session } = await createSession({
         cwd: ${JSON.stringify(home.root)}, model: "ollama/x", approvalMode: "yolo",
       });
       const cells = session.parts.need(CELLS);
       session.parts.need(WORKSPACE).shells.showTerminal = async ({ open }) => {
         await open({ columns: 80, rows: 24 }, () => {}).exited;
       };
       const code = "import subprocess, time\\nsubprocess.Popen(['sleep', '${seconds(7)}'])\\ntime.sleep(600)";
       const watch = { signal: new AbortController().signal, onOutput: () => {} };
       await Promise.all([
         session.prompt(userText("go")),
         runUserCell(cells, { language: "py", code }, watch),
       ]);`,
    );
    const tau = Bun.spawn([process.execPath, program], {
      cwd: home.root,
      env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
      stdout: "ignore",
      stderr: "inherit",
    });
    const all = [4, 5, 6, 7];
    const mine = () =>
      findProcesses(({ command }) => all.some((nth) => command.includes(seconds(nth))));
    const deadline = performance.now() + 20_000;
    for (;;) {
      const words = (await mine()).map(({ command }) => command);
      // Each twice, where it has also left its session.
      const counts = all.map(
        (nth) => words.filter((one) => one === `sleep ${seconds(nth)}`).length,
      );
      if (counts.join() === "2,2,2,1") break;
      if (performance.now() > deadline) throw new Error(`not all of it started: ${counts.join()}`);
      await Bun.sleep(50);
    }
    tau.kill("SIGKILL");
    await tau.exited;
    const end = performance.now() + GONE_WITHIN_MS;
    while ((await mine()).length > 0 && performance.now() < end) await Bun.sleep(50);
    expect((await mine()).map(({ command }) => command)).toEqual([]);
  },
);

const DAEMONS: Readonly<Record<string, (seconds: string) => string>> = {
  "an empty environment": (time) => `env -i /bin/sleep ${time} & disown`,
  "an empty environment and a session of its own": (time) => `env -i setsid -f /bin/sleep ${time}`,
  "two forks and an empty environment": (time) =>
    `(env -i /bin/sh -c '(/bin/sleep ${time} &) &') >/dev/null 2>&1`,
  "an overwritten environment": (time) =>
    `perl -e 'exit if fork; use POSIX; setsid; exit if fork; %ENV=(); exec {"/bin/sleep"} "sleep", "${time}"'`,
};

test.skipIf(!canInspectProcesses)(
  "a daemon that clears its environment is gone with its call, or with Tau",
  async () => {
    await using home = await isolatedHome();
    const names = Object.keys(DAEMONS);
    const time = (at: number) => seconds(50 + at);
    const commands = names.map((name, at) => DAEMONS[name]!(time(at)));
    const calls = commands.map((command) => ({ name: "bash", arguments: { command } }));
    await using server = await ModelServer.start([
      ...calls.map((call) => ({ toolCalls: [call] })),
      { toolCalls: [{ name: "bash", arguments: { command: "sleep 1" } }] },
      { text: "done" },
    ]);
    const run = await runTau(["-p", "-m", "ollama/x", "--yolo", "go"], {
      cwd: home.root,
      home,
      env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    });
    expect(run.stdout).toBe("done\n");
    await Bun.sleep(GONE_WITHIN_MS);
    const left = await findProcesses(({ command }) =>
      names.some((_, at) => command.includes(time(at))),
    );
    expect(left.map(({ command }) => command)).toEqual([]);
  },
  60_000,
);

test.skipIf(!canInspectProcesses)(
  "killed while daemons without its mark run, Tau takes them along",
  async () => {
    for (const [at, make] of Object.values(DAEMONS).entries()) {
      await using home = await isolatedHome();
      const time = seconds(70 + at);
      const command = `${make(time)}; sleep ${time}`;
      await using server = await ModelServer.start([
        { toolCalls: [{ name: "bash", arguments: { command } }] },
      ]);
      const tau = Bun.spawn([launcher, "-p", "-m", "ollama/x", "--yolo", "go"], {
        cwd: home.root,
        env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
        stdout: "ignore",
        stderr: "ignore",
      });
      const mine = () => findProcesses(({ command }) => command.includes(time));
      const deadline = performance.now() + 20_000;
      while (
        (await mine()).filter(({ command }) => /^(?:\/bin\/)?sleep /.test(command)).length < 2
      ) {
        if (performance.now() > deadline) throw new Error(`not all of it started: ${command}`);
        await Bun.sleep(20);
      }
      await Bun.sleep(150);
      tau.kill("SIGKILL");
      await tau.exited;
      await Bun.sleep(GONE_WITHIN_MS);
      expect((await mine()).map(({ command }) => command)).toEqual([]);
    }
  },
  60_000,
);
