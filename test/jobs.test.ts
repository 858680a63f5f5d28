// Commands that go on behind the conversation, in a real session with real processes.

import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/tau/sdk";
import { ModelServer } from "@tau/testkit/model-server";
import { findProcesses } from "@tau/testkit/processes";
import { isolatedHome } from "@tau/testkit/scratch";
import { projectEntries } from "../packages/tau/src/session/projection/project-entries.ts";
import { embed, saidIn } from "./support/embedded.ts";
import { runTau } from "./support/run-tau.ts";

const bash = (command: string, more: object = {}) => ({
  name: "bash",
  arguments: { command, ...more },
});

test("a job is started, the model goes on, and is told when it ends, once", async () => {
  await using embedding = await embed((request, turn) => {
    if (turn === 1) return { toolCalls: [bash("sleep 0.2; echo built", { async: true })] };
    const last = textOf(request.decoded.messages.at(-1)!);
    return { text: last.includes("[job bash-1 completed") ? "I know." : "Meanwhile…" };
  });
  await using session = await embedding.start();
  await session.prompt(userText("build it"));
  while (!session.messages.some((message) => textOf(message) === "I know.")) await Bun.sleep(20);
  await session.whenIdle();
  const said = saidIn(embedding.server, -1).join("\n");
  expect(said).toContain("It continues as job bash-1.");
  expect(said.split("[job bash-1 completed").length - 1).toBe(1);
  expect(said).toContain("built");
  expect(session.mailbox.queued()).toEqual([]);
});

test("what woke the session is not told again after a restart", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 1
      ? { toolCalls: [bash("sleep 0.2; echo built", { async: true })] }
      : { text: `answer ${turn}` },
  );
  const session = await embedding.start();
  await session.prompt(userText("build it"));
  while (!session.messages.some((message) => textOf(message) === "answer 3")) await Bun.sleep(20);
  await session.whenIdle();
  const { id } = session;
  await session[Symbol.asyncDispose]();
  await using again = await embedding.start({ session: { kind: "resume", wanted: id } });
  expect(again.mailbox.queued()).toEqual([]);
  await again.prompt(userText("go on"));
  const said = saidIn(embedding.server, -1).join("\n");
  expect(said.split("[job bash-1 completed").length - 1).toBe(1);
});

test("people see the end of what came out of it: while it runs, at its end, and in /jobs", async () => {
  const command =
    "seq 7; while [ ! -e go ]; do sleep 0.05; done; printf '\\033[31mred\\033[0m\\n'; exit 3";
  await using embedding = await embed((_request, turn) =>
    turn === 1 ? { toolCalls: [bash(command, { async: true })] } : { text: "ok" },
  );
  await using session = await embedding.start();
  const notes: string[] = [];
  session.subscribe((event) => {
    if (event.type === "command_output") notes.push(event.text);
    if (event.type === "job_end") notes.push(`end\n${event.output}`);
  });
  const jobs = async (): Promise<string> => {
    await session.prompt(userText("/jobs"));
    return notes.at(-1)!;
  };
  await session.prompt(userText("build it"));
  while (!(await jobs()).includes("\n  7")) await Bun.sleep(20);
  expect(notes.at(-1)).toMatch(
    /^bash-1  running .*\n  … 2 earlier lines\n  3\n  4\n  5\n  6\n  7$/,
  );
  await embedding.home.write("go", "");
  while (!notes.some((note) => note.startsWith("end"))) await Bun.sleep(20);
  const end = "  … 4 earlier lines\n  5\n  6\n  7\n  red\n  [exit code 3]";
  expect(notes).toContain(`end\n${end}`);
  await session.whenIdle();
  expect(await jobs()).toEndWith(`\n${end}`);
});

test("waiting for it with the job tool is the telling", async () => {
  await using embedding = await embed((_request, turn) => {
    if (turn === 1) return { toolCalls: [bash("echo one; exit 3", { async: true })] };
    if (turn === 2) return { toolCalls: [{ name: "job", arguments: {} }] };
    return { text: "done" };
  });
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await Bun.sleep(100);
  await session.whenIdle();
  const said = session.messages.map(textOf).join("\n");
  expect(said.split("exit code 3").length - 1).toBe(1);
});

test("a cancelled job is ended, processes and all", async () => {
  const seconds = `87${process.pid}`;
  await using embedding = await embed((_request, turn) => {
    if (turn === 1) return { toolCalls: [bash(`sleep ${seconds}`, { async: true })] };
    if (turn === 2) return { toolCalls: [{ name: "job", arguments: { cancel: ["bash-1", "x"] } }] };
    return { text: "done" };
  });
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const said = session.messages.map(textOf).join("\n");
  expect(said).toContain("bash-1: cancelled");
  expect(said).toContain("x: there is no such job");
  const left = () => findProcesses(({ command }) => command.includes(`sleep ${seconds}`));
  while ((await left()).length > 0) await Bun.sleep(20);
});

