// --mode rpc with extensions: what they ask makes the round trip, and what they show is told.

import { expect, test } from "bun:test";
import { codeOf, connect, ofType, type Connection } from "./support/rpc-connection.ts";

const touch = (name: string) => ({
  toolCalls: [{ name: "bash", arguments: { command: `touch ${name}` } }],
});

const GATE = `
export default (pi) => {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setStatus("mode", "on guard");
    ctx.ui.setWidget("list", ["one", "two"], { placement: "belowEditor" });
    ctx.ui.setWidget("drawn", () => ({ render: () => ["never"] }));
    ctx.ui.notify("hasUI " + ctx.hasUI, "warning");
  });
  pi.on("tool_call", async (event, ctx) => {
    if (event.toolName !== "bash") return;
    const isAllowed = await ctx.ui.confirm("Run this?", String(event.input.command));
    if (!isAllowed) return { block: true, reason: "The gate is shut" };
  });
  pi.registerCommand("ask", { handler: async (_args, ctx) => {
    const name = await ctx.ui.input("Name?", "nobody");
    const text = await ctx.ui.editor("Change it", "first");
    const colour = await ctx.ui.select("Colour?", ["red", "green"]);
    const late = await ctx.ui.confirm("Late?", "", { timeout: 50 });
    ctx.ui.setTitle("asked");
    ctx.ui.setEditorText("draft");
    ctx.ui.notify(JSON.stringify({ name, text, colour, late }));
  } });
};`;

const args = ["-e", "../gate.ts", "--yolo"];

async function gated(script: Parameters<typeof connect>[0]): Promise<Connection> {
  return connect(script, { args, before: (home) => home.write("gate.ts", GATE) });
}

test("confirm makes the round trip: no blocks the call, yes lets it run", async () => {
  await using rpc = await gated([touch("first"), touch("second"), { text: "done" }]);
  const { client } = rpc;
  const ended = client.run("go");
  const first = await rpc.event((event) => event.type === "ask" && event.id === "ask_1");
  expect(first).toMatchObject({
    kind: "confirm",
    extension: "gate",
    title: "Run this?",
    message: "touch first",
    runId: "run_1",
  });
  expect(await client.send("get_state")).toMatchObject({ asks: [{ id: "ask_1" }] });
  expect(await codeOf(client.send("answer", { ask: "ask_1", verdict: "once" }))).toBe("invalid");
  expect(await codeOf(client.send("answer", { ask: "ask_1", value: "yes" }))).toBe("invalid");
  await client.send("answer", { ask: "ask_1", value: false });
  await rpc.event((event) => event.type === "ask" && event.id === "ask_2");
  await client.send("answer", { ask: "ask_2", value: true });
  expect(await ended).toMatchObject({ end: { reason: "done" } });
  const outcomes = rpc.events.filter(ofType("ask_end")).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(["answered", "answered"]);
  expect(rpc.requests()[1]!.at(-1)).toBe("toolResult: The gate is shut");
  expect(await Bun.file(`${rpc.cwd}/first`).exists()).toBe(false);
  expect(await Bun.file(`${rpc.cwd}/second`).exists()).toBe(true);
});

test("what it shows at the start is told after ready, and only what can be shown", async () => {
  await using rpc = await gated([]);
  await rpc.event(ofType("extension_notify"));
  expect(rpc.events[0]).toMatchObject({ type: "ready" });
  const shown = rpc.events.filter(({ type }) => type.startsWith("extension_"));
  const from = "gate";
  expect(shown.map(({ seq: _seq, ...event }) => event)).toEqual([
    { type: "extension_status", from, key: "gate:mode", text: "on guard" },
    { type: "extension_widget", from, key: "gate:list", lines: ["one", "two"], place: "below" },
    { type: "extension_notify", from, extension: from, text: "hasUI true", tone: "warning" },
  ]);
});

test("every kind of question, and one that nobody answers in time", async () => {
  await using rpc = await gated([]);
  const { client } = rpc;
  const asked: unknown[] = [];
  client.answerWith(async ({ type: _type, seq: _seq, runId: _runId, ...ask }) => {
    asked.push(ask);
    if (ask.kind === "confirm") await Bun.sleep(200);
    if (ask.kind === "input") return { value: "Ada" };
    if (ask.kind === "editor") return { value: `${ask.initial} and more` };
    return ask.kind === "select" ? { value: "green" } : { value: true };
  });
  await client.send("prompt", { message: "/ask" });
  const told = await rpc.event((event) => String(event.text).startsWith("{"));
  expect(JSON.parse(String(told.text))).toEqual({
    name: "Ada",
    text: "first and more",
    colour: "green",
    late: false,
  });
  const [from, extension] = ["gate", "gate"];
  const choices = ["red", "green"].map((value) => ({ value, label: value }));
  expect(asked).toEqual([
    { id: "ask_1", kind: "input", from, extension, title: "Name?", placeholder: "nobody" },
    { id: "ask_2", kind: "editor", from, extension, title: "Change it", initial: "first" },
    { id: "ask_3", kind: "select", from, extension, title: "Colour?", choices },
    { id: "ask_4", kind: "confirm", from, extension, title: "Late?", message: "", timeoutMs: 50 },
  ]);
  expect(rpc.events.findLast(ofType("ask_end"))).toMatchObject({ outcome: "timeout" });
  expect(rpc.events.find(ofType("extension_title"))).toMatchObject({ from, title: "asked" });
  expect(rpc.events.find(ofType("extension_draft"))).toMatchObject({ from, text: "draft" });
});

test("a question is withdrawn with its run, its session, and its client", async () => {
  await using rpc = await gated([touch("first"), touch("second"), touch("third")]);
  const { client } = rpc;
  const asked = (id: string) => rpc.event((event) => event.type === "ask" && event.id === id);
  const over = (id: string) => rpc.event((event) => event.type === "ask_end" && event.id === id);
  void client.run("go").catch(() => undefined);
  await asked("ask_1");
  await client.send("abort");
  expect(await over("ask_1")).toMatchObject({ outcome: "void" });
  void client.run("go").catch(() => undefined);
  await asked("ask_2");
  await client.send("new_session");
  expect(await over("ask_2")).toMatchObject({ outcome: "void" });
  void client.run("go").catch(() => undefined);
  await asked("ask_3");
  expect(await client.close()).toBe(0);
  expect(await Bun.file(`${rpc.cwd}/first`).exists()).toBe(false);
  expect(await Bun.file(`${rpc.cwd}/third`).exists()).toBe(false);
});

test("a client that cannot answer is not asked: it is no", async () => {
  await using rpc = await gated([touch("first"), { text: "done" }]);
  await rpc.client.send("hello", { canAnswer: false });
  await rpc.client.run("go");
  expect(rpc.events.some(ofType("ask"))).toBe(false);
  expect(rpc.requests()[1]!.at(-1)).toBe("toolResult: The gate is shut");
});
