// Agents: work that is given away, in real sessions with real logs.

import { expect, test } from "bun:test";
import { Budget } from "@tau/agent/budget";
import { textOf, userText } from "@tau/tau/sdk";
import { APPROVAL } from "../packages/tau/src/features/approval/approval.ts";
import { AGENTS, type AgentRegistry } from "../packages/tau/src/features/agents/registry.ts";
import type { Session } from "@tau/tau/sdk";
import { spawnTau } from "./support/run-tau.ts";
import { embed, type Embedding } from "./support/embedded.ts";
import { agentScript, handIn, task, whoAsks } from "./support/agent-script.ts";

const agentsOf = (session: Session): AgentRegistry => session.part(AGENTS)!;
const saidIn = (session: Session): string => session.messages.map(textOf).join("\n");
const irc = (args: object) => ({ name: "irc", arguments: { ...args } });
const askedBy = ({ server }: Embedding, who: string) =>
  server.requests.filter((request) => whoAsks(request) === who);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(5);
}

test("three tasks: the call returns at once, and each result is told once", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task(
                  "task",
                  { id: "One", assignment: "do one" },
                  { id: "Two", assignment: "do two" },
                  { id: "Three", assignment: "do three" },
                ),
              ],
            }
          : { text: "noted" },
      "*": ({ who }) => ({ toolCalls: [handIn(`${who} is done`)] }),
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("share it out"));
  const told = () => session.messages.map(textOf).join("\n");
  while (["One", "Two", "Three"].some((id) => !told().includes(`${id} is done`))) {
    await Bun.sleep(10);
  }
  await session.whenIdle();
  for (const id of ["One", "Two", "Three"]) {
    expect(told().split(`[agent ${id} (task) finished`).length - 1).toBe(1);
  }
  const [, second] = embedding.server.requests.filter((request) => whoAsks(request) === "Main");
  expect(JSON.stringify(second!.decoded.messages)).toContain("Started 3 task agents");
  const mine = embedding.server.requests.filter((request) => whoAsks(request) === "One");
  expect(mine).toHaveLength(1);
  expect(mine[0]!.decoded.messages.map(textOf)).toEqual(["do one"]);
});

test("one that stops without handing in is reminded three times, the last time forced, and then told of", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? { toolCalls: [task("task", { id: "Mute", assignment: "work" })] }
          : { text: "noted" },
      Mute: ({ turn }) => ({ text: `words ${turn}` }),
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("[agent Mute"));
  const asked = askedBy(embedding, "Mute");
  expect(asked).toHaveLength(4);
  const reminders = textOf(asked[3]!.decoded.messages.at(-1)!);
  expect(reminders).toContain("[reminder 3 of 3]");
  expect(asked.map(({ decoded }) => decoded.toolChoice ?? "auto")).toEqual([
    "auto",
    "auto",
    "auto",
    { name: "yield" },
  ]);
  expect(saidIn(session)).toContain("words 4\n[it ended without handing in a result");
});

test("a finished agent is asked more, and remembers", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn, last }) => {
        if (turn === 1)
          return { toolCalls: [task("task", { id: "Sage", assignment: "learn 42" })] };
        if (last.includes("[agent Sage")) {
          return {
            toolCalls: [irc({ op: "send", to: "Sage", message: "what was it?", await: true })],
          };
        }
        return { text: last.includes("it was 42") ? "good" : "hm" };
      },
      Sage: ({ turn, last }) => {
        if (turn === 1) return { toolCalls: [handIn("learnt")] };
        if (last.includes("what was it?")) {
          return { toolCalls: [irc({ op: "send", to: "Main", message: "it was 42" })] };
        }
        return { text: "done" };
      },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("good"));
  const later = askedBy(embedding, "Sage")[1]!.decoded.messages.map(textOf).join("\n");
  expect(later).toContain("learn 42");
  expect(later).toMatch(/\[message \w+ from Main\]\nwhat was it\?/);
  await until(() => agentsOf(session).get("Sage")!.state === "idle");
  expect(saidIn(session).split("it was 42").length - 1).toBe(1);
});

