// Checkpoints as a session lives them: the model explores, reports, and goes on with the report alone; the
// files it changed, the user's words and the todo list stay, and so does the branch that it left.

import { expect, test } from "bun:test";
import { textOf, userText, type Message } from "@tau/ai/message";
import { validateAnthropicRequest } from "@tau/ai/wires/anthropic-messages/validate-request";
import { validateGoogleRequest } from "@tau/ai/wires/google-generative-ai/validate-request";
import { validateCompletionsRequest } from "@tau/ai/wires/openai-completions/validate-request";
import { validateResponsesRequest } from "@tau/ai/wires/openai-responses/validate-request";
import type { ModelServer } from "@tau/testkit/model-server";
import type { ScriptedReply } from "@tau/testkit/script";
import { TODO, type Session, type SessionEvent } from "@tau/tau/sdk";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { converse } from "./support/converse.ts";
import { embed, type Embedding } from "./support/embedded.ts";

type Call = { name: string; arguments: Record<string, unknown> };

const calls = (...toolCalls: Call[]): ScriptedReply => ({ toolCalls });
const checkpoint = (goal = "find the bug"): Call => ({ name: "checkpoint", arguments: { goal } });
const rewind = (report = "REPORT: it is in line 7"): Call => ({
  name: "rewind",
  arguments: { report },
});
const write = (path: string, content: string): Call => ({
  name: "write",
  arguments: { path, content },
});
const bash = (command: string): Call => ({ name: "bash", arguments: { command } });
const ON = "checkpoint: { enabled: true }\n";
const ENABLED = { approvalMode: "yolo" } as const;

async function enabled(script: Parameters<typeof embed>[0], more = ""): Promise<Embedding> {
  const embedding = await embed(script);
  await embedding.home.write(".tau/agent/config.yml", ON + more);
  return embedding;
}

const lastRequest = (server: ModelServer): string =>
  words(server.requests.at(-1)!.decoded.messages);
const words = (messages: readonly Message[]): string => messages.map(textOf).join("\n");
const results = ({ messages }: Session): string[] =>
  messages.filter(({ role }) => role === "toolResult").map(textOf);
const toolsOf = (server: ModelServer, at = 0): string[] =>
  server.requests[at]!.decoded.tools.map(({ name }) => name);

/** Every call has its result, right behind it, and no result is without its call. */
function isSound(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) return false;
      continue;
    }
    if (open.size > 0) return false;
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
  }
  return open.size === 0;
}

test("after a rewind the model has the report and not the exploration; what it did stays", async () => {
  await using embedding = await enabled([
    calls(checkpoint(), bash("echo before-$((40+2))")),
    calls(write("found.txt", "seven\n"), bash("echo explored-$((40+2))")),
    calls({
      name: "todo",
      arguments: { ops: [{ op: "init", list: [{ phase: "A", items: ["Fix"] }] }] },
    }),
    calls(bash("echo again-$((40+2))"), rewind()),
    calls({ name: "todo", arguments: { ops: [{ op: "done" }] } }),
    { text: "It is line 7." },
  ]);
  const { server, home } = embedding;
  await using session = await embedding.start(ENABLED);
  const events: SessionEvent[] = [];
  session.subscribe((event) => {
    events.push(event);
    if (event.type !== "tool_execution_end" || event.call.name !== "write") return;
    void session.steer(userText("and look at line 9, too"), { isPatient: true });
  });
  expect(await session.prompt(userText("find it"))).toEqual({ reason: "done" });
  expect(server.requests).toHaveLength(6);
  const after = server.requests[4]!.decoded.messages;
  expect(isSound(after)).toBe(true);
  expect(words(after)).toContain("REPORT: it is in line 7");
  expect(words(after)).toContain("before-42");
  expect(words(after)).toContain("and look at line 9, too");
  expect(words(after)).not.toMatch(/explored-42|again-42|found\.txt/);
  expect(JSON.stringify(after)).not.toContain("found.txt");
  expect(await Bun.file(home.path("found.txt")).text()).toBe("seven\n");
  expect(session.part(TODO)?.phases[0]?.tasks[0]?.status).toBe("completed");
  const told = events.filter(({ type }) => type === "checkpoint_rewound");
  expect(told).toMatchObject([{ goal: "find the bug", messages: 9 }]);
  expect(events.filter(({ type }) => type === "position_changed")).toMatchObject([{ inRun: true }]);
  // The run's own view and the log's are one.
  expect(words(session.messages)).toContain("It is line 7.");
  expect(words(session.messages)).not.toContain("explored-42");
  // What was explored is a branch like any other.
  const left = [];
  for await (const entry of session.log.entries()) {
    if (entry.type === "message" && textOf(entry.message).includes("explored-42")) left.push(entry);
  }
  await session.navigate(left.at(-1)!.id);
  expect(words(session.messages)).toContain("explored-42");
  expect(words(session.messages)).not.toContain("REPORT");
});

