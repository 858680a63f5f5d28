// --mode rpc: the commands about sessions, models, and how Tau behaves.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { codeOf, connect, ofType, SILENT } from "./support/rpc-connection.ts";

test("the session: named, forked, branched, left and found again, written out", async () => {
  await using rpc = await connect([{ text: "one" }, { text: "two" }, { text: "three" }]);
  const { client } = rpc;
  await client.run("first");
  await client.run("second");
  await client.send("set_session_name", { name: "  a   name " });
  const first = (await client.send("get_state")) as { sessionId: string; sessionFile: string };
  expect(first).toMatchObject({ sessionName: "a name", messageCount: 4, thinkingLevel: "off" });
  expect(await client.send("get_messages", { offset: 2, limit: 1 })).toMatchObject({
    total: 4,
    messages: [{ role: "user", content: [{ text: "second" }] }],
  });
  expect(await client.send("get_session_stats")).toMatchObject({
    userMessages: 2,
    assistantMessages: 2,
    totalMessages: 4,
    tokens: { input: 20, output: 10 },
  });
  const { messages } = (await client.send("get_fork_messages")) as {
    messages: { entryId: string; text: string }[];
  };
  expect(messages.map(({ text }) => text)).toEqual(["first", "second"]);
  const branched = await client.send("branch", { entryId: messages[1]!.entryId });
  expect(branched).toMatchObject({ text: "second", sessionId: expect.any(String) });
  expect(await client.send("get_last_assistant_text")).toEqual({ text: "one" });
  await client.run("instead");
  expect(rpc.requests().at(-1)).toEqual(["user: first", "assistant: one", "user: instead"]);
  await client.send("fork");
  expect(await client.send("get_state")).toMatchObject({ messageCount: 4 });
  await client.send("new_session");
  expect(await client.send("get_state")).toMatchObject({ messageCount: 0, sessionName: null });
  await client.send("switch_session", { sessionPath: first.sessionFile });
  expect(await client.send("get_state")).toMatchObject({ sessionId: first.sessionId });
  const changes = rpc.events.filter(ofType("session_changed")).map(({ reason }) => reason);
  expect(changes).toEqual(["branch", "fork", "new", "resume"]);
  const written = await client.send("export_html", { outputPath: "talk.html" });
  expect(written).toEqual({ path: `${rpc.cwd}/talk.html` });
  expect(await readFile(`${rpc.cwd}/talk.html`, "utf8")).toContain("second");
  expect(await codeOf(client.send("export_html", { outputPath: "talk.html" }))).toBe("refused");
});

test("the model, its thinking, and what can be called by name", async () => {
  const settings = "modelRoles: { default: ollama/x, smol: ollama/y }\n";
  await using rpc = await connect([{ text: "hi" }], { settings, env: { OPENAI_API_KEY: "k" } });
  const { client } = rpc;
  const { models } = (await client.send("get_available_models")) as {
    models: { provider: string; id: string }[];
  };
  expect(new Set(models.map(({ provider }) => provider))).toEqual(new Set(["openai"]));
  expect(await client.send("cycle_model")).toMatchObject({ model: { id: "y" } });
  expect(await client.send("cycle_model")).toMatchObject({ model: { id: "x" } });
  const unknown = client.send("set_model", { provider: "nobody", modelId: "x" });
  expect(await codeOf(unknown)).not.toBe("internal");
  const set = await client.send("set_model", { provider: "ollama", modelId: "z" });
  expect(set).toMatchObject({ provider: "ollama", id: "z" });
  expect(await client.send("set_thinking_level", { level: "low" })).toEqual({ level: "low" });
  expect(await client.send("get_state", { include: ["tools"] })).toMatchObject({
    model: { id: "z" },
    thinkingLevel: "low",
    dumpTools: expect.arrayContaining([expect.objectContaining({ name: "read" })]),
  });
  const { commands } = (await client.send("get_commands")) as { commands: { name: string }[] };
  expect(commands.map(({ name }) => name)).toContain("review");
  await client.run("go");
  expect(rpc.server.requests.at(-1)!.body.model).toBe("z");
});

test("what happens by itself can be switched off, and how messages wait", async () => {
  const failure = modelFailure("overloaded", "try later", { status: 529 });
  await using rpc = await connect([{ httpError: { failure } }, { text: "there" }], {
    settings: "retry: { baseDelayMs: 1 }\ncompaction: { enabled: false }\n",
  });
  const { client } = rpc;
  expect(await codeOf(client.send("set_auto_compaction", { enabled: true }))).toBe("unsupported");
  await client.send("set_auto_retry", { enabled: false });
  await client.send("set_steering_mode", { mode: "all" });
  await client.send("set_approval_mode", { mode: "yolo" });
  expect(await client.send("get_state")).toMatchObject({
    autoRetryEnabled: false,
    autoCompactionEnabled: false,
    steeringMode: "all",
    followUpMode: "one-at-a-time",
    approvalMode: "yolo",
  });
  expect(await client.run("go")).toMatchObject({ end: { reason: "failed" } });
  expect(rpc.server.requests).toHaveLength(1);
  await client.send("set_auto_retry", { enabled: true });
  await client.send("new_session");
  expect(await client.send("get_state")).toMatchObject({ steeringMode: "all" });
  expect(await client.run("go")).toMatchObject({ end: { reason: "done" } });
});