test("at most so many work at once; the others are queued, and seen to be", async () => {
  let atOnce = 0;
  let most = 0;
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task("task", ...[1, 2, 3].map((n) => ({ id: `A${n}`, assignment: "x" }))),
              ],
            }
          : { text: "noted" },
      "*": ({ turn, who }) => {
        if (turn === 1) {
          most = Math.max(most, ++atOnce);
          return { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.05" } }] };
        }
        atOnce--;
        return { toolCalls: [handIn(who)] };
      },
    }),
  );
  await embedding.home.write(".tau/agent/config.yml", "task: { maxConcurrency: 1 }\n");
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  expect(saidIn(session)).toContain("- A2 (queued: others are at work)");
  await until(() => saidIn(session).includes("[agent A3"));
  expect(most).toBe(1);
});

test("an agent starts agents of its own, and hands in when they are done; at the last depth it cannot", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Top", assignment: "x" })] } : { text: "ok" },
      Top: ({ turn, last }) => {
        if (turn === 1) return { toolCalls: [task("task", { id: "Low", assignment: "y" })] };
        if (turn === 2) return { toolCalls: [handIn("too early")] };
        return last.includes("[agent Top.Low")
          ? { toolCalls: [handIn("all done")] }
          : { text: "…" };
      },
      "Top.Low": ({ turn }) =>
        turn === 1
          ? { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.2" } }] }
          : { toolCalls: [handIn("low is done")] },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("all done"));
  const tools = (who: string) => askedBy(embedding, who)[0]!.decoded.tools!.map(({ name }) => name);
  expect(tools("Top")).toContain("task");
  expect(tools("Top.Low")).not.toContain("task");
  expect(tools("Top")).not.toContain("todo");
  const said = askedBy(embedding, "Top").at(-1)!.decoded.messages.map(textOf).join("\n");
  expect(said).toContain("Not yet: Top.Low still at work for you.");
  expect(said).toContain("low is done");
  expect(agentsOf(session).get("Top.Low")!.record.parent).toBe("Top");
});

test("a result of a shape can be read part by part", async () => {
  const result = { answer: "here", places: [{ path: "a.ts:3", why: "it is" }] };
  await using embedding = await embed(
    agentScript({
      Main: ({ turn, last }) => {
        if (turn === 1) return { toolCalls: [task("explore", { id: "Eye", assignment: "look" })] };
        if (last.includes("[agent Eye")) {
          return {
            toolCalls: [
              { name: "read", arguments: { path: "agent://Eye/places/0/path" } },
              { name: "read", arguments: { path: "agent://Eye?q=.answer" } },
              { name: "read", arguments: { path: "agent://Eye/nothing" } },
              { name: "read", arguments: { path: "history://Eye" } },
            ],
          };
        }
        return { text: turn === 2 ? "waiting" : "all read" };
      },
      Eye: ({ turn }) =>
        turn === 1 ? { toolCalls: [handIn("just words")] } : { toolCalls: [handIn(result)] },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("all read"));
  const results = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(results[1]).toContain("a.ts:3");
  expect(results[2]).toContain("here");
  expect(results[3]).toContain('There is no "nothing" in the result; it has answer, places.');
  expect(results[4]).toContain("look");
  // Words are not what was asked for: the schema says so, and the agent tries again.
  expect(askedBy(embedding, "Eye")).toHaveLength(2);
});

test("cancelled by its job an agent is stopped, and its children with it", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) => {
        if (turn === 1) return { toolCalls: [task("task", { id: "Long", assignment: "x" })] };
        if (turn === 2)
          return { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.3" } }] };
        if (turn === 3) return { toolCalls: [{ name: "job", arguments: { cancel: ["Long"] } }] };
        return { text: "ok" };
      },
      Long: ({ turn }) =>
        turn === 1
          ? { toolCalls: [task("task", { id: "Kid", assignment: "y" })] }
          : { toolCalls: [{ name: "bash", arguments: { command: "sleep 60" } }] },
      "Long.Kid": () => ({ toolCalls: [{ name: "bash", arguments: { command: "sleep 60" } }] }),
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const registry = agentsOf(session);
  await until(() => registry.get("Long.Kid")?.state === "aborted");
  expect(registry.get("Long")!.state).toBe("aborted");
  expect(saidIn(session)).not.toContain("[agent Long");
});

test.each([
  ["nobody", [{ assignment: "x" }], 'There is no agent "nobody". There are keyless, explore, '],
  ["explor", [{ assignment: "x" }], 'There is no agent "explor". Did you mean explore?'],
  ["task", [{ assignment: "  " }], "Task 1 has no assignment."],
  [
    "task",
    [
      { id: "a", assignment: "x" },
      { id: "A", assignment: "y" },
    ],
    "Two tasks are called A",
  ],
  ["broken", [{ assignment: "x" }], "The agent broken cannot be used: "],
  ["off", [{ assignment: "x" }], "The agent off is switched off in the settings."],
  ["keyless", [{ id: "K", assignment: "x" }], "no API key for Anthropic"],
])("what cannot be started is told in a sentence: %s", async (agent, tasks, sentence) => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) => (turn === 1 ? { toolCalls: [task(agent, ...tasks)] } : { text: "ok" }),
    }),
  );
  const { home } = embedding;
  await home.write(".tau/agent/config.yml", "task: { disabledAgents: [off] }\n");
  await home.write(".tau/agent/agents/broken.md", "---\nname: broken\n---\nwords\n");
  await home.write(".tau/agent/agents/off.md", "---\nname: off\ndescription: d\n---\nwords\n");
  const keyless =
    "---\nname: keyless\ndescription: d\nmodel: anthropic/claude-opus-4-5\n---\nwords\n";
  await home.write(".tau/agent/agents/keyless.md", keyless);
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes(sentence));
  expect(embedding.server.requests.every((request) => whoAsks(request) === "Main")).toBe(true);
});

