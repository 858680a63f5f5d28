// Agents for a program at the other end of a pipe: their events with their names, what can be done with
// one, their questions, and when everything has come to its end.

import { expect, test } from "bun:test";
import { textOf, type Message } from "@tau/ai/message";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { codeOf, connect, ofType, type Connection } from "./support/rpc-connection.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const PROMPT = "share it out";
const NEVER = { text: "…", delivery: { firstByteDelayMs: 60_000 } };

/** Main starts the agents and takes note of what comes; each agent follows its script. */
function sharing(ids: readonly string[], scripts: Parameters<typeof agentScript>[0]) {
  const tasks = ids.map((id) => ({ id, description: `${id}'s work`, assignment: `do ${id}` }));
  return agentScript({
    Main: ({ turn }) =>
      turn === 1 ? { toolCalls: [task("task", ...tasks)] } : { text: `noted ${turn}` },
    ...scripts,
  });
}

interface Listed {
  agents: { id: string; state: string; end?: string; kind: string; requests: number }[];
  pending: number;
}

const listed = async ({ client }: Connection) => (await client.send("agents_list")) as Listed;
const stateOf = async (rpc: Connection) =>
  (await rpc.client.send("get_state")) as { pending: number; agentEvents: string };

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

test("a client that does not ask for them hears only the session's own events, and when all is settled", async () => {
  await using rpc = await connect(
    sharing(["Ann", "Bob"], {
      "*": ({ turn, who }) =>
        turn === 1 ? bash("sleep 0.2") : { toolCalls: [handIn(`${who} is done`)] },
    }),
  );
  const { runId } = (await rpc.client.send("prompt", { message: PROMPT })) as { runId: string };
  const first = await rpc.event(({ type, runId: of }) => type === "agent_end" && of === runId);
  expect(first.pending).toBe(2);
  expect((await stateOf(rpc)).pending).toBe(2);
  const settled = await rpc.event(ofType("settled"));
  expect(settled.end).toEqual({ reason: "done" });
  expect(await stateOf(rpc)).toMatchObject({ pending: 0, agentEvents: "none" });
  const { events } = rpc;
  expect(events.filter(({ agent_id: id }) => id !== undefined)).toEqual([]);
  expect(events.filter(({ type }) => type === "task_end").map(({ id }) => id)).toEqual(
    expect.arrayContaining(["Ann", "Bob"]),
  );
  // Each run has one end, the last of them has nothing left, and only then all is settled.
  const ends = events.filter(ofType("agent_end"));
  expect(new Set(ends.map((end) => end.runId)).size).toBe(ends.length);
  expect(ends.at(-1)!.pending).toBe(0);
  expect(events.filter(ofType("settled"))).toEqual([settled]);
  expect(settled.seq).toBeGreaterThan(ends.at(-1)!.seq);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
});

test("a run without agents is settled as soon as it is over; so is a command", async () => {
  await using rpc = await connect([{ text: "hello" }, { text: "again" }]);
  const settled = await rpc.client.runToTheEnd("hi");
  expect(settled.end).toEqual({ reason: "done" });
  expect(rpc.events.filter(ofType("agent_end")).map(({ pending }) => pending)).toEqual([0]);
  expect((await rpc.client.runToTheEnd("/help")).end).toEqual({ reason: "consumed" });
  expect((await rpc.client.runToTheEnd("hi")).end).toEqual({ reason: "done" });
  expect(rpc.events.filter(ofType("settled"))).toHaveLength(3);
});

