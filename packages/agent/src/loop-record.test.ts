import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { userText } from "@tau/ai/message";
import { echo, MemoryLog, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";
import { ToolError } from "./tool.ts";

test("the prompt is recorded before the model hears it, a reply before its tools run", async () => {
  const order: string[] = [];
  const log = new MemoryLog(async () => {
    await Bun.sleep(1);
    order.push("written");
  });
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      order.push("tool");
      return word;
    }),
  ]);
  const { end, added } = await run([{ toolCalls: [echo("a")] }, { text: "done" }], {
    prompt: [userText("hi", 0)],
    record: log.record,
    tools,
    emit: ({ type }) => {
      if (type === "message_start" || type === "message_end") order.push(type);
    },
  });
  expect(end).toEqual({ reason: "done" });
  const said = ["written", "message_end"];
  const asked = ["message_start", ...said];
  expect(order).toEqual([...said, ...asked, "tool", ...said, ...asked]);
  expect(log.conversation).toEqual(added);
});

test("a result is recorded while a slower call behind it still runs", async () => {
  const log = new MemoryLog();
  const seen: number[] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      await Bun.sleep(word === "slow" ? 20 : 0);
      seen.push(log.conversation.length);
      return word;
    }),
  ]);
  await run([{ toolCalls: [echo("fast"), echo("slow")] }, {}], {
    prompt: [userText("hi", 0)],
    record: log.record,
    tools,
  });
  expect(seen).toEqual([2, 3]);
});

test("a result is recorded with what people saw of the call", async () => {
  const log = new MemoryLog();
  const tools = new ToolTable([
    wordTool("echo", "exclusive", async (word) => {
      if (word === "bad") throw new ToolError("no", undefined, "7", { code: 1 });
      return word;
    }),
  ]);
  const same = Array.from({ length: 12 }, () => echo("same"));
  await run([{ toolCalls: [echo("bad"), ...same] }, { text: "done" }], {
    prompt: [userText("hi", 0)],
    record: log.record,
    tools,
  });
  const ran = log.items.flatMap((item) => (item.type === "message" && item.ran ? [item.ran] : []));
  expect(ran[0]).toMatchObject({ wasRun: true, details: { code: 1 }, artifactId: "7" });
  expect(ran.every(({ durationMs }) => durationMs !== undefined)).toBe(true);
  // The word to a model that goes in circles is not for people.
  expect(ran[1]!.forModel).toBeUndefined();
  expect(ran.some(({ forModel }) => forModel === 1)).toBe(true);
});

test("answers to calls that were not begun say so", async () => {
  const log = new MemoryLog();
  const failure = modelFailure("invalid_request", "no");
  await run([{ toolCalls: [echo("a")], streamError: failure }], {
    prompt: [userText("hi", 0)],
    record: log.record,
  });
  const ran = log.items.flatMap((item) => (item.type === "message" && item.ran ? [item.ran] : []));
  expect(ran).toEqual([{ wasRun: false }]);
});

test("a run that cannot be recorded ends, and says so by rejecting", async () => {
  const events: string[] = [];
  let writes = 0;
  const failing = run([{ toolCalls: [echo("a")] }, { text: "never" }], {
    prompt: [userText("hi", 0)],
    record: async () => {
      if (++writes === 3) throw new Error("disk full");
    },
    emit: (event) => events.push(event.type),
  });
  expect(failing).rejects.toThrow("disk full");
  await failing.catch(() => undefined);
  expect(events.at(-1)).toBe("agent_end");
  expect(events.filter((type) => type === "turn_start")).toHaveLength(1);
});

test("a discarded reply that was seen is kept beside the conversation", async () => {
  const log = new MemoryLog();
  const { added } = await run([{ text: "half", streamError: modelFailure("network", "x") }, {}], {
    prompt: [userText("hi", 0)],
    record: log.record,
    recover: async () => ({ type: "retry" }),
  });
  expect(log.items.map((item) => item.type)).toEqual(["message", "discarded", "message"]);
  expect(log.conversation).toEqual(added);
});
