// A feature that comes from outside, as an embedding program or later an extension brings it: its
// tool, its hooks, its command, its part and its settings work as a built-in one's do; and what the
// sessions of a directory and an agent's children share.

import { expect, test } from "bun:test";
import {
  ActiveSession,
  BUILT_IN,
  Budget,
  defineTool,
  offer,
  partKey,
  textOf,
  textOutput,
  userText,
  type ApprovalQuestion,
  type Feature,
  type SessionEvent,
} from "@tau/tau/sdk";
import { PROJECT } from "@tau/tau/project/project";
import { object, string } from "valibot";
import { embed } from "./support/embedded.ts";

interface Greetings {
  said: string[];
}

const GREETINGS = partKey<Greetings>("greetings");

const greeting: Feature = {
  name: "greeting",
  tools: ["greet"],
  commands: [
    {
      name: "greet",
      argument: "NAME",
      help: "say hello",
      when: "any",
      run: async ({ session }, name) => {
        session.part(GREETINGS)!.said.push(name);
        return `Hello ${name}!`;
      },
    },
  ],
  isOn: ({ env }) => env.NO_GREETING === undefined,
  setup: (host) => {
    const greetings: Greetings = { said: [] };
    return {
      part: offer(GREETINGS, greetings),
      hooks: {
        turn_end: () => {
          host.append([{ type: "custom", customType: "greeting", data: greetings.said.length }]);
        },
      },
      tools: [
        defineTool({
          name: "greet",
          description: "Says hello.",
          parameters: object({ name: string() }),
          tier: "read",
          concurrency: "shared",
          execute: async ({ name }) => {
            greetings.said.push(name);
            return textOutput(`Hello ${name}!`);
          },
        }),
      ],
      schemes: [
        {
          name: "greeting",
          example: "greeting://last",
          open: async () => ({
            type: "text",
            shown: "greeting://last",
            text: `last: ${greetings.said.at(-1)}`,
            notes: [],
          }),
        },
      ],
      resourceKinds: [
        {
          name: "wave",
          open: async ({ input }) =>
            input === "wave" ? { type: "text", shown: "wave", text: "o/", notes: [] } : undefined,
        },
      ],
      dispose: () => void greetings.said.push("bye"),
    };
  },
};

test("a feature from outside brings a tool, hooks, a command and a part", async () => {
  await using embedding = await embed([
    { toolCalls: [{ name: "greet", arguments: { name: "Ada" } }] },
    {
      toolCalls: ["greeting://last", "wave"].map((path) => ({ name: "read", arguments: { path } })),
    },
    { text: "done" },
  ]);
  const { session } = await embedding.open({ features: [...BUILT_IN, greeting] });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  await session.prompt(userText("greet Ada"));
  expect(await session.prompt(userText("/greet Grace"))).toEqual({ reason: "consumed" });
  expect(events).toContainEqual({ type: "command_output", name: "greet", text: "Hello Grace!" });
  expect(session.state.kept.greeting).toBe(1);
  const read = session.messages.filter(({ role }) => role === "toolResult").map(textOf);
  expect(read[1]).toContain("last: Ada");
  expect(read[2]).toContain("o/");
  const greetings = session.part(GREETINGS)!;
  await session[Symbol.asyncDispose]();
  expect(greetings.said).toEqual(["Ada", "Grace", "bye"]);
  // The command was not for the model.
  expect(embedding.server.requests).toHaveLength(3);
  expect(embedding.server.requests[0]!.decoded.tools.map(({ name }) => name)).toContain("greet");
});

test("one that is off, or whose tools are not wanted, is not there", async () => {
  await using embedding = await embed([]);
  const features = [...BUILT_IN, greeting];
  const { env } = embedding.options();
  for (const options of [
    { features, env: { ...env, NO_GREETING: "1" } },
    { features, toolNames: ["read"] },
  ]) {
    const { session } = await embedding.open(options);
    expect(session.part(GREETINGS)).toBeUndefined();
    expect(session.commands.map(({ name }) => name)).not.toContain("greet");
    expect(session.tools.get("greet")).toBeUndefined();
    await session[Symbol.asyncDispose]();
  }
});

test("consent for the session holds for its children, and a question says whose it is", async () => {
  const touch = { toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] };
  await using embedding = await embed([touch, { text: "ok" }, touch, { text: "ok" }]);
  const asked: ApprovalQuestion[] = [];
  const ask = async (question: ApprovalQuestion) => {
    asked.push(question);
    return { allowed: true, remember: "session" } as const;
  };
  const approvalMode = "always-ask";
  const { session: parent } = await embedding.open({ ask, approvalMode });
  const { session: child } = await embedding.open({
    ask,
    approvalMode,
    parent,
    agent: "scout",
    session: { kind: "memory" },
  });
  const origins: unknown[] = [];
  child.subscribe((_event, origin) => origins.push(origin));
  await child.prompt(userText("make it"));
  await parent.prompt(userText("make it"));
  expect(asked).toHaveLength(1);
  expect(asked[0]!.origin).toEqual({ session: child.id, agent: "scout" });
  expect(new Set(origins.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ session: child.id, agent: "scout" })]),
  );
  expect(child.part(PROJECT)).toBe(parent.part(PROJECT)!);
  await child[Symbol.asyncDispose]();
  await parent[Symbol.asyncDispose]();
});

test("what a child spends counts for its parent", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  const budget = new Budget({ requests: 2 });
  const { session: parent } = await embedding.open({ budget });
  const { session: child } = await embedding.open({ parent, session: { kind: "memory" } });
  await child.prompt(userText("one"));
  await child.prompt(userText("two"));
  expect(await parent.prompt(userText("three"))).toMatchObject({ kind: "requests" });
  expect(embedding.server.requests).toHaveLength(2);
  await child[Symbol.asyncDispose]();
  await parent[Symbol.asyncDispose]();
});

test("going to another session starts no service again, and goes by the settings of then", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  await using active = await ActiveSession.open(embedding.options());
  const project = active.session.part(PROJECT)!;
  const syntax = await active.workspace.syntax();
  expect(active.session.commands.map(({ name }) => name)).toContain("todo");
  await embedding.home.write(".tau/agent/config.yml", "todo:\n  enabled: false\n");
  await active.startNew();
  expect(active.session.part(PROJECT)).toBe(project);
  expect(await active.workspace.syntax()).toBe(syntax);
  expect(active.session.commands.map(({ name }) => name)).not.toContain("todo");
  await active.session.prompt(userText("hello"));
  expect(active.session.messages.map(textOf)).toEqual(["hello", "ok"]);
});
