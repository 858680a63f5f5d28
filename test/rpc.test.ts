// --mode rpc: another program drives Tau over two pipes. Lines, runs, and what stops them.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { canInspectProcesses, descendants } from "@tau/testkit/processes";
import { isolatedHome } from "@tau/testkit/scratch";
import { codeOf, connect, ofType, SILENT } from "./support/rpc-connection.ts";
import { runTau } from "./support/run-tau.ts";

test("a prompt: acknowledged with its run, told in order, ended once", async () => {
  await using rpc = await connect([
    { text: "look", toolCalls: [{ name: "bash", arguments: { command: "echo a" } }] },
    { text: "done \u2028 日本" },
  ]);
  const end = await rpc.client.run("hi");
  expect(end).toMatchObject({ runId: "run_1", end: { reason: "done" } });
  expect(rpc.events.map(({ seq }) => seq)).toEqual(rpc.events.map((_, at) => at + 1));
  expect(rpc.events[0]).toMatchObject({ type: "ready", v: 1, cwd: rpc.cwd });
  const told = rpc.events
    .map(({ type }) => type)
    .filter((type) => !["message_update", "tool_execution_update", "settled"].includes(type));
  expect(told).toEqual([
    "ready",
    "agent_start",
    "message_end",
    "turn_start",
    "message_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_end",
    "message_end",
    "turn_end",
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
  const inRun = rpc.events.slice(1).filter(({ type }) => type !== "settled");
  const runs = new Set(inRun.map(({ runId }) => runId));
  expect(runs).toEqual(new Set(["run_1"]));
  expect(await rpc.client.send("get_last_assistant_text")).toEqual({ text: "done \u2028 日本" });
  expect(await rpc.client.close()).toBe(0);
});

test("a client that only sends and closes gets every response", async () => {
  await using home = await isolatedHome();
  const lines = ['{"id":1,"type":"get_state"}', '{"id":"x","type":"get_messages"}'].join("\n");
  const result = await runTau(["--mode", "rpc", "-m", "tau/demo"], {
    cwd: home.root,
    home,
    stdin: lines,
  });
  const [ready, state, messages, ...more] = result.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ready).toMatchObject({ type: "ready", seq: 1, model: { provider: "tau", id: "demo" } });
  expect(state).toMatchObject({ id: 1, command: "get_state", success: true });
  expect(messages).toEqual({
    type: "response",
    id: "x",
    command: "get_messages",
    success: true,
    data: { messages: [], total: 0 },
  });
  expect(more).toEqual([]);
});

test.each([
  [["what is this?"], "send a prompt command"],
  [["@notes.txt"], "send a prompt command"],
  [["-p"], "send a prompt command"],
  [["-m", "no/such"], "unknown provider"],
])("%j on the command line is refused before anything is said", async (args, words) => {
  await using home = await isolatedHome();
  const result = await runTau(["--mode", "rpc", ...args], { cwd: home.root, home, stdin: "" });
  expect(result.stdout).toBe("");
  expect(result.stderr).toContain(words);
  expect(result.exitCode).not.toBe(0);
});

test("lines that make no sense are answered, and the next one is heard", async () => {
  await using home = await isolatedHome();
  const lines = [
    "{",
    "[1]",
    '"prompt"',
    "",
    "   \r",
    '{"id":"a"}',
    '{"id":"b","type":"promt"}',
    '{"id":"c","type":"zzz"}',
    '{"id":"d","type":"prompt"}',
    '{"id":"e","type":"prompt","message":7}',
    '{"id":"f","type":"prompt","message":"x","mesage":"y"}',
    '{"id":"g","type":"prompt","message":" "}',
    '{"id":"h","type":"prompt","message":"x","images":[{"type":"image","mimeType":"image/png","data":"eA=="}]}',
    '{"id":"i","type":"set_host_tools","tools":[]}',
    '{"id":{"deep":1},"type":"get_state"}',
    '{"id":"j","type":"set_session_name","name":" \\u001b[31m "}',
    '{"id":"k","type":"branch","entryId":"nowhere"}',
    '{"id":"l","type":"switch_session","sessionPath":"ffffffff"}',
    '{"id":"m","type":"answer","ask":"ask_1","verdict":"once"}',
    '{"id":"__proto__","type":"constructor"}',
    `{"id":"n","type":"${"x".repeat(5000)}"}`,
    `${"[".repeat(200_000)}`,
    '{"id":"z","type":"get_last_assistant_text"}',
  ];
  const result = await runTau(["--mode", "rpc", "-m", "tau/demo"], {
    cwd: home.root,
    home,
    stdin: `${lines.join("\n")}\n`,
  });
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  const responses = result.stdout
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as { id?: unknown; error?: { code: string; message: string } });
  const byId = new Map(responses.map(({ id, error }) => [id, error]));
  expect(responses.filter(({ id }) => id === undefined).map(({ error }) => error?.code)).toEqual([
    "parse",
    "parse",
    "parse",
    "invalid",
    "parse",
  ]);
  const codes = [..."abcdefghijklm", "__proto__", "n", "z"].map((id) => byId.get(id)?.code);
  expect(codes).toEqual([
    "invalid",
    "unknown_command",
    "unknown_command",
    "invalid",
    "invalid",
    "invalid",
    "invalid",
    "invalid",
    "unsupported",
    "refused",
    "not_found",
    "failed",
    "not_found",
    "unknown_command",
    "unknown_command",
    undefined,
  ]);
  expect(byId.get("b")?.message).toContain("did you mean prompt?");
  expect(byId.get("d")?.message).toContain("message: missing");
  expect(byId.get("e")?.message).toContain("message: expected string, received 7");
  expect(byId.get("f")?.message).toContain('did you mean "message"?');
  expect(byId.get("i")?.message).toContain("set_host_tools");
  expect(byId.get("n")!.message.length).toBeLessThan(1000);
});

