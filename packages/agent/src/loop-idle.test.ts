// What happens when a run has nothing more to do, goes round in circles, or breaks.

import { describe, expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import type { AgentEvent } from "./event.ts";
import { Hooks, type HookHandlers } from "./hooks.ts";
import { Mailbox } from "./mailbox.ts";
import { echo, MemoryLog, run, wordTool } from "./test/scripted-run.ts";
import { ToolTable } from "./tool-table.ts";

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register({ kind: "behaviour", name: "b", order: 1 }, handlers);
  return hooks;
}

describe("idle", () => {
  test("is told the whole conversation, when nothing is left to follow", async () => {
    const mailbox = new Mailbox();
    void mailbox.post(userText("after", 0), { delivery: "followUp" });
    const told: string[][] = [];
    await run([{ text: "a" }, { text: "b" }], {
      mailbox,
      prompt: [userText("hi", 0)],
      hooks: hooksWith({ idle: ({ messages }) => void told.push(messages.map(textOf)) }),
    });
    expect(told).toEqual([["hi", "a", "after", "b"]]);
  });

  test("an abort in it ends the run as aborted, and mail waits for the next", async () => {
    const abort = new AbortController();
    const mailbox = new Mailbox();
    const { end } = await run([{ text: "a" }], {
      mailbox,
      signal: abort.signal,
      hooks: hooksWith({
        idle: async () => {
          await mailbox.post(userText("more", 0), { delivery: "steer" });
          abort.abort();
        },
      }),
    });
    expect(end).toEqual({ reason: "aborted" });
    expect(mailbox.queued()).toHaveLength(1);
  });

  test("what it puts into the mailbox is written down before the model is asked", async () => {
    for (const delivery of ["steer", "followUp"] as const) {
      const mailbox = new Mailbox();
      const log = new MemoryLog(() => Bun.sleep(2));
      let times = 0;
      const { requests } = await run([{ text: "a" }, { text: "b" }], {
        mailbox,
        record: log.record,
        prompt: [userText("hi", 0)],
        hooks: hooksWith({
          idle: () => {
            if (times++ === 0) void mailbox.post(userText("more", 0), { delivery });
          },
        }),
      });
      expect(requests[1]!.messages.map(textOf)).toEqual(["hi", "a", "more"]);
    }
  });

  test("keeps the run going with what it steers, before what is to follow", async () => {
    const mailbox = new Mailbox();
    let times = 0;
    const { added } = await run([{ text: "a" }, { text: "b" }, { text: "c" }], {
      mailbox,
      hooks: hooksWith({
        idle: () => {
          if (times++ > 0) return;
          void mailbox.post(userText("follow", 0), { delivery: "followUp" });
          void mailbox.post(userText("steer", 0), { delivery: "steer" });
        },
      }),
    });
    expect(added.map(textOf)).toEqual(["a", "steer", "b", "follow", "c"]);
  });
});

describe("a circle", () => {
  const circling = (sender: string) => {
    const mailbox = new Mailbox();
    let times = 0;
    const tools = new ToolTable([
      wordTool("echo", "shared", async () => {
        // In the very turn that would be the last.
        if (++times === 6) void mailbox.post(userText("go on", 0), { delivery: "steer", sender });
        return "same";
      }),
    ]);
    const replies = Array.from({ length: 20 }, () => ({ toolCalls: [echo("a")] }));
    return run(replies, { tools, mailbox });
  };

  test("goes on where the user has just had a say", async () => {
    expect((await circling("user")).requests).toHaveLength(12);
  });

  test("ends though a program has something to say", async () => {
    const { requests, added } = await circling("job");
    expect(requests).toHaveLength(6);
    expect(textOf(added.at(-1)!)).toBe("go on");
  });

  test("is nobody's business where repeats are off", async () => {
    const replies = Array.from({ length: 8 }, () => ({ toolCalls: [echo("a")] }));
    const { end } = await run([...replies, {}], { repeats: "off" });
    expect(end).toEqual({ reason: "done" });
  });

  test("is told and ended after as many rounds as the limits say", async () => {
    const replies = Array.from({ length: 8 }, () => ({ toolCalls: [echo("a")] }));
    const { end, requests, added } = await run(replies, {
      repeats: { warnAfter: 2, stopAfter: 3 },
    });
    expect(end).toMatchObject({ kind: "repeat" });
    expect(requests).toHaveLength(3);
    const results = added.filter(({ role }) => role === "toolResult").map(textOf);
    expect(results[0]).toBe("<a>");
    expect(results[1]).toStartWith("<a>");
    expect(results[1]).toContain("the same result 2 times in a row");
  });
});

test("whatever broke, the end is told before the run rejects", async () => {
  const events: AgentEvent[] = [];
  const failing = run([], {
    callModel: () => {
      throw new TypeError("a bug");
    },
    emit: (event) => events.push(event),
  });
  expect(await failing.catch((error: Error) => error.message)).toBe("a bug");
  expect(events.at(-1)).toEqual({ type: "agent_end", end: { reason: "failed" } });
});

test("a run leaves no listener on its signal", async () => {
  const { signal } = new AbortController();
  let listening = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listening++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listening--;
    remove(...args);
  };
  const failing = { streamError: { kind: "network", message: "gone", retryable: true } as const };
  const { end } = await run([failing, { toolCalls: [echo("a"), echo("b")] }, {}], {
    signal,
    hooks: hooksWith({
      tool_call: async () => ({ type: "ask", reason: "so" }),
      turn_end: async () => undefined,
      reply: async () => {
        throw new Error("oops");
      },
    }),
    ask: async () => ({ allowed: true }),
    recover: async () => ({ type: "retry", afterMs: 1 }),
  });
  expect(end).toEqual({ reason: "done" });
  expect(listening).toBe(0);
});