test("a command that takes long becomes a job by itself, and loses nothing", async () => {
  await using embedding = await embed((request, turn) => {
    if (turn === 1) return { toolCalls: [bash("echo early; sleep 1.6; echo late")] };
    const last = textOf(request.decoded.messages.at(-1)!);
    return { text: last.includes("completed") ? "Both." : "Going on." };
  });
  await embedding.home.write(
    ".tau/agent/config.yml",
    "bash:\n  autoBackground:\n    enabled: true\n    thresholdMs: 1000\n",
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  while (!session.messages.some((message) => textOf(message) === "Both.")) await Bun.sleep(20);
  expect(session.messages.map(textOf).join("\n")).toContain("early\nlate");
});

test("a command that takes long is waited for where no more jobs may run", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 1
      ? { toolCalls: [bash("sleep 4", { async: true }), bash("sleep 1.2; echo whole")] }
      : { text: "done" },
  );
  await embedding.home.write(
    ".tau/agent/config.yml",
    "async:\n  maxJobs: 1\nbash:\n  autoBackground:\n    enabled: true\n    thresholdMs: 1000\n",
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const results = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results.at(-1)).toBe("whole");
});

test("a job has a shell of its own: commands behind it share theirs", async () => {
  await using embedding = await embed((_request, turn) => {
    if (turn === 1) return { toolCalls: [bash("cd /; sleep 0.6", { async: true })] };
    if (turn === 2) return { toolCalls: [bash("mkdir sub; cd sub; export A=1")] };
    if (turn === 3) return { toolCalls: [{ name: "job", arguments: {} }] };
    if (turn === 4) return { toolCalls: [bash('echo "$A ${PWD##*/}"')] };
    return { text: "done" };
  });
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const results = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results.at(-1)).toBe("1 sub");
});

test("leaving the session ends what it left running", async () => {
  const seconds = `88${process.pid}`;
  await using embedding = await embed((_request, turn) =>
    turn === 1
      ? { toolCalls: [bash(`(setsid sleep ${seconds} &); sleep ${seconds}`, { async: true })] }
      : { text: "left" },
  );
  {
    await using session = await embedding.start();
    await session.prompt(userText("go"));
    const started = () => findProcesses(({ command }) => command.startsWith(`sleep ${seconds}`));
    while ((await started()).length < 2) await Bun.sleep(20);
  }
  expect(await findProcesses(({ command }) => command.includes(`sleep ${seconds}`))).toEqual([]);
});

const LONG_JOB = bash("sleep 600", { async: true });

test("leaving in order tells of the jobs that end with it, to people and to the model", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 1 ? { toolCalls: [LONG_JOB] } : { text: "ok" },
  );
  const session = await embedding.start();
  await session.prompt(userText("build it"));
  const { id } = session;
  await session[Symbol.asyncDispose]();
  await using again = await embedding.start({ session: { kind: "resume", wanted: id } });
  const notes = projectEntries(await again.log.branch()).flatMap((block) =>
    block.kind === "note" ? [block.text] : [],
  );
  expect(notes).toEqual([
    expect.stringMatching(/^Job bash-1 ended with Tau after [\d.]+ s: sleep 600$/),
  ]);
  await again.prompt(userText("go on"));
  expect(saidIn(embedding.server, -1).join("\n")).toContain("[job bash-1 ended with Tau");
});

test("a job that was stopped by hand is not told of again at resume", async () => {
  await using embedding = await embed((_request, turn) =>
    turn < 3 ? { toolCalls: [LONG_JOB] } : { text: "ok" },
  );
  const session = await embedding.start();
  await session.prompt(userText("build both"));
  await session.prompt(userText("/jobs stop bash-2"));
  const { id } = session;
  await session[Symbol.asyncDispose]();
  await using again = await embedding.start({ session: { kind: "resume", wanted: id } });
  const ends = (await again.log.branch()).flatMap((entry) =>
    entry.type === "event" && entry.event.type === "job_end" ? [entry.event] : [],
  );
  expect(ends).toMatchObject([
    { id: "bash-2", status: "cancelled" },
    { id: "bash-1", status: "ended" },
  ]);
});

test("print mode says which jobs ended with it", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ toolCalls: [LONG_JOB] }, { text: "Started." }]);
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const end = await runTau(["-m", "ollama/x", "-p", "start it"], { cwd: home.root, home, env });
  expect(end).toMatchObject({ exitCode: 0, stdout: "Started.\n" });
  expect(end.stderr).toContain("ended 1 background job (bash-1)");
});