test.skipIf(!canInspectProcesses)(
  "a line of 100 MB is refused without being kept, and the next one is heard",
  async () => {
    await using rpc = await connect([]);
    await rpc.event(ofType("ready"));
    const before = await peakMemory(rpc.client.pid);
    const half = "x".repeat(50 * 1024 * 1024);
    rpc.client.sendLine(`{"id":"big","type":"prompt","message":"${half}${half}"}`);
    const state = await rpc.client.send("get_state");
    expect(state).toMatchObject({ messageCount: 0, isStreaming: false });
    // Up to the longest line there may be is kept, and the collector may be late; a line that is
    // kept, decoded and parsed would take more than 300 MB.
    expect((await peakMemory(rpc.client.pid)) - before).toBeLessThan(160 * 1024 * 1024);
  },
);

/** Of the program and what it was started by; bytes. */
async function peakMemory(pid: number): Promise<number> {
  const family = await descendants(pid);
  const pids = [pid, ...family.map((info) => info.pid)];
  const all = await Promise.all(pids.map((one) => readFile(`/proc/${one}/status`, "utf8")));
  return all.reduce((sum, text) => sum + Number(/VmHWM:\s+(\d+)/.exec(text)![1]) * 1024, 0);
}

test("while a run is on: refused, steered into it, or for later", async () => {
  const call = { name: "bash", arguments: { command: "sleep 0.5" } };
  await using rpc = await connect([
    { toolCalls: [call] },
    { text: "one" },
    { text: "two" },
    { text: "three" },
  ]);
  const { client } = rpc;
  const ended = client.run("go");
  await rpc.event(ofType("tool_execution_start"));
  const refused = client.send("prompt", { message: "and?" });
  expect(await codeOf(refused)).toBe("busy");
  const later = { message: "later", streamingBehavior: "followUp" };
  expect(await client.send("prompt", later)).toMatchObject({
    queued: "followUp",
    runId: "run_1",
  });
  const now = { message: "now", streamingBehavior: "steer" };
  expect(await client.send("prompt", now)).toMatchObject({ queued: "steer", runId: "run_1" });
  expect(await client.send("follow_up", { message: "last" })).toEqual({
    mailId: expect.any(String),
  });
  expect(await client.send("get_state")).toMatchObject({ queuedMessageCount: 3, runId: "run_1" });
  expect(await ended).toMatchObject({ end: { reason: "done" } });
  const said = rpc.requests();
  expect(said[1]!.at(-1)).toBe("user: now");
  expect(said[2]!.at(-1)).toBe("user: later");
  expect(said[3]!.at(-1)).toBe("user: last");
  expect(rpc.events.filter(ofType("agent_end"))).toHaveLength(1);
});

test("words that find no run have one of their own, with an id", async () => {
  await using rpc = await connect([{ text: "hello" }]);
  await rpc.client.send("steer", { message: "hi" });
  const end = await rpc.event(ofType("agent_end"));
  expect(end).toMatchObject({ runId: "run_1", end: { reason: "done" } });
});

test("two prompts at once: one runs, the other is refused", async () => {
  await using rpc = await connect([{ text: "one" }, { text: "two" }]);
  const both = ["a", "b"].map((message) => rpc.client.send("prompt", { message }));
  expect(await both[0]).toEqual({ runId: "run_1" });
  expect(await codeOf(both[1]!)).toBe("busy");
  await rpc.event(ofType("agent_end"));
  expect(await rpc.client.run("c")).toMatchObject({ runId: "run_2" });
  expect(rpc.requests()[1]!.at(-1)).toBe("user: c");
});

test("abort ends a stream that is silent; what was said is kept", async () => {
  await using rpc = await connect([SILENT, { text: "again" }]);
  const { client } = rpc;
  const ended = client.run("go");
  await rpc.event(ofType("message_update"));
  await client.send("abort");
  expect(await ended).toMatchObject({ runId: "run_1", end: { reason: "aborted" } });
  const { clientGone } = await rpc.server.request(1);
  if (!clientGone.aborted) await once(clientGone, "abort");
  expect(await client.run("go on")).toMatchObject({ runId: "run_2", end: { reason: "done" } });
  expect(rpc.requests()[1]![0]).toBe("user: go");
  await client.send("abort");
});

test("abort_and_prompt: the old run ends, the new one begins", async () => {
  await using rpc = await connect([SILENT, { text: "better" }]);
  const { client } = rpc;
  await client.send("prompt", { message: "go" });
  await rpc.event(ofType("message_update"));
  const next = await client.send("abort_and_prompt", { message: "no, this" });
  expect(next).toEqual({ runId: "run_2" });
  await rpc.event((event) => event.type === "agent_end" && event.runId === "run_2");
  const ends = rpc.events.filter(ofType("agent_end"));
  expect(ends.map(({ runId, end }) => [runId, (end as { reason: string }).reason])).toEqual([
    ["run_1", "aborted"],
    ["run_2", "done"],
  ]);
});

test("a prompt that an abort overtakes never begins, and says so", async () => {
  await using rpc = await connect([{ text: "never" }]);
  const { client } = rpc;
  const sent = [
    client.send("new_session"),
    client.send("prompt", { message: "go" }),
    client.send("abort"),
    client.send("get_state"),
  ];
  expect(await codeOf(sent[1]!)).toBe("aborted");
  expect(await sent[3]).toMatchObject({ isStreaming: false, messageCount: 0 });
  expect(rpc.server.requests).toHaveLength(0);
});
