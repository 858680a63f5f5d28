// How a run begins, goes on after a turn, and ends: what is recorded, claimed and told in between.

import { describe, expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText } from "@tau/ai/message";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ScriptedReply } from "@tau/testkit/script";
import { Budget } from "./budget.ts";
import type { Told } from "./hook-points.ts";
import { Hooks, type HookHandlers } from "./hooks.ts";
import type { LoopOptions } from "./loop.ts";
import { Mailbox } from "./mailbox.ts";
import { echo, MemoryLog, model, run, scripted, wordTool } from "./test/scripted-run.ts";
import { ABORTED_TEXT, ToolTable } from "./tool-table.ts";

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register({ kind: "behaviour", name: "b", order: 1 }, handlers);
  return hooks;
}

describe("a run that was stopped before it began", () => {
  test("records its prompt, leaves the mail, and asks and tells nobody", async () => {
    const abort = new AbortController();
    abort.abort();
    const log = new MemoryLog();
    const mailbox = new Mailbox();
    void mailbox.post(userText("steer", 0), { delivery: "steer" });
    void mailbox.post(userText("later", 0), { delivery: "nextTurn" });
    let starts = 0;
    const { end, requests, events } = await run([], {
      prompt: [userText("hi", 0)],
      signal: abort.signal,
      record: log.record,
      mailbox,
      hooks: hooksWith({ run_start: () => void starts++ }),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(log.conversation.map(textOf)).toEqual(["hi"]);
    expect(mailbox.queued()).toHaveLength(2);
    expect([requests.length, starts]).toEqual([0, 0]);
    expect(events.some(({ type }) => type === "turn_start")).toBe(false);
  });
});

describe("a run that only mail called for", () => {
  test("begins with what steers, or else with what was to follow", async () => {
    const mailbox = new Mailbox();
    for (const delivery of ["nextTurn", "followUp", "steer"] as const) {
      void mailbox.post(userText(delivery, 0), { delivery });
    }
    const first = await run([{ text: "a" }, { text: "b" }], { mailbox, messages: [] });
    expect(first.added.map(textOf)).toEqual(["steer", "a", "followUp", "b"]);
    expect(mailbox.queued().map(({ delivery }) => delivery)).toEqual(["nextTurn"]);
    void mailbox.post(userText("only", 0), { delivery: "followUp" });
    const second = await run([{ text: "c" }], { mailbox, messages: [] });
    expect(second.added.map(textOf)).toEqual(["only", "c"]);
  });

  test("with a prompt leaves what was to follow for later", async () => {
    const mailbox = new Mailbox();
    void mailbox.post(userText("after", 0), { delivery: "followUp" });
    const { requests } = await run([{}, {}], { mailbox, prompt: [userText("hi", 0)] });
    expect(requests[0]!.messages.map(textOf)).toEqual(["hi"]);
    expect(requests[1]!.messages.map(textOf)).toEqual(["hi", "", "after"]);
  });
});

describe("run_start", () => {
  test("is told the conversation with its prompt, and the frame", async () => {
    const told: Told<"run_start">[] = [];
    const { requests } = await run([{}], {
      messages: [userText("before", 0)],
      prompt: [userText("hi", 0)],
      hooks: hooksWith({ run_start: (start) => void told.push(structuredClone(start)) }),
    });
    expect(told.map(({ messages }) => messages.map(textOf))).toEqual([["before", "hi"]]);
    expect(told[0]!.request).toEqual({ model, system: ["be brief"], stream: true });
    expect(requests[0]).toMatchObject({ model, system: ["be brief"] });
  });

  test("adds up: messages of all, the last word on each option, another way to the model", async () => {
    const log = new MemoryLog();
    const other = scripted([{ toolCalls: [echo("a")] }, {}]);
    const hooks = hooksWith({
      run_start: () => ({
        messages: [userText("one", 0)],
        request: { maxOutput: 1, temperature: 0.5 },
        callModel: other.call,
      }),
    });
    const seen: unknown[] = [];
    hooks.register(
      { kind: "extension", name: "later" },
      {
        run_start: ({ request }) => {
          seen.push(request.maxOutput);
          return { messages: [userText("two", 0)], request: { maxOutput: 2 } };
        },
      },
    );
    const { requests } = await run([], { prompt: [userText("hi", 0)], record: log.record, hooks });
    expect(requests).toHaveLength(0);
    expect(other.requests).toMatchObject([
      { maxOutput: 2, temperature: 0.5, system: ["be brief"] },
      { maxOutput: 2, temperature: 0.5, system: ["be brief"] },
    ]);
    expect(seen).toEqual([1]);
    expect(log.conversation.slice(0, 3).map(textOf)).toEqual(["hi", "one", "two"]);
  });

  test("whose message cannot be written down ends the run before the model hears it", async () => {
    let writes = 0;
    let requests = 0;
    const failing = run([{}], {
      prompt: [userText("hi", 0)],
      hooks: hooksWith({ run_start: () => ({ messages: [userText("one", 0)] }) }),
      record: async () => {
        await Bun.sleep(1);
        if (++writes === 2) throw new Error("disk full");
      },
      emit: ({ type }) => {
        if (type === "message_start") requests++;
      },
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(0);
  });
});

test("a turn that a limit forbids is not begun", async () => {
  for (const limits of [{ maxTurns: 1 }, { budget: new Budget({ requests: 1 }) }]) {
    const { end, events } = await run([{ toolCalls: [echo("a")] }], limits);
    expect(end.reason).toBe("limit");
    expect(events.filter(({ type }) => type === "turn_start")).toHaveLength(1);
  }
});

describe("a reply that did not come whole", () => {
  const calling: ScriptedReply = { text: "so", toolCalls: [echo("a")] };
  /** As when the other end gives up: nobody here has stopped anything. */
  const givesUp = (): LoopOptions["callModel"] => {
    const { call } = scripted([calling]);
    return (request, options) => {
      const stream = new ReplyStream();
      void (async () => {
        const message = await call(request, options).result();
        const error = modelFailure("aborted", "gave up");
        const reason = "aborted" as const;
        stream.push({
          type: "error",
          reason,
          error,
          message: { ...message, stopReason: reason, error },
        });
      })();
      return stream;
    };
  };

  test("because the call was aborted ends the run as aborted; its calls are answered so", async () => {
    const { end, added, events } = await run([], { callModel: givesUp() });
    expect(end).toEqual({ reason: "aborted" });
    expect(added.map(textOf)).toEqual(["so", ABORTED_TEXT]);
    expect(events.some(({ type }) => type === "tool_execution_start")).toBe(false);
  });

  test("or came whole just when the user stopped it, is kept, and its calls are not run", async () => {
    const abort = new AbortController();
    let replies = 0;
    const { end, added, events } = await run([calling], {
      signal: abort.signal,
      hooks: hooksWith({
        reply: () => void replies++,
        stream: ({ event }) => {
          if (event.type === "done") abort.abort();
        },
      }),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(added.map(textOf)).toEqual(["so", ABORTED_TEXT]);
    expect(added[0]).toMatchObject({ stopReason: "toolUse" });
    expect(replies).toBe(0);
    expect(events.filter(({ type }) => type === "turn_end")).toHaveLength(1);
  });

  test("and cannot be written down is told as any failure of the disk", async () => {
    const failing = run([{ text: "half", streamError: modelFailure("network", "gone") }], {
      prompt: [userText("hi", 0)],
      record: async ([item]) => {
        await Bun.sleep(1);
        if (item && "message" in item && item.message.role === "assistant") {
          throw new Error("disk full");
        }
      },
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
  });
});

test("a handler that takes its time with a reply is waited for before its tools run", async () => {
  const order: string[] = [];
  const tools = new ToolTable([
    wordTool("echo", "shared", async (word) => {
      order.push("tool");
      return word;
    }),
  ]);
  const reply = async (): Promise<void> => {
    await Bun.sleep(2);
    order.push("handler");
  };
  await run([{ toolCalls: [echo("a")] }, {}], { tools, hooks: hooksWith({ reply }) });
  expect(order).toEqual(["handler", "tool", "handler"]);
});

test("a reply is told to handlers once it is part of the conversation", async () => {
  const told: [string, number, number][] = [];
  const log = new MemoryLog();
  await run([{ text: "a", toolCalls: [echo("x")] }, { text: "b" }], {
    prompt: [userText("hi", 0)],
    record: log.record,
    hooks: hooksWith({
      reply: async ({ message, turn }) => {
        await Promise.resolve();
        told.push([textOf(message), turn, log.conversation.length]);
      },
    }),
  });
  expect(told).toEqual([
    ["a", 1, 2],
    ["b", 2, 4],
  ]);
});

describe("turn_end", () => {
  test("is told the turn with its results, and the conversation as it is then", async () => {
    const told: Told<"turn_end">[] = [];
    const { added } = await run([{ toolCalls: [echo("a")] }, { text: "b" }], {
      hooks: hooksWith({
        turn_end: (turn) => void told.push({ ...turn, messages: [...turn.messages] }),
      }),
    });
    expect(told.map(({ turn, message }) => [turn, message])).toEqual([
      [1, added[0]],
      [2, added[2]],
    ] as never);
    expect(told[0]!.results).toEqual([added[1]] as never);
    expect(told.map(({ messages }) => messages.length)).toEqual([3, 4]);
  });

  test("a stop outweighs what others want; the first of several counts", async () => {
    const hooks = new Hooks();
    let compactions = 0;
    for (const [name, answer] of [
      ["todo", { type: "continue", messages: [userText("not yet", 0)] }],
      ["full", { type: "compact", reason: "full" }],
      ["guard", { type: "stop", reason: "enough" }],
      ["late", { type: "stop", reason: "too late" }],
    ] as const) {
      hooks.register({ kind: "extension", name }, { turn_end: () => answer });
    }
    const { end, added } = await run([{ text: "a" }], {
      hooks,
      compact: async () => {
        compactions++;
        return [];
      },
    });
    expect(end).toEqual({ reason: "limit", kind: "behaviour", limit: "guard (enough)" });
    expect(added.map(textOf)).toEqual(["a"]);
    expect(compactions).toBe(0);
  });

  test("messages of all are put to the model, and the first wish to compact is heard", async () => {
    const hooks = new Hooks();
    const reasons: string[] = [];
    for (const name of ["one", "two"]) {
      hooks.register(
        { kind: "extension", name },
        {
          turn_end: ({ turn }) =>
            turn === 1 ? { type: "continue", messages: [userText(name, 0)] } : undefined,
        },
      );
      hooks.register(
        { kind: "extension", name: `${name} too` },
        { turn_end: ({ turn }) => (turn === 1 ? { type: "compact", reason: name } : undefined) },
      );
    }
    const { requests } = await run([{ text: "a" }, { text: "b" }], {
      hooks,
      compact: async ({ reason, messages }) => {
        reasons.push(reason);
        return [...messages].slice(-2);
      },
    });
    expect(reasons).toEqual(["one"]);
    expect(requests[1]!.messages.map(textOf)).toEqual(["one", "two"]);
  });

  test("a compaction alone does not keep a run going that is done", async () => {
    const { end, requests } = await run([{ text: "a" }], {
      hooks: hooksWith({ turn_end: () => ({ type: "compact", reason: "full" }) }),
      compact: async () => [userText("short", 0)],
    });
    expect([end.reason, requests.length]).toEqual(["done", 1]);
  });

  test("an abort by then ends the run, and nobody's wishes count any more", async () => {
    const abort = new AbortController();
    let compactions = 0;
    let idles = 0;
    const mailbox = new Mailbox();
    const { end, added } = await run([{ toolCalls: [echo("a")] }], {
      signal: abort.signal,
      mailbox,
      hooks: hooksWith({
        turn_end: () => {
          void mailbox.post(userText("steer", 0), { delivery: "steer" });
          abort.abort();
          return { type: "continue", messages: [userText("more", 0)] };
        },
        idle: () => void idles++,
      }),
      compact: async () => void compactions++,
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(added.map(textOf)).toEqual(["", "<a>"]);
    expect(mailbox.queued()).toHaveLength(1);
    expect([compactions, idles]).toEqual([0, 0]);
  });

  test("an abort while it is compacted ends the run, and mail waits for the next", async () => {
    const abort = new AbortController();
    const mailbox = new Mailbox();
    const { end } = await run([{ toolCalls: [echo("a")] }], {
      signal: abort.signal,
      mailbox,
      hooks: hooksWith({ turn_end: () => ({ type: "compact", reason: "full" }) }),
      compact: async () => {
        void mailbox.post(userText("steer", 0), { delivery: "steer" });
        abort.abort();
        return [userText("short", 0)];
      },
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(mailbox.queued()).toHaveLength(1);
  });

  test("a compaction that breaks is a bug, and breaks the run", async () => {
    const failing = run([{ toolCalls: [echo("a")] }], {
      hooks: hooksWith({ turn_end: () => ({ type: "compact", reason: "full" }) }),
      compact: () => Promise.reject(new TypeError("a bug")),
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("a bug");
  });

  test("is not reached by a turn that was stopped in a tool", async () => {
    const abort = new AbortController();
    let told = 0;
    const { end } = await run([{ toolCalls: [echo("a")] }], {
      signal: abort.signal,
      tools: new ToolTable([
        wordTool("echo", "shared", async (word) => {
          abort.abort();
          return word;
        }),
      ]),
      hooks: hooksWith({ turn_end: () => void told++ }),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(told).toBe(0);
  });

  test("whose messages cannot be written down ends the run", async () => {
    let requests = 0;
    const failing = run([{ text: "a" }, {}], {
      prompt: [userText("hi", 0)],
      hooks: hooksWith({
        turn_end: () => ({ type: "continue", messages: [userText("more", 0)] }),
      }),
      record: async ([item]) => {
        await Bun.sleep(1);
        if (item && "message" in item && textOf(item.message) === "more") {
          throw new Error("disk full");
        }
      },
      emit: ({ type }) => {
        if (type === "message_start") requests++;
      },
    });
    expect(await failing.catch((error: Error) => error.message)).toBe("disk full");
    expect(requests).toBe(1);
  });
});
