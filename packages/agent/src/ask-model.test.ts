// One reply, with all that may happen before it counts: waits, other models, compactions, limits.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText, type AssistantMessage } from "@tau/ai/message";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ScriptedReply } from "@tau/testkit/script";
import { Budget } from "./budget.ts";
import type { AgentEvent } from "./event.ts";
import { ForcedChoices } from "./forced-choices.ts";
import type { Told } from "./hook-points.ts";
import { Hooks, type HookHandlers } from "./hooks.ts";
import type { CompactionWish } from "./loop-options.ts";
import { Mailbox } from "./mailbox.ts";
import { echo, echoTool, MemoryLog, model, run, scripted, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

/** As the scripted model says it. */
const network = { ...modelFailure("network", "gone"), provider: "scripted", model: "m" };
const failing: ScriptedReply = { text: "half", streamError: network };
const overflowing: ScriptedReply = {
  text: "half",
  streamError: modelFailure("context_overflow", "too long"),
};
const cut: ScriptedReply = { text: "cut", stop: "length" };
const short = [userText("short", 0)];

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register({ kind: "behaviour", name: "b", order: 1 }, handlers);
  return hooks;
}

const retriesIn = (events: readonly AgentEvent[]) =>
  events.filter((event) => event.type.startsWith("auto_retry"));
const discardedIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "reply_discarded" ? [textOf(event.message)] : []));

test("a reply is told from its first event to its last, in order", async () => {
  const { events, added } = await run([{ text: "hello" }]);
  expect(events.slice(0, 3)).toMatchObject([
    { type: "agent_start" },
    { type: "turn_start", turn: 1 },
    { type: "message_start", role: "assistant" },
  ]);
  const updates = events.filter((event) => event.type === "message_update");
  expect(updates.map(({ event }) => event.type)).toEqual([
    "start",
    "text_start",
    "text_delta",
    "text_end",
    "done",
  ]);
  expect(events.slice(-3)).toEqual([
    { type: "message_end", message: added[0]! },
    { type: "turn_end", turn: 1, message: added[0] as AssistantMessage, results: [] },
    { type: "agent_end", end: { reason: "done" } },
  ]);
});

test("a request is the frame, the conversation and the tools", async () => {
  const tools = new ToolTable([echoTool()]);
  const { requests } = await run([{}], { tools });
  expect(requests).toEqual([
    {
      model,
      system: ["be brief"],
      stream: true,
      messages: [userText("hi", 0)],
      tools: [...tools.specs()],
    },
  ]);
  expect("toolChoice" in requests[0]!).toBe(false);
});

test("a choice that is no tool's name is forced as it is", async () => {
  const forcedChoices = new ForcedChoices();
  forcedChoices.push("required");
  const { requests } = await run([{}], { forcedChoices });
  expect(requests[0]!.toolChoice).toBe("required");
});

