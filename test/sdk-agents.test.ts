// Agents in an embedding program and in an extension: run, heard, spoken to, stopped, and gone with their
// session.

import { expect, test } from "bun:test";
import { AGENT_RUNNER, AGENTS, BUILT_IN, textOf, ToolError, userText } from "@tau/tau/sdk";
import type { Agents, Feature, Session } from "@tau/tau/sdk";
import { findProcesses } from "@tau/testkit/processes";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { embed } from "./support/embedded.ts";
import { extended } from "./support/extended.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const agentsOf = (session: Session): Agents => session.part(AGENTS)!;

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

test("a program has an agent work for it, hears it, and gets what it hands in", async () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  await using embedding = await embed(
    agentScript({
      "*": ({ turn }) => (turn === 1 ? bash("echo 7") : { toolCalls: [handIn({ n: 7 })] }),
    }),
  );
  await using session = await embedding.start({ session: { kind: "memory" } });
  const heard: string[] = [];
  const stopHearing = agentsOf(session).hear((event, { agent, session: whose }) => {
    if (event.type === "tool_execution_start") heard.push(`${agent} ${event.call.name}`);
    expect(whose).not.toBe(session.id);
  });
  const runner = session.part(AGENT_RUNNER)!;
  const result = await runner.run("count", { label: "counts", schema });
  expect(result).toEqual({ n: 7 });
  const [one] = agentsOf(session).list();
  expect(one).toMatchObject({ kind: "task", description: "counts", end: "completed", requests: 2 });
  expect(heard).toEqual([`${one!.id} bash`, `${one!.id} yield`]);
  expect(session.messages).toEqual([]);
  stopHearing();
  await agentsOf(session).whenDone();
  expect(agentsOf(session).pending).toBe(0);
});

test("what cannot be done, is stopped, or is left is a ToolError in words", async () => {
  await using embedding = await embed(
    agentScript({ "*": () => ({ text: "…", delivery: { firstByteDelayMs: 60_000 } }) }),
  );
  const session = await embedding.start({ session: { kind: "memory" } });
  const runner = session.part(AGENT_RUNNER)!;
  const wordsOf = (run: Promise<unknown>): Promise<string> =>
    run.then(
      () => "no failure",
      (error: unknown) => (error instanceof ToolError ? error.message : `not typed: ${error}`),
    );
  expect(await wordsOf(runner.run("  "))).toBe("The agent has no assignment.");
  expect(await wordsOf(runner.run("x", { kind: "nobody" }))).toContain('no agent "nobody"');
  expect(await wordsOf(runner.run("x", {}, AbortSignal.abort()))).toContain("before it began");
  expect(agentsOf(session).list()).toEqual([]);
  const controller = new AbortController();
  const stopped = wordsOf(runner.run("x", { label: "a" }, controller.signal));
  await until(() => embedding.server.requests.length === 1);
  controller.abort();
  expect(await stopped).toMatch(/^\w+ was aborted\.$/);
  const byName = wordsOf(runner.run("x"));
  await until(() => embedding.server.requests.length === 2);
  await agentsOf(session).stop(agentsOf(session).list().at(-1)!.id);
  expect(await byName).toMatch(/^\w+ was aborted\.$/);
  const left = wordsOf(runner.run("x"));
  await until(() => embedding.server.requests.length === 3);
  await session[Symbol.asyncDispose]();
  expect(await left).toMatch(/^\w+ was interrupted\.$/);
});

test("whoever disposes of the session has no agent and no process left", async () => {
  const mark = `agents-${crypto.randomUUID()}`;
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task("task", ...[1, 2, 3].map((n) => ({ id: `A${n}`, assignment: "sleep" }))),
              ],
            }
          : { text: "noted" },
      "*": () => bash(`exec -a ${mark} sleep 600`),
    }),
  );
  const session = await embedding.start({ approvalMode: "yolo" });
  await session.prompt(userText("go"));
  const running = () => findProcesses(({ command }) => command.includes(mark));
  await until(async () => (await running()).length >= 3);
  const done = agentsOf(session).whenDone();
  await session[Symbol.asyncDispose]();
  expect(await running()).toEqual([]);
  await done;
  const before = embedding.server.requests.length;
  await Bun.sleep(200);
  expect(embedding.server.requests.length).toBe(before);
  // What they had done is there for whoever comes back.
  const { id } = session;
  await using again = await embedding.start({ session: { kind: "resume", wanted: id } });
  expect(agentsOf(again).list()).toMatchObject(
    ["A1", "A2", "A3"].map((name) => ({ id: name, state: "parked", end: "interrupted" })),
  );
  expect((await agentsOf(again).messages("A1")).messages.map(({ role }) => role)).toContain(
    "assistant",
  );
});

test("a feature from outside can watch agents and stop one, and not speak in the user's name", async () => {
  let seen: Partial<Agents> | undefined;
  const watcher: Feature = {
    name: "watcher",
    setup: (host) => ({
      hooks: { run_start: () => void (seen ??= host.part(AGENTS)) },
    }),
  };
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: () => ({ text: "…", delivery: { firstByteDelayMs: 60_000 } }),
    }),
  );
  await using session = await embedding.start({ features: [...BUILT_IN, watcher] });
  await session.prompt(userText("go"));
  expect(Object.keys(seen!).toSorted()).toEqual([
    "hear",
    "list",
    "pending",
    "stop",
    "subscribe",
    "whenDone",
  ]);
  expect(seen!.list!()).toMatchObject([{ id: "Ann", state: "running" }]);
  await seen!.stop!("Ann");
  expect(seen!.list!()).toMatchObject([{ id: "Ann", state: "aborted" }]);
});

test("an extension has an agent work for its own tool", async () => {
  const source = `
    import { AGENTS, defineExtension, defineTool } from "@tau/extension";
    export default defineExtension({
      name: "second-look",
      tools: [defineTool({
        name: "second_look",
        description: "Has somebody else look",
        parameters: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
        tier: "read",
        async execute({ what }, { host, signal }) {
          const said = await host.runAgent("look at " + what, { kind: "quick_task", signal });
          const [{ kind, state }] = host.part(AGENTS).list();
          return said + " (" + kind + ", " + state + ")";
        },
      })],
    });`;
  await using program = await extended(
    { "second-look.ts": source },
    agentScript({
      Main: ({ turn, last }) =>
        turn === 1
          ? { toolCalls: [{ name: "second_look", arguments: { what: "it" } }] }
          : { text: `it said: ${last}` },
      "*": ({ messages }) => ({ toolCalls: [handIn(`seen: ${textOf(messages[0]!)}`)] }),
    }),
  );
  const { stdout, stderr, exitCode } = await program.run("-p", "go");
  expect({ stdout, stderr, exitCode }).toEqual({
    stdout: "it said: seen: look at it (quick_task, idle)\n",
    stderr: "",
    exitCode: 0,
  });
});