const VENDORS = [
  {
    wire: "anthropic-messages",
    model: "anthropic/claude-sonnet-4-5",
    env: (url: string) => ({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url }),
    validate: validateAnthropicRequest,
  },
  {
    wire: "openai-responses",
    model: "openai/m",
    env: (url: string) => ({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: url }),
    validate: validateResponsesRequest,
  },
  {
    wire: "google-generative-ai",
    model: "google/m",
    env: (url: string) => ({ GEMINI_API_KEY: "k", GEMINI_BASE_URL: url }),
    validate: validateGoogleRequest,
  },
  {
    wire: "openai-completions",
    model: "openrouter/m",
    env: (url: string) => ({ OPENROUTER_API_KEY: "k", OPENROUTER_BASE_URL: url }),
    validate: validateCompletionsRequest,
  },
] as const;

test.each(VENDORS)(
  "$wire takes what is sent after a rewind",
  async ({ wire, model, env, validate }) => {
    await using embedding = await enabled([
      { thinking: "First a mark.", ...calls(checkpoint(), bash("echo one")) },
      { thinking: "Now look.", ...calls(bash("echo explored-$((40+2))")) },
      { thinking: "That is it.", ...calls(bash("echo three"), rewind()) },
      { ...calls(bash("echo four")) },
      { text: "done" },
    ]);
    const { home, server } = embedding;
    const session = await embedding.start({
      ...ENABLED,
      model,
      env: { ...home.env, ...env(server.baseUrl(wire)) },
    });
    expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
    await session[Symbol.asyncDispose]();
    expect(server.requests).toHaveLength(5);
    for (const { text } of server.requests) expect(validate(JSON.parse(text))).toEqual([]);
    expect(server.requests[3]!.text).toContain("REPORT");
    expect(server.requests[3]!.text).not.toContain("explored");
  },
);

test("it is durable: a session that is opened again goes back to it", async () => {
  await using embedding = await enabled([
    calls(checkpoint("survive")),
    calls(bash("echo explored-$((40+2))")),
    calls(checkpoint("nested")),
    calls(rewind()),
    { text: "done" },
  ]);
  const first = await embedding.start(ENABLED);
  const { id } = first;
  first.subscribe((event) => {
    if (event.type === "turn_start" && event.turn === 3) void first.abort();
  });
  expect(await first.prompt(userText("go"))).toEqual({ reason: "aborted" });
  await first[Symbol.asyncDispose]();
  await using session = await embedding.start({
    ...ENABLED,
    session: { kind: "resume", wanted: id },
  });
  await session.prompt(userText("go on"));
  const { requests } = embedding.server;
  expect(words(requests.at(-2)!.decoded.messages)).toContain(
    "A checkpoint is already active (survive). Call rewind with a report first.",
  );
  const last = requests.at(-1)!.decoded.messages;
  expect(isSound(last)).toBe(true);
  expect(words(last)).not.toContain("explored-42");
  // The prompt of the second run came after the checkpoint; it is the user's, and stays.
  expect(words(last)).toContain("<user>\ngo on\n</user>");
});

test("a compaction in between does not get in the way", async () => {
  await using embedding = await enabled((request) => {
    const text = words(request.decoded.messages);
    if (request.decoded.tools.length === 0) return { text: "SUMMARY of it all" };
    if (text.includes("REPORT")) return { text: "done" };
    if (text.includes("now report")) return calls(rewind());
    if (text.includes("explored-42")) return { text: `long ${"words ".repeat(4000)}` };
    if (text.includes("Checkpoint created")) return calls(bash("echo explored-$((40+2))"));
    return calls(checkpoint());
  });
  await using session = await embedding.start(ENABLED);
  await session.prompt(userText("first words of the user"));
  expect(await session.compact()).toMatchObject({ type: "compacted" });
  expect(words(session.messages)).toContain("A checkpoint is still active (find the bug)");
  await session.prompt(userText("now report"));
  const last = embedding.server.requests.at(-1)!.decoded.messages;
  expect(isSound(last)).toBe(true);
  expect(words(last)).toContain("first words of the user");
  expect(words(last)).toContain("REPORT");
  expect(words(last)).not.toMatch(/SUMMARY|explored-42|long words/);
});

test("a run that would end is reminded three times, then let go, and not nagged again", async () => {
  await using embedding = await enabled((_request, turn) =>
    turn === 1 ? calls(checkpoint()) : { text: `enough ${turn}` },
  );
  await using session = await embedding.start(ENABLED);
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  expect(embedding.server.requests).toHaveLength(5);
  expect(lastRequest(embedding.server)).toContain("[reminder 3 of 3]");
  await session.prompt(userText("something else"));
  expect(embedding.server.requests).toHaveLength(6);
  expect(events.filter(({ type }) => type === "checkpoint_left")).toHaveLength(1);
});

