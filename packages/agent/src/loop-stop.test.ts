// Replies that a behaviour has stopped: what becomes of them, what the model hears, and when it ends.

import { describe, expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import type { AgentEvent } from "./event.ts";
import type { StopReply } from "./hook-points.ts";
import { Hooks } from "./hooks.ts";
import type { LoopOptions } from "./loop.ts";
import { echo, MemoryLog, run } from "./test/scripted-run.ts";

/** Stops every reply that says "bad", as soon as that is heard. */
function guard(how: Partial<StopReply>, before: () => void = () => {}): Hooks {
  const hooks = new Hooks();
  hooks.register(
    { kind: "behaviour", name: "guard", order: 1 },
    {
      stream: ({ event }) => {
        if (event.type !== "text_end" || event.block.text !== "bad") return undefined;
        before();
        return { type: "stop", reason: "not so", partial: "discard", ...how };
      },
    },
  );
  return hooks;
}

async function stopped(how: Partial<StopReply>, options: Partial<LoopOptions> = {}) {
  // A disk takes its time: what is not waited for comes too late.
  const log = new MemoryLog(() => Bun.sleep(1));
  const outcome = await run([{ text: "bad", toolCalls: [echo("a")] }, { text: "good" }], {
    prompt: [userText("hi", 0)],
    record: log.record,
    hooks: guard(how),
    ...options,
  });
  return { ...outcome, log };
}

const turnsIn = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type === "turn_end");
const discardedIn = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type === "reply_discarded");

describe("a stopped reply that is discarded", () => {
  test("is no part of the conversation, and kept beside it in the record", async () => {
    const { end, added, events, requests, log } = await stopped({});
    expect(end).toEqual({ reason: "done" });
    expect(added.map(({ role }) => role)).toEqual(["user", "developer", "assistant"]);
    expect(requests[1]!.messages.map(textOf)).toEqual(["hi", "Your reply was stopped: not so"]);
    expect(discardedIn(events).map(({ message }) => textOf(message))).toEqual(["bad"]);
    expect(log.items.map(({ type }) => type)).toEqual([
      "message",
      "discarded",
      "message",
      "message",
    ]);
    expect(log.conversation).toEqual(added);
    expect(events.some(({ type }) => type.startsWith("tool_execution"))).toBe(false);
  });

  test("ends its turn without results", async () => {
    const { events } = await stopped({});
    const types = events.map(({ type }) => type);
    expect(types.indexOf("reply_discarded")).toBeLessThan(types.indexOf("turn_end"));
    const [first, second] = turnsIn(events);
    expect(first).toMatchObject({ turn: 1, results: [] });
    expect(textOf(first!.message)).toBe("bad");
    expect(second).toMatchObject({ turn: 2, results: [] });
  });

  test("and cannot be written down ends the run before the model is asked again", async () => {
    let requests = 0;
    const failing = stopped(
      {},
      {
        record: async ([item]) => {
          await Bun.sleep(1);
          if (item?.type === "discarded") throw new Error("disk full");
        },
        emit: ({ type }) => {
          if (type === "message_start") requests++;
        },
      },
    );
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(1);
  });
});

describe("a stopped reply that is kept", () => {
  test("stands with an answer to each of its calls, as one record", async () => {
    const records: string[][] = [];
    const { added, events } = await stopped(
      { partial: "keep" },
      {
        record: async (items) => {
          records.push(items.map((item) => ("message" in item ? item.message.role : item.type)));
        },
      },
    );
    const why = "Not run: the reply was stopped. not so";
    expect(added.map(textOf)).toEqual(["hi", "bad", why, "Your reply was stopped: not so", "good"]);
    expect(records).toEqual([["user"], ["assistant", "toolResult"], ["developer"], ["assistant"]]);
    expect(discardedIn(events)).toEqual([]);
    expect(turnsIn(events)[0]).toMatchObject({ turn: 1, results: [{ toolCallId: "call_1_1" }] });
  });

  test("is told before its turn ends, and nothing is asked where it cannot be written", async () => {
    const { events } = await stopped({ partial: "keep" });
    const types = events.map(({ type }) => type);
    expect(
      types.slice(0, types.indexOf("turn_end")).filter((type) => type === "message_end"),
    ).toEqual(["message_end", "message_end", "message_end"]);
    let requests = 0;
    const failing = stopped(
      { partial: "keep", next: "end_run" },
      {
        record: async ([item]) => {
          await Bun.sleep(1);
          if (item && "message" in item && item.message.role === "assistant") {
            throw new Error("disk full");
          }
        },
        emit: ({ type }) => {
          if (type === "message_start") requests++;
        },
      },
    );
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(1);
  });

  test("with nothing in it is discarded all the same", async () => {
    const hooks = new Hooks();
    hooks.register(
      { kind: "behaviour", name: "guard", order: 1 },
      {
        stream: ({ turn }) =>
          turn === 1 ? { type: "stop", reason: "not so", partial: "keep" } : undefined,
      },
    );
    const { added, events } = await run([{}, { text: "good" }], { hooks });
    expect(added.map(({ role }) => role)).toEqual(["developer", "assistant"]);
    expect(discardedIn(events)).toHaveLength(1);
  });
});

test("the model hears the behaviour's own words, where it has some", async () => {
  const messages = [userText("say it nicely", 0)];
  const { added } = await stopped({ messages });
  expect(added.map(textOf)).toEqual(["hi", "say it nicely", "good"]);
});

test("a stop may end the run, which names who wanted it and why", async () => {
  const { end, requests, added } = await stopped({ next: "end_run" });
  expect(end).toEqual({ reason: "limit", kind: "behaviour", limit: "guard (not so)" });
  expect(requests).toHaveLength(1);
  expect(added.map(textOf)).toEqual(["hi", "Your reply was stopped: not so"]);
});

test("an abort in the same moment is what counts: nothing is added to it", async () => {
  const abort = new AbortController();
  const { end, added } = await stopped(
    {},
    { signal: abort.signal, hooks: guard({}, () => abort.abort()) },
  );
  expect(end).toEqual({ reason: "aborted" });
  expect(added.map(textOf)).toEqual(["hi"]);
});

test("eight stops in a row are the end; a whole reply between them begins a new count", async () => {
  const bad = Array.from({ length: 7 }, () => ({ text: "bad" }));
  const whole = { text: "fine", toolCalls: [echo("a")] };
  const patient = await run([...bad, whole, ...bad, { text: "good" }], { hooks: guard({}) });
  expect(patient.end).toEqual({ reason: "done" });
  const enough = await run([...bad, { text: "bad" }, { text: "never" }], { hooks: guard({}) });
  expect(enough.end).toEqual({
    reason: "limit",
    kind: "behaviour",
    limit: "8 replies in a row that guard stopped",
  });
  expect(enough.requests).toHaveLength(8);
});

test("a handler is heard until it stops a reply, and not after", async () => {
  const heard: string[] = [];
  const hooks = new Hooks();
  hooks.register(
    { kind: "extension", name: "watch" },
    {
      stream: ({ event, turn }) => {
        heard.push(`${turn} ${event.type}`);
        return turn === 1 && event.type === "text_start"
          ? { type: "stop", reason: "no", partial: "discard" }
          : undefined;
      },
    },
  );
  await run([{ text: "one" }, { text: "two" }], { hooks });
  expect(heard).toEqual([
    "1 start",
    "1 text_start",
    ...["start", "text_start", "text_delta", "text_end", "done"].map((type) => `2 ${type}`),
  ]);
});