test("whoever asks for events of agents has each with the agent's name, whole and in order", async () => {
  const words = "one two three four five six seven eight nine ten ".repeat(20);
  await using rpc = await connect(
    sharing(["Ann", "Bob"], {
      "*": ({ turn, who }) =>
        turn === 1
          ? { text: `${who}: ${words}`, ...bash("echo out") }
          : { toolCalls: [handIn(`${who} is done`)] },
    }),
  );
  await rpc.client.send("set_agent_events", { events: "all" });
  await rpc.client.runToTheEnd(PROMPT);
  for (const id of ["Ann", "Bob"]) {
    const own = rpc.events.filter(({ agent_id: whose }) => whose === id);
    expect(own.every(({ runId }) => runId === undefined)).toBe(true);
    expect(own.filter(ofType("agent_start"))).toHaveLength(1);
    expect(own.filter(ofType("agent_end"))).toHaveLength(1);
    const said = own.flatMap(({ event }) => {
      const { type, delta } = (event ?? {}) as { type?: string; delta?: string };
      return type === "text_delta" ? [delta] : [];
    });
    // Also if pieces were merged on the way: never with those of another.
    expect(said.join("")).toBe(`${id}: ${words}`);
    const calls = own.filter(ofType("tool_execution_end")).map(({ call }) => call);
    expect(calls.map((call) => (call as { name: string }).name)).toEqual(["bash", "yield"]);
  }
  const main = rpc.events.filter(({ agent_id: whose }) => whose === undefined);
  const starts = main.filter(ofType("agent_start"));
  expect(starts.length).toBe(main.filter(ofType("agent_end")).length);
  expect(rpc.events.map(({ seq }) => seq)).toEqual(rpc.events.map((_, at) => at + 1));
});

test("steps are all but what streams; the wish can be said at the start", async () => {
  await using rpc = await connect(
    sharing(["Ann"], { Ann: () => ({ text: "words", toolCalls: [handIn("done")] }) }),
    { args: ["--agent-events", "steps"] },
  );
  expect(await stateOf(rpc)).toMatchObject({ agentEvents: "steps" });
  await rpc.client.runToTheEnd(PROMPT);
  const own = rpc.events.filter(({ agent_id: whose }) => whose === "Ann").map(({ type }) => type);
  expect(own).toContain("message_end");
  expect(own).toContain("agent_end");
  expect(own).not.toContain("message_update");
});

test("an agent is listed, spoken to, read and stopped; what is not there is said so", async () => {
  await using rpc = await connect(
    sharing(["Ann", "Bob"], {
      Ann: ({ turn, last }) => {
        if (turn === 1) return { toolCalls: [handIn("ann is done")] };
        return { text: `heard: ${last}` };
      },
      Bob: () => NEVER,
    }),
  );
  await rpc.client.send("prompt", { message: PROMPT });
  await until(async () => {
    const { agents, pending } = await listed(rpc);
    return agents.map(({ state }) => state).join() === "idle,running" && pending === 1;
  });
  expect(await listed(rpc)).toMatchObject({
    agents: [
      { id: "Ann", parent: "Main", kind: "task", end: "completed" },
      { id: "Bob", parent: "Main", kind: "task" },
    ],
  });
  await rpc.client.send("agent_message", { agent_id: "ann", message: "one more thing" });
  const read = async (fields: object = {}) =>
    (await rpc.client.send("agent_transcript", { agent_id: "Ann", ...fields })) as {
      messages: Message[];
      offset: number;
      total: number;
    };
  await until(async () => textOf((await read()).messages.at(-1)!) === "heard: one more thing");
  const whole = await read();
  expect(whole.messages.map(({ role }) => role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "user",
    "assistant",
  ]);
  expect(await read({ limit: 1 })).toMatchObject({ offset: 4, total: 5 });
  expect((await read({ offset: 1, limit: 2 })).messages).toEqual(whole.messages.slice(1, 3));
  expect(await read({ offset: 99 })).toMatchObject({ messages: [], offset: 5 });
  expect(rpc.events.filter(ofType("settled"))).toEqual([]);
  await rpc.client.send("agent_stop", { agent_id: "Bob" });
  await rpc.event(ofType("settled"));
  expect((await listed(rpc)).agents.map(({ state }) => state)).toEqual(["idle", "aborted"]);
  const about = (type: string, agent_id: string, more: object = {}) =>
    codeOf(rpc.client.send(type, { agent_id, ...more }));
  expect(await about("agent_stop", "Nobody")).toBe("not_found");
  expect(await about("agent_transcript", "Nobody")).toBe("not_found");
  expect(await about("agent_revive", "Bob")).toBe("refused");
  expect(await about("agent_message", "Bob", { message: "hello?" })).toBe("refused");
  expect(await about("agent_message", "Ann", { message: "" })).toBe("invalid");
  expect(await about("agent_stop", " ")).toBe("invalid");
});