test("a reminder that is heard ends with the report", async () => {
  await using embedding = await enabled([
    calls(checkpoint()),
    { text: "I am done" },
    calls(rewind()),
    { text: "reported" },
  ]);
  await using session = await embedding.start(ENABLED);
  await session.prompt(userText("go"));
  expect(embedding.server.requests).toHaveLength(4);
  expect(lastRequest(embedding.server)).toContain("REPORT");
  expect(lastRequest(embedding.server)).not.toContain("I am done");
});

test("mistakes are said in a sentence; a report in the checkpoint's own turn leaves nothing", async () => {
  await using embedding = await enabled([
    calls(rewind()),
    calls(checkpoint(), checkpoint("another"), rewind()),
    calls(checkpoint("later")),
    calls(rewind()),
    { text: "done" },
  ]);
  await using session = await embedding.start(ENABLED);
  await session.prompt(userText("go"));
  expect(results(session).slice(0, 4)).toEqual([
    "No checkpoint is active. Call checkpoint first.",
    "Checkpoint created.\nGoal: find the bug\nRun your investigation, then call rewind with a concise report.",
    "A checkpoint is already active (find the bug). Call rewind with a report first.",
    "The report takes the place of everything since the checkpoint.",
  ]);
  expect(embedding.server.requests).toHaveLength(5);
  expect(isSound(embedding.server.requests.at(-1)!.decoded.messages)).toBe(true);
});

test("a report of a turn that was stopped counts for nothing", async () => {
  await using embedding = await enabled([
    calls(checkpoint()),
    calls(bash("echo explored-$((40+2))")),
    calls(rewind(), bash("sleep 30")),
    calls(rewind("SECOND")),
    { text: "done" },
  ]);
  await using session = await embedding.start(ENABLED);
  session.subscribe((event) => {
    if (event.type !== "tool_execution_start") return;
    if (event.call.arguments.command === "sleep 30") void session.abort();
  });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "aborted" });
  expect(words(session.messages)).toContain("explored-42");
  await session.prompt(userText("again"));
  expect(lastRequest(embedding.server)).toContain("SECOND");
  expect(lastRequest(embedding.server)).not.toContain("REPORT");
});

test("an extension can keep the session where it is", async () => {
  await using embedding = await enabled(
    (_request, turn) => [calls(checkpoint()), calls(rewind())][turn - 1] ?? { text: "enough" },
  );
  const owner = { kind: "extension", name: "keeper" } as const;
  const handlers = { session_before_tree: () => ({ cancel: true, reason: "not now" }) as const };
  await using session = await embedding.start({ ...ENABLED, hooks: [{ owner, handlers }] });
  expect(await session.prompt(userText("go"))).toEqual({ reason: "done" });
  expect(results(session)[1]).toBe("Not rewound: not now");
});

test("off unless it is wanted, and never there for agents", async () => {
  await using plain = await embed(() => ({ text: "ok" }));
  await using session = await plain.start();
  await session.prompt(userText("go"));
  expect(toolsOf(plain.server)).not.toContain("checkpoint");
  const told = new Map<string, string[]>();
  await using embedding = await enabled(
    agentScript({
      "*": ({ who, request, turn }) => {
        told.set(
          who,
          request.decoded.tools.map(({ name }) => name),
        );
        if (who !== "Main") return { toolCalls: [handIn("done")] };
        return turn === 1 ? { toolCalls: [task("task", { assignment: "look" })] } : undefined;
      },
    }),
  );
  await using main = await embedding.start();
  await main.prompt(userText("go"));
  while (told.size < 2) await Bun.sleep(20);
  for (const [who, names] of told) {
    expect(names.includes("checkpoint")).toBe(who === "Main");
    expect(names.includes("rewind")).toBe(who === "Main");
  }
});

test("at the terminal: the exploration stays in sight, the report is shown, and /tree has both", async () => {
  await using talk = await converse(
    [
      calls(checkpoint()),
      calls(bash("echo explored-$((40+2))")),
      calls(rewind("It is in line 7.")),
      { text: "Fixed it." },
    ],
    { config: `${ON}tools: { approvalMode: yolo }\n`, rows: 40 },
  );
  const { terminal, say, idle } = talk;
  say("find it");
  await terminal.waitFor("Fixed it.");
  await idle();
  expect(terminal.text()).toContain("explored-42");
  expect(terminal.text()).toContain(
    'Back at the checkpoint "find the bug"; /tree has the 4 messages since.',
  );
  say("/tree");
  await terminal.waitFor(/summary[^\n]*find the bug/);
});