describe("a failed reply", () => {
  test("is asked for again after the wait, which is told with its reason", async () => {
    const at: number[] = [];
    const { call } = scripted([failing, failing, { text: "well" }]);
    const { events, added } = await run([], {
      callModel: (request, options) => {
        at.push(performance.now());
        return call(request, options);
      },
      recover: async () => ({ type: "retry", afterMs: 20 }),
    });
    const wait = { type: "auto_retry_start", action: "wait", delayMs: 20, failure: network };
    expect(retriesIn(events)).toEqual([
      { ...wait, attempt: 1, model: "scripted/m" },
      { ...wait, attempt: 2, model: "scripted/m" },
      { type: "auto_retry_end", success: true, attempts: 2 },
    ] as AgentEvent[]);
    expect(added.map(textOf)).toEqual(["well"]);
    // Timers may be early by a fraction of a millisecond.
    expect(at[1]! - at[0]!).toBeGreaterThan(18);
    expect(at[2]! - at[1]!).toBeGreaterThan(18);
  });

  test("is asked for again at once where no wait is said, and nothing is told", async () => {
    const { events, added } = await run([failing, { text: "well" }], {
      recover: async () => ({ type: "retry" }),
    });
    expect(retriesIn(events)).toEqual([]);
    expect(added.map(textOf)).toEqual(["well"]);
  });

  test("is told with what was done about it and which model is next, also without a wait", async () => {
    const signals: AbortSignal[] = [];
    const { events } = await run([failing, { text: "well" }], {
      recover: async (_failed, { signal }) => {
        signals.push(signal);
        const request = { model: { ...model, id: "other" } };
        return { type: "retry", action: "fallback", request };
      },
    });
    expect(retriesIn(events)).toEqual([
      {
        type: "auto_retry_start",
        action: "fallback",
        attempt: 1,
        delayMs: 0,
        failure: network,
        model: "scripted/other",
      },
      { type: "auto_retry_end", success: true, attempts: 1 },
    ]);
    expect(signals).toHaveLength(1);
    expect(signals[0]!.aborted).toBe(false);
  });

  test("is not asked for again after an abort in the wait, which ends with it", async () => {
    const abort = new AbortController();
    const { end, requests, events, added } = await run([failing], {
      signal: abort.signal,
      recover: async () => {
        setTimeout(() => abort.abort(), 5);
        return { type: "retry", afterMs: 60_000 };
      },
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(requests).toHaveLength(1);
    // It is the last thing that was heard, and stays.
    expect(added.map(textOf)).toEqual(["half"]);
    expect(retriesIn(events).at(-1)).toEqual({
      type: "auto_retry_end",
      success: false,
      attempts: 1,
    });
  });

  test("may be asked for elsewhere, for the rest of the run; the frame stays otherwise", async () => {
    const other = scripted([{ toolCalls: [echo("a")] }, {}]);
    const { requests } = await run([failing], {
      recover: async () => ({
        type: "retry",
        request: { model: { ...model, id: "other" } },
        callModel: other.call,
      }),
    });
    expect(requests).toHaveLength(1);
    expect(other.requests.map(({ model, system }) => [model.id, system])).toEqual([
      ["other", ["be brief"]],
      ["other", ["be brief"]],
    ]);
  });

  test("is told to handlers with all that is known of it; the first answer counts", async () => {
    const told: Told<"failure">[] = [];
    const hooks = hooksWith({
      failure: async (failure) => {
        told.push(failure);
        return told.length < 3 ? { type: "retry" } : { type: "give_up" };
      },
    });
    let others = 0;
    hooks.register({ kind: "extension", name: "late" }, { failure: () => void others++ });
    const { end, added } = await run([{ toolCalls: [echo("a")] }, failing, failing, failing], {
      hooks,
      recover: async () => {
        others++;
        return { type: "retry" };
      },
    });
    expect(told.map(({ attempt, turn, failure }) => [attempt, turn, failure])).toEqual([
      [1, 2, network],
      [2, 2, network],
      [3, 2, network],
    ]);
    expect(told.map(({ reply }) => textOf(reply))).toEqual(["half", "half", "half"]);
    expect(others).toBe(0);
    expect(end).toEqual({ reason: "failed" });
    expect(added.at(-1)).toEqual(told[2]!.reply);
  });

  test("without a reason is a breach of protocol", async () => {
    const kinds: string[] = [];
    const { call } = scripted([failing]);
    await run([], {
      hooks: hooksWith({
        failure: ({ failure }) => void kinds.push(`${failure.kind}: ${failure.message}`),
      }),
      callModel: (request, options) => {
        const stream = new ReplyStream();
        void (async () => {
          for await (const event of call(request, options)) {
            if (event.type !== "error") stream.push(event);
            else stream.push({ ...event, message: { ...event.message, error: undefined } });
          }
        })();
        return stream;
      },
    });
    expect(kinds).toEqual(["protocol: The reply failed without a reason."]);
  });

  test("that was given up leaves the conversation long", async () => {
    let compactions = 0;
    const { end } = await run([failing], {
      recover: async () => ({ type: "give_up" }),
      compact: async () => {
        compactions++;
        return short;
      },
    });
    expect(end).toEqual({ reason: "failed" });
    expect(compactions).toBe(0);
  });
});

describe("a conversation that does not fit", () => {
  const compacting = hooksWith({ failure: () => ({ type: "compact" }) });

  test("is made shorter, and the failed reply does not count", async () => {
    const log = new MemoryLog();
    const wishes: CompactionWish[] = [];
    const { added, events, requests } = await run([overflowing, { text: "ok" }], {
      prompt: [userText("hi", 0)],
      hooks: compacting,
      record: log.record,
      compact: async (wish) => {
        wishes.push(wish);
        return short;
      },
    });
    expect(wishes).toMatchObject([{ reason: "overflow", messages: [userText("hi", 0)] }]);
    expect(requests[1]!.messages).toEqual(short);
    expect(discardedIn(events)).toEqual(["half"]);
    expect(log.items.map(({ type }) => type)).toEqual(["message", "discarded", "message"]);
    expect(added.map(textOf)).toEqual(["hi", "ok"]);
  });

  test("and cannot be made shorter ends the run with the failed reply", async () => {
    const { end, added, events } = await run([overflowing], {
      hooks: compacting,
      compact: async () => undefined,
    });
    expect(end).toEqual({ reason: "failed" });
    expect(added.map(textOf)).toEqual(["half"]);
    expect(discardedIn(events)).toEqual([]);
  });

  test("and cannot be made shorter is put to whoever knows another way, who may give the reason", async () => {
    const told: boolean[] = [];
    const because = modelFailure("context_overflow", "the prompt is too long");
    const { end, added, requests } = await run([overflowing, overflowing], {
      hooks: hooksWith({
        failure: ({ mayCompact, attempt }) => {
          told.push(mayCompact);
          if (mayCompact) return { type: "compact" };
          return attempt === 1 ? { type: "retry" } : { type: "give_up", because };
        },
      }),
      compact: async () => undefined,
    });
    expect(told).toEqual([true, false, false]);
    expect(requests).toHaveLength(2);
    expect(end).toEqual({ reason: "failed" });
    expect(added.at(-1)).toMatchObject({ error: because });
  });

  test("and a user who has had enough is not compacted", async () => {
    const abort = new AbortController();
    let compactions = 0;
    const { end } = await run([overflowing], {
      signal: abort.signal,
      hooks: hooksWith({
        failure: () => {
          abort.abort();
          return { type: "compact" };
        },
      }),
      compact: async () => {
        compactions++;
        return short;
      },
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(compactions).toBe(0);
  });
});

test("a compaction that the user stops leaves the failed reply where it is", async () => {
  const abort = new AbortController();
  const { end, added, events } = await run([overflowing], {
    signal: abort.signal,
    hooks: hooksWith({ failure: () => ({ type: "compact" }) }),
    compact: async ({ signal }) => {
      abort.abort();
      signal.throwIfAborted();
      return short;
    },
  });
  expect(end).toEqual({ reason: "aborted" });
  expect(added.map(textOf)).toEqual(["half"]);
  expect(discardedIn(events)).toEqual([]);
});

describe("a reply that stopped at a length", () => {
  test("and was cut by a full window is asked for again in a shorter conversation, once", async () => {
    const log = new MemoryLog();
    const reasons: string[] = [];
    const { end, added, events, requests } = await run([cut, cut], {
      prompt: [userText("hi", 0)],
      record: log.record,
      isCutByWindow: async () => true,
      compact: async ({ reason }) => {
        reasons.push(reason);
        return short;
      },
    });
    expect(reasons).toEqual(["incomplete"]);
    expect(requests[1]!.messages).toEqual(short);
    expect(discardedIn(events)).toEqual(["cut"]);
    expect(log.items.map(({ type }) => type)).toEqual(["message", "discarded", "message"]);
    expect(added.map(textOf)).toEqual(["hi", "cut"]);
    expect(end).toEqual({ reason: "done" });
  });

  test("of its own, or where nothing got shorter, stands", async () => {
    let compactions = 0;
    const compact = async (): Promise<undefined> => void compactions++;
    for (const isCutByWindow of [async () => false, () => false, undefined]) {
      const { added } = await run([cut], { isCutByWindow, compact });
      expect(added.map(textOf)).toEqual(["cut"]);
    }
    expect(compactions).toBe(0);
    const { added, events } = await run([cut], { isCutByWindow: () => true, compact });
    expect(compactions).toBe(1);
    expect(added.map(textOf)).toEqual(["cut"]);
    expect(discardedIn(events)).toEqual([]);
  });

  test("is the only one that is looked at, and only while somebody waits for it", async () => {
    let looks = 0;
    const isCutByWindow = (): boolean => {
      looks++;
      return true;
    };
    const compact = async () => short;
    await run([{ text: "whole" }], { isCutByWindow, compact });
    const abort = new AbortController();
    const { end } = await run([cut], {
      isCutByWindow,
      compact,
      signal: abort.signal,
      emit: ({ type }) => type === "message_update" && abort.abort(),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(looks).toBe(0);
  });
});

test("a turn is compacted once, whether it was cut or did not fit", async () => {
  for (const replies of [
    [overflowing, cut],
    [cut, overflowing],
  ]) {
    let compactions = 0;
    const { requests } = await run(replies, {
      hooks: hooksWith({ failure: () => ({ type: "compact" }) }),
      isCutByWindow: () => true,
      compact: async () => {
        compactions++;
        return short;
      },
    });
    expect([requests.length, compactions]).toEqual([2, 1]);
  }
});

test("a reply that counts ends the retries, also where a behaviour stopped it", async () => {
  const { events } = await run([failing, { text: "bad" }], {
    hooks: hooksWith({
      failure: () => ({ type: "retry", afterMs: 1 }),
      stream: ({ event }) =>
        event.type === "text_end" && event.block.text === "bad"
          ? { type: "stop", reason: "bad", partial: "discard", next: "end_run" }
          : undefined,
    }),
  });
  expect(retriesIn(events).at(-1)).toEqual({ type: "auto_retry_end", success: true, attempts: 1 });
});

describe("nothing is asked", () => {
  test("after a hook has taken so long that the user stopped it", async () => {
    const abort = new AbortController();
    const { end, requests } = await run([{}], {
      signal: abort.signal,
      budget: new Budget({ requests: 9 }),
      hooks: hooksWith({ context: () => abort.abort() }),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(requests).toHaveLength(0);
  });

  test("that the budget does not allow, retries included", async () => {
    const { end, requests, events } = await run([failing], {
      budget: new Budget({ requests: 1 }),
      recover: async () => ({ type: "retry", afterMs: 1 }),
    });
    expect(end).toEqual({ reason: "limit", kind: "requests", limit: "1 model calls" });
    expect(requests).toHaveLength(1);
    expect(retriesIn(events).at(-1)).toEqual({
      type: "auto_retry_end",
      success: false,
      attempts: 1,
    });
  });

  test("after a discarded reply could not be written down", async () => {
    const { call, requests } = scripted([failing, { text: "never" }], "at_once");
    const refusing = run([], {
      callModel: call,
      prompt: [userText("hi", 0)],
      recover: async () => ({ type: "retry" }),
      record: async ([item]) => {
        if (item?.type === "discarded") throw new Error("disk full");
      },
    });
    expect(await refusing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toHaveLength(1);
  });

  test("after a reply that was too long could not be written down", async () => {
    for (const first of [overflowing, cut]) {
      const { call, requests } = scripted([first, { text: "never" }], "at_once");
      const refusing = run([], {
        callModel: call,
        prompt: [userText("hi", 0)],
        hooks: hooksWith({ failure: () => ({ type: "compact" }) }),
        isCutByWindow: () => true,
        compact: async () => short,
        record: async ([item]) => {
          if (item?.type === "discarded") throw new Error("disk full");
        },
      });
      expect(await refusing.catch((error: Error) => error.message)).toBe("disk full");
      expect(requests).toHaveLength(1);
    }
  });
});

test("context and request handlers know the turn", async () => {
  const turns: string[] = [];
  const hooks = hooksWith({
    context: ({ turn }) => void turns.push(`context ${turn}`),
    request: ({ turn }) => void turns.push(`request ${turn}`),
  });
  await run([{ toolCalls: [echo("a")] }, {}], { hooks });
  expect(turns).toEqual(["context 1", "request 1", "context 2", "request 2"]);
});

test("mail that waited when the model was asked lets the first call of its reply happen", async () => {
  const mailbox = new Mailbox();
  for (const text of ["one", "two"]) void mailbox.post(userText(text, 0), { delivery: "steer" });
  const tools = new ToolTable([wordTool("echo", "exclusive", async (word) => word)]);
  const { added } = await run([{ toolCalls: [echo("a"), echo("b")] }, {}], { mailbox, tools });
  const skipped = expect.stringContaining("a new message came in first");
  expect(added.map(textOf)).toEqual(["one", "", "a", skipped, "two", ""]);
});