test("an agent's question is the same ask, with its name; to abort there stops the agent alone", async () => {
  await using rpc = await connect(
    sharing(["Ann", "Bob"], {
      Ann: ({ turn, last }) =>
        turn === 1 ? bash("rm ../precious.txt") : { toolCalls: [handIn(`ann: ${last}`)] },
      Bob: ({ turn }) =>
        turn === 1 ? bash("rm ../precious.txt") : { toolCalls: [handIn("bob: not stopped")] },
    }),
  );
  await rpc.client.send("prompt", { message: PROMPT });
  const askOf = (id: string) =>
    rpc.event(({ type, agent_id: whose }) => type === "ask" && whose === id);
  const ann = await askOf("Ann");
  const bob = await askOf("Bob");
  expect(ann).toMatchObject({ kind: "approval", tool: "bash", origin: { agent: "Ann" } });
  expect(ann.runId).toBeUndefined();
  const { asks } = (await rpc.client.send("get_state")) as { asks: { agent_id?: string }[] };
  expect(asks.map(({ agent_id: whose }) => whose).toSorted()).toEqual(["Ann", "Bob"]);
  await rpc.client.send("answer", { ask: ann.id, verdict: "no", reason: "leave it" });
  await rpc.client.send("answer", { ask: bob.id, verdict: "abort" });
  const ends = rpc.event(ofType("settled"));
  await ends;
  const over = new Map(rpc.events.filter(ofType("task_end")).map(({ id, end }) => [id, end]));
  expect(Object.fromEntries(over)).toEqual({ Ann: "completed", Bob: "aborted" });
  expect(rpc.events.filter(ofType("ask_end"))).toMatchObject([
    { id: ann.id, outcome: "no", agent_id: "Ann" },
    { id: bob.id, outcome: "abort", agent_id: "Bob" },
  ]);
  expect(await Bun.file(rpc.home.path("precious.txt")).text()).toBe("mine\n");
  expect(rpc.requests().flat().join("\n")).toContain("ann: The user said no, and: leave it");
});

test("abort leaves agents at work, unless it is to stop them, too", async () => {
  await using rpc = await connect(sharing(["Ann"], { Ann: () => NEVER }));
  await rpc.client.run(PROMPT);
  await rpc.client.send("abort");
  expect(await listed(rpc)).toMatchObject({ agents: [{ state: "running" }], pending: 1 });
  await rpc.client.send("abort", { agents: true });
  expect(await listed(rpc)).toMatchObject({ agents: [{ state: "aborted" }], pending: 0 });
  await rpc.event(ofType("settled"));
});

test("another session: its agents are gone, events of the next one's are heard", async () => {
  await using rpc = await connect(
    agentScript({
      Main: ({ last }) =>
        last === PROMPT
          ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] }
          : { text: "noted" },
      Ann: ({ turn }) => (turn === 1 ? NEVER : { toolCalls: [handIn("done")] }),
    }),
    { args: ["--agent-events", "all"] },
  );
  await rpc.client.run(PROMPT);
  await rpc.event(({ type, agent_id: whose }) => type === "agent_start" && whose === "Ann");
  await rpc.client.send("new_session");
  expect(await listed(rpc)).toEqual({ agents: [], pending: 0 });
  await rpc.event(ofType("settled"));
  await rpc.client.runToTheEnd(PROMPT);
  const over = rpc.events.filter(({ type, agent_id: id }) => type === "agent_end" && id === "Ann");
  expect(over.at(-1)!.end).toEqual({ reason: "done" });
});
