import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, type Message } from "@tau/ai/message";
import { ForcedChoices } from "./forced-choices.ts";
import { echo, model, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";
import type { ToolConcurrency } from "./tool.ts";

const roles = (messages: readonly Message[]): string[] => messages.map((message) => message.role);

test("a reply without calls ends the run", async () => {
  const { end, added, events } = await run([{ text: "hello" }]);
  expect(end).toEqual({ reason: "done" });
  expect(added.map(textOf)).toEqual(["hello"]);
  const types = events.map((event) => event.type).filter((type) => type !== "message_update");
  expect(types).toEqual([
    "agent_start",
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
});

test("results go back to the model in the order of the calls, until it calls no more", async () => {
  const { end, added, requests } = await run([
    { text: "let me see", toolCalls: [echo("a"), echo("b")] },
    { toolCalls: [echo("c")] },
    { text: "done" },
  ]);
  expect(end).toEqual({ reason: "done" });
  expect(added.map(textOf)).toEqual(["let me see", "<a>", "<b>", "", "<c>", "done"]);
  expect(roles(requests[2]!.messages)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "assistant",
    "toolResult",
  ]);
});

test("each request extends the one before it", async () => {
  const { requests } = await run([{ toolCalls: [echo("a")] }, { toolCalls: [echo("b")] }, {}]);
  for (const [at, request] of requests.entries()) {
    const next = requests[at + 1];
    if (next)
      expect(next.messages.slice(0, request.messages.length)).toEqual(
        request.messages as Message[],
      );
    expect(request.tools).toBe(requests[0]!.tools);
  }
});

test("shared calls run side by side, an exclusive one alone and in its place", async () => {
  const log: string[] = [];
  let running = 0;
  const traced = (name: string, concurrency: ToolConcurrency) =>
    wordTool(name, concurrency, async (word) => {
      running++;
      log.push(`${word}+${running}`);
      await Bun.sleep(5);
      running--;
      return word;
    });
  const calls = ["s1", "s2", "x1", "s3"].map((word) => ({
    name: word.startsWith("x") ? "alone" : "beside",
    arguments: { word },
  }));
  const { added } = await run([{ toolCalls: calls }, { text: "ok" }], {
    tools: new ToolTable([traced("beside", "shared"), traced("alone", "exclusive")]),
  });
  expect(log).toEqual(["s1+1", "s2+2", "x1+1", "s3+1"]);
  expect(added.slice(1, 5).map(textOf)).toEqual(["s1", "s2", "x1", "s3"]);
});

test("a failed call to the model ends the run as failed, with what had arrived kept", async () => {
  const failure = modelFailure("overloaded", "busy");
  const { end, added } = await run([{ text: "half a", streamError: failure }]);
  expect(end).toEqual({ reason: "failed" });
  expect(added).toHaveLength(1);
  expect(added[0]).toMatchObject({ stopReason: "error", error: { kind: "overloaded" } });
  expect(textOf(added[0]!)).toBe("half a");
});

test("a failed reply's calls are not run", async () => {
  const { events } = await run([
    { toolCalls: [echo("never")], streamError: modelFailure("network", "gone") },
  ]);
  expect(events.some((event) => event.type === "tool_execution_start")).toBe(false);
});

test("an abort during a tool keeps the finished results and asks nothing more", async () => {
  const abort = new AbortController();
  const tools = new ToolTable([
    wordTool("echo", "exclusive", async (word, signal) => {
      if (word === "b") {
        abort.abort();
        signal.throwIfAborted();
      }
      return word;
    }),
  ]);
  const { end, added, requests } = await run([{ toolCalls: [echo("a"), echo("b"), echo("c")] }], {
    tools,
    signal: abort.signal,
  });
  expect(end).toEqual({ reason: "aborted" });
  expect(requests).toHaveLength(1);
  expect(added.slice(1).map(textOf)).toEqual([
    "a",
    "The call was aborted.",
    "The call was aborted.",
  ]);
});

test("a failed reply is asked for again as the recovery says, and leaves no trace", async () => {
  const failure = modelFailure("overloaded", "busy");
  const kinds: string[] = [];
  let settled = 0;
  const { end, added, events, requests } = await run(
    [
      { text: "half", toolCalls: [echo("never")], streamError: failure },
      { streamError: failure },
      { toolCalls: [echo("once")] },
      { text: "done" },
    ],
    {
      recover: async ({ error }) => {
        kinds.push(error!.kind);
        return { type: "retry", request: { model: { ...model, id: `m${kinds.length}` } } };
      },
      recovered: () => settled++,
    },
  );
  expect(end).toEqual({ reason: "done" });
  expect(kinds).toEqual(["overloaded", "overloaded"]);
  expect(settled).toBe(2);
  expect(added.map(textOf)).toEqual(["", "<once>", "done"]);
  expect(requests.map((request) => request.model.id)).toEqual(["m", "m1", "m2", "m2"]);
  expect(requests.map((request) => request.messages.length)).toEqual([1, 1, 1, 3]);
  expect(events.filter((event) => event.type === "reply_discarded")).toHaveLength(2);
  expect(events.filter((event) => event.type === "tool_execution_start")).toHaveLength(1);
});

test("a recovery that gives up leaves the failed reply as the end", async () => {
  const { end, added } = await run([{ text: "half", streamError: modelFailure("auth", "no") }], {
    recover: async () => ({ type: "give_up" }),
  });
  expect(end).toEqual({ reason: "failed" });
  expect(added.map(textOf)).toEqual(["half"]);
});

test("a limit on model calls stops a model that never stops", async () => {
  const { end, requests } = await run(
    [{ toolCalls: [echo("a")] }, { toolCalls: [echo("a")] }, { toolCalls: [echo("a")] }],
    { maxTurns: 2 },
  );
  expect(end).toEqual({ reason: "limit", kind: "turns", limit: "2 model calls" });
  expect(requests).toHaveLength(2);
});

test("a reply that broke off for good has an answer to each of its calls", async () => {
  const { added } = await run([
    { toolCalls: [echo("a"), echo("b")], streamError: modelFailure("network", "gone") },
  ]);
  expect(roles(added)).toEqual(["assistant", "toolResult", "toolResult"]);
});

test("a forced choice is for one request, its retries included", async () => {
  const forcedChoices = new ForcedChoices();
  forcedChoices.push({ name: "echo" });
  forcedChoices.push({ name: "gone" });
  const { requests } = await run(
    [{ streamError: modelFailure("network", "gone") }, { toolCalls: [echo("a")] }, {}],
    { forcedChoices, recover: async () => ({ type: "retry" }) },
  );
  expect(requests.map((request) => request.toolChoice)).toEqual([
    { name: "echo" },
    { name: "echo" },
    undefined,
  ]);
});

test("a tool that ignores the abort does not keep the user waiting for ever", async () => {
  const abort = new AbortController();
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      if (word === "deaf") {
        abort.abort();
        await new Promise(() => {});
      }
      return word;
    }),
  ]);
  const { end, added } = await run([{ toolCalls: [echo("quick"), echo("deaf")] }], {
    tools,
    signal: abort.signal,
  });
  expect(end).toEqual({ reason: "aborted" });
  expect(added.slice(1).map(textOf)).toEqual(["quick", "The call was aborted."]);
});