test("after a kill each agent is there again; a result is told once, an interrupted one goes on and hands in", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task(
                  "task",
                  { id: "Done", description: "is quick", assignment: "x" },
                  { id: "Slow", description: "is slow", assignment: "y" },
                ),
              ],
            }
          : { text: "noted" },
      Done: () => ({ toolCalls: [handIn("done is done")] }),
      Slow: ({ turn, last }) => {
        if (turn === 1)
          return { toolCalls: [{ name: "bash", arguments: { command: "echo kept" } }] };
        if (last.includes("go on")) return { toolCalls: [handIn("slow is done, too")] };
        return { text: "…", delivery: { firstByteDelayMs: 60_000 } };
      },
    }),
  );
  // A process of its own, so that it can be killed.
  const { server, home } = embedding;
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const args = ["-p", "share it out", "-m", "ollama/x", "--mode", "json"];
  const child = spawnTau(args, { cwd: home.root, home, env });
  const toldMain = () =>
    askedBy(embedding, "Main").some(({ text }) => text.includes("done is done"));
  await until(() => toldMain() && askedBy(embedding, "Slow").length === 2);
  child.kill("SIGKILL");
  await child.exited;
  const [first] = (await child.stdout.text()).split("\n");
  const { id } = JSON.parse(first!) as { id: string };
  await using session = await embedding.start({ session: { kind: "resume", wanted: id } });
  const registry = agentsOf(session);
  expect(registry.views().map(({ id: name, state, end }) => [name, state, end])).toEqual([
    ["Done", "parked", "completed"],
    ["Slow", "parked", "interrupted"],
  ]);
  await session.prompt(userText("what now"));
  expect(saidIn(session).split("done is done").length - 1).toBe(1);
  expect(saidIn(session)).toContain("- Slow (task): is slow");
  await registry.say("Slow", "go on");
  await until(() => saidIn(session).includes("slow is done, too"));
  expect(saidIn(session).split("slow is done, too").length - 1).toBe(1);
  const asked = askedBy(embedding, "Slow").at(-1)!.decoded.messages.map(textOf);
  expect(asked.join("\n")).toContain("kept");
});

test("what an agent needs consent for is put to the user with its name; what was allowed holds for all", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                task("task", { id: "Ann", assignment: "x" }, { id: "Bob", assignment: "y" }),
              ],
            }
          : { text: "noted" },
      "*": ({ turn, who }) =>
        turn === 1
          ? { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] }
          : { toolCalls: [handIn(`${who} is done`)] },
    }),
  );
  await embedding.home.write(".tau/agent/config.yml", "task: { maxConcurrency: 1 }\n");
  const asked: string[] = [];
  await using session = await embedding.start({
    approvalMode: "always-ask",
    ask: async ({ origin, call }) => {
      asked.push(`${origin?.agent ?? "Main"} ${call.name}`);
      return { allowed: true, remember: "session" };
    },
  });
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("Bob is done"));
  expect(asked.filter((one) => one.includes("bash"))).toEqual(["Ann bash"]);
});