test.each([
  ["immediate", false],
  ["wait", true],
] as const)("a message to a turn with interrupt mode %s", async (mode, isWritten) => {
  const calls = [
    { name: "bash", arguments: { command: "sleep 0.3" } },
    { name: "write", arguments: { path: "late.txt", content: "x" } },
  ];
  await using rpc = await connect([{ toolCalls: calls }, { text: "ok" }]);
  const { client } = rpc;
  await client.send("set_interrupt_mode", { mode });
  const ended = client.run("go");
  await rpc.event(ofType("tool_execution_start"));
  await client.send("steer", { message: "stop that" });
  await ended;
  expect(existsSync(`${rpc.cwd}/late.txt`)).toBe(isWritten);
  expect(rpc.requests()[1]!.at(-1)).toBe("user: stop that");
});

test("what waits can be taken back", async () => {
  const call = { name: "bash", arguments: { command: "sleep 0.3" } };
  await using rpc = await connect([{ toolCalls: [call] }, { text: "ok" }]);
  const { client } = rpc;
  const ended = client.run("go");
  await rpc.event(ofType("tool_execution_start"));
  await client.send("follow_up", { message: "and then" });
  const { messages } = (await client.send("clear_queue")) as { messages: unknown[] };
  expect(messages).toMatchObject([{ delivery: "followUp", message: { role: "user" } }]);
  await ended;
  expect(rpc.server.requests).toHaveLength(2);
});

test("an image goes along, as what it is", async () => {
  await using rpc = await connect([{ text: "a dot" }]);
  const data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await rpc.client.send("prompt", {
    message: "what is it?",
    images: [{ type: "image", mimeType: "image/jpeg", data }],
  });
  await rpc.event(ofType("message_end"));
  const { message } = rpc.events.find(ofType("message_end")) as unknown as {
    message: { content: unknown[] };
  };
  expect(message.content).toEqual([
    { type: "image", mimeType: "image/png", data },
    { type: "text", text: "what is it?" },
  ]);
});

test("compact makes the conversation shorter, or says why not; abort stops it", async () => {
  const long = (word: string): string => `${word} `.repeat(9000);
  let isSilent = false;
  await using rpc = await connect((request, turn) => {
    if (request.decoded.tools.length > 0) return { text: long(`reply${turn}`) };
    return isSilent ? SILENT : { text: "SUMMARY: the user counts sheep." };
  });
  const { client } = rpc;
  expect(await codeOf(client.send("compact"))).toBe("refused");
  for (const word of ["alpha", "beta", "gamma"]) await client.run(`count ${word} sheep`);
  isSilent = true;
  const stopped = client.send("compact");
  await rpc.server.request(4);
  expect(await client.send("get_state")).toMatchObject({ isCompacting: true, isStreaming: false });
  expect(await codeOf(client.send("prompt", { message: "and?" }))).toBe("busy");
  await client.send("abort");
  expect(await codeOf(stopped)).toBe("aborted");
  isSilent = false;
  const wish = { customInstructions: "mind the sheep" };
  const done = (await client.send("compact", wish)) as { before: number; after: number };
  expect(done.after).toBeLessThan(done.before);
  expect(rpc.server.requests.at(-1)!.text).toContain("mind the sheep");
  await client.run("what do I count?");
  expect(rpc.requests().at(-1)!.join("\n")).toContain("SUMMARY: the user counts sheep.");
});

test("a command of the client's own runs in the agent's shell, and can be stopped or kept apart", async () => {
  await using rpc = await connect([{ text: "seen" }]);
  const { client } = rpc;
  expect(await client.send("bash", { command: "export SHARED=1; echo one-$((40 + 2))" })).toEqual({
    output: "one-42",
    exitCode: 0,
    signal: null,
    cancelled: false,
    truncated: false,
    artifactId: null,
  });
  const hidden = { command: "echo two-$SHARED; exit 3", excludeFromContext: true };
  expect(await client.send("bash", hidden)).toMatchObject({ output: "two-1", exitCode: 3 });
  const slow = client.send("bash", { command: "echo begun; sleep 300" });
  await Bun.sleep(200);
  expect(await client.send("abort_bash")).toEqual({ stopped: 1 });
  expect(await slow).toMatchObject({ cancelled: true });
  await client.run("what did I do?");
  const [said] = rpc.requests();
  expect(said!.join("\n")).toContain("one-42");
  expect(said!.join("\n")).not.toContain("two-1");
});