test("nobody to ask: an agent's guarded call is refused, and it goes on", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: ({ turn, last }) =>
        turn === 1
          ? { toolCalls: [{ name: "bash", arguments: { command: "rm -rf /etc/tau-test" } }] }
          : { toolCalls: [handIn(last)] },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("[agent Ann"));
  expect(saidIn(session)).toContain("[agent Ann (task) finished");
  expect(saidIn(session)).toMatch(/nobody/i);
});

test("a child spends its parent's budget, and the refusal says whose limit it was", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: () => ({ toolCalls: [{ name: "bash", arguments: { command: "true" } }] }),
    }),
  );
  await embedding.home.write(".tau/agent/config.yml", "task: { softRequestBudget: 2 }\n");
  await using session = await embedding.start({ budget: new Budget({ requests: 50 }) });
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("[agent Ann"));
  expect(saidIn(session)).toContain(
    "Failed: stopped at the limit of 3 model calls for the agent Ann",
  );
  const told = askedBy(embedding, "Ann").at(-1)!.decoded.messages.map(textOf).join("\n");
  expect(told).toContain("You have asked the model 2 times. Come to an end");
  await until(() => !session.isBusy && askedBy(embedding, "Main").length === 3);
  expect(session.budget!.spent.requests).toBe(6);
});

test("an idle agent is parked, and comes back with all it knew when it is spoken to", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: ({ turn }) => (turn === 1 ? { toolCalls: [handIn("done")] } : { text: "I remember" }),
    }),
  );
  await embedding.home.write(".tau/agent/config.yml", "task: { agentIdleTtlMs: 20 }\n");
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const agent = () => agentsOf(session).get("Ann")!;
  await until(() => agent()?.state === "parked");
  expect(agent().session).toBeUndefined();
  await agentsOf(session).say("Ann", "still there?");
  await until(() => askedBy(embedding, "Ann").length === 2);
  const said = askedBy(embedding, "Ann")[1]!.decoded.messages.map(textOf);
  expect(said[0]).toBe("x");
  expect(said.at(-1)).toBe("still there?");
  await until(() => agent().state === "parked");
  expect(agent().view).toMatchObject({ end: "completed", requests: 2 });
});

test("cells have agents work for them, several at once, and get what they hand in", async () => {
  const python = `
shapes = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
found = parallel([lambda i=i: agent(f"count {i}", label=f"C{i}", schema=shapes) for i in range(3)])
print(sum(one["n"] for one in found))
try:
    agent("x", agent_type="nobody")
except Exception as error:
    print(str(error)[:28])
`;
  const javascript = `const words = await agent("say it", { agentType: "quick_task" }); print(words);`;
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? {
              toolCalls: [
                {
                  name: "eval",
                  arguments: {
                    cells: [
                      { language: "py", code: python },
                      { language: "js", code: javascript },
                    ],
                  },
                },
              ],
            }
          : { text: "noted" },
      "*": ({ last }) => {
        const [, number] = /^count (\d)$/.exec(last) ?? [];
        return { toolCalls: [handIn(number === undefined ? "said" : { n: Number(number) })] };
      },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const [result] = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(result).toContain('3\nThere is no agent "nobody".');
  expect(result).toContain("said");
  // Whoever waited has it: nobody else is told.
  expect(saidIn(session)).not.toContain("[agent");
  expect(agentsOf(session).agents()).toHaveLength(4);
});

test("an agent goes by the mode that its parent is in now", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", { id: "Ann", assignment: "x" })] } : { text: "ok" },
      Ann: ({ turn, last }) => {
        if (turn === 1)
          return { toolCalls: [{ name: "bash", arguments: { command: "touch one" } }] };
        if (turn === 2)
          return { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.3" } }] };
        if (turn === 3)
          return { toolCalls: [{ name: "bash", arguments: { command: "touch two" } }] };
        return { toolCalls: [handIn(last)] };
      },
    }),
  );
  const asked: string[] = [];
  await using session = await embedding.start({
    ask: async ({ subjects }) => {
      asked.push(subjects.join(" "));
      return { allowed: false };
    },
  });
  await session.prompt(userText("go"));
  await until(() => askedBy(embedding, "Ann").length === 2);
  await session.part(APPROVAL)!.setMode("always-ask");
  await until(() => saidIn(session).includes("[agent Ann"));
  expect(asked).toContain("touch two");
  expect(asked).not.toContain("touch one");
});
