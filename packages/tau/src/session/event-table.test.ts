// Laws over the table of events: what is kept survives the log, and shows the same from there.

import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { modelFailure } from "@tau/ai/error";
import type { AssistantMessage } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import { BUILT_IN } from "../features/built-in.ts";
import { keeping } from "./event-row.ts";
import {
  eventRows,
  featureOf,
  keepEvent,
  registerEvents,
  showEvent,
  tryToKeep,
} from "./event-table.ts";
import type { SessionEvent } from "./session-event.ts";

for (const { events } of BUILT_IN) if (events) registerEvents(events);
const KEPT = eventRows().flatMap(([type, row]) => (row.kept ? [type] : []));

const message: AssistantMessage = {
  role: "assistant",
  content: [{ type: "text", text: "half an ans" }],
  provider: "p",
  model: "m",
  wire: "in-process",
  stopReason: "error",
  usage: emptyUsage(),
  timestamp: 0,
};

const own = {
  id: "r",
  sign: "!",
  tool: "bash",
  arguments: { command: "ls" },
  isTold: true,
} as const;

/** One of each that is worth keeping; what it shows, in a few words. */
const SAMPLES: readonly [SessionEvent, unknown][] = [
  [{ type: "agent_end", end: { reason: "aborted" } }, { text: "Stopped." }],
  [
    { type: "agent_end", end: { reason: "limit", kind: "turns", limit: "3 model calls" } },
    { text: "Stopped at the limit of 3 model calls.", tone: "error" },
  ],
  [
    { type: "reply_broken_off", model: "p/m", said: [{ kind: "answer", text: "Half" }] },
    { kind: "answer", text: "Half", model: "p/m" },
  ],
  [
    { type: "reply_discarded", message },
    { text: "The answer was interrupted and is being retried." },
  ],
  [
    {
      type: "auto_retry_start",
      attempt: 1,
      action: "fallback",
      delayMs: 0,
      failure: modelFailure("overloaded", "too much", { provider: "p" }),
      model: "p/other",
    },
    { text: "p: too much; continuing with p/other", tone: "warning" },
  ],
  [
    { type: "auto_compaction_end", reason: "threshold", result: { dropped: "It failed." } },
    { text: "It failed.", tone: "warning" },
  ],
  [
    { type: "hook_error", behaviour: "ext", hook: "turn_end", error: new Error("broke") },
    { text: "ext failed at turn_end: Error: broke", tone: "error" },
  ],
  [
    {
      type: "approval_end",
      callId: "c",
      tool: "bash",
      subjects: ["rm x"],
      allowed: true,
      scope: "session",
      rules: ["allow bash(rm x)"],
    },
    { kind: "consent", callId: "c", about: "bash rm x", consent: { scope: "session" } },
  ],
  [
    { type: "approval_saved", rules: ["allow bash(rm x)"], file: "/c.yml", scope: "always" },
    { text: "Saved for this project in /c.yml: allow bash(rm x); /approval takes it back" },
  ],
  [
    { type: "ttsr_triggered", rules: [{ name: "no-any", path: "/r" }] },
    { text: "The reply broke a rule: no-any." },
  ],
  [
    { type: "todo_reminder", open: 2, attempt: 1, max: 3 },
    { text: "Reminded of what is open: 2 tasks." },
  ],
  [
    {
      type: "own_run_end",
      ...own,
      content: [{ type: "text", text: "a" }],
      isError: true,
      exitCode: 2,
      durationMs: 3,
    },
    { kind: "own_run", sign: "!", name: "bash", phase: "failed", exitCode: 2, durationMs: 3 },
  ],
  [
    { type: "hook_slow", behaviour: "sloth", hook: "tool_call", waitedMs: 2000 },
    { text: "Waiting for the extension sloth (tool_call); Esc stops.", tone: "warning" },
  ],
  [
    { type: "command_start", name: "todo", line: "/todo done it" },
    { kind: "command", line: "/todo done it" },
  ],
  [
    { type: "command_output", name: "todo", text: "there is no task", isError: true },
    { text: "there is no task", tone: "error" },
  ],
  [
    { type: "command_output", name: "todo", text: "The todo list is empty." },
    { text: "The todo list is empty." },
  ],
  [{ type: "hook_message", event: "Stop", text: "Saved." }, { text: "Stop: Saved." }],
  [
    { type: "prompt_rejected", reason: "no" },
    { text: "Your message was rejected: no", tone: "warning" },
  ],
  [
    { type: "hook_slow", behaviour: "ext", hook: "tool_call", waitedMs: 2000 },
    { text: "Waiting for the extension ext (tool_call); Esc stops.", tone: "warning" },
  ],
  [
    { type: "job_end", id: "7", label: "make", status: "failed", durationMs: 1500 },
    { text: "Job 7 failed after 1.5 s: make", tone: "warning" },
  ],
  [
    { type: "job_end", id: "8", label: "ls", status: "completed", durationMs: 100, output: "  a" },
    { text: "Job 8 completed after 0.1 s: ls\n  a", tone: "plain" },
  ],
  [
    { type: "checkpoint_reminder", attempt: 2, max: 3 },
    { text: "Reminded of the open checkpoint (2 of 3)." },
  ],
  [
    { type: "checkpoint_left", goal: "find it" },
    {
      text: 'The checkpoint "find it" is still open: the model did not report. Ask it to rewind, or go back with /tree.',
      tone: "warning",
    },
  ],
  [
    { type: "checkpoint_rewound", goal: "find it", messages: 4 },
    { text: 'Back at the checkpoint "find it"; /tree has the 4 messages since.' },
  ],
  [
    { type: "task_end", id: "Fox", kind: "task", end: "failed", durationMs: 1500, error: "no key" },
    { text: "Fox (task) failed after 1.5 s\n  no key", tone: "warning" },
  ],
  [
    { type: "goal_set", condition: "tests pass" },
    { text: "Goal: tests pass", tone: "plain" },
  ],
  [
    { type: "goal_judged", verdict: "not_yet", words: "two fail", round: 1, maxRounds: 5 },
    { text: "Goal not reached yet (1 of 5): two fail", tone: "plain" },
  ],
  [
    { type: "goal_end", condition: "tests pass", status: "spent", why: "5 rounds" },
    { text: "Goal given up: its budget is spent: tests pass\n  5 rounds", tone: "warning" },
  ],
  [
    { type: "plan_mode_changed", isOn: false },
    { text: "Plan mode is off.", tone: "plain" },
  ],
  [
    { type: "plan_submitted", title: "Change", plan: "1. …", path: "/p/plan.md" },
    { text: "The plan is in /p/plan.md; what you change there counts.", tone: "plain" },
  ],
  [
    { type: "plan_decided", decision: "rejected", title: "Change", words: "smaller" },
    { text: "Plan sent back: Change\n  smaller", tone: "plain" },
  ],
];

test("every kind of event that is kept is among the samples", () => {
  const sampled = new Set(SAMPLES.map(([{ type }]) => type as string));
  expect([...sampled].toSorted()).toEqual(KEPT.toSorted());
});

test.each(SAMPLES.map(([event, shown]) => [event.type, event, shown] as const))(
  "%s: what the log keeps shows what was seen",
  (_type, event, shown) => {
    const kept = keepEvent(event)!;
    const read = JSON.parse(JSON.stringify(kept));
    expect(showEvent(read)).toEqual(showEvent(kept));
    // What it does to a call that is over is no block of its own.
    const blocks = showEvent(kept).filter(({ kind }) => kind !== "later");
    expect(blocks).toMatchObject([shown as object]);
  },
);

test("what nobody saw is not kept", () => {
  expect(keepEvent({ type: "agent_end", end: { reason: "done" } })).toBeUndefined();
  const blank = { ...message, content: [{ type: "text" as const, text: "\n" }] };
  expect(keepEvent({ type: "reply_discarded", message: blank })).toBeUndefined();
  const asked = { type: "auto_compaction_end", reason: "manual", result: { dropped: "x" } };
  expect(keepEvent(asked)).toBeUndefined();
  expect(keepEvent({ type: "turn_start", turn: 1 })).toBeUndefined();
  expect(showEvent({ type: "of_a_newer_tau", text: "?" })).toEqual([]);
});

test("whatever another version wrote, showing it is harmless", () => {
  const type = fc.constantFrom(...KEPT);
  const names = SAMPLES.flatMap(([event]) => Object.keys(keepEvent(event)!));
  const fields = fc.constantFrom(...new Set([...names, "text", "tone"]));
  fc.assert(
    fc.property(type, fc.dictionary(fields, fc.jsonValue()), (name, payload) => {
      for (const part of showEvent({ ...payload, type: name })) {
        if (part.kind === "note") expect(part.text).toBeString();
        if (part.kind === "own_run") expect(part.result!.content).toBeArray();
      }
    }),
  );
});

describe("events of features", () => {
  let remove = (): void => {};
  afterEach(() => remove());

  test("are documented, kept and shown by the row that they register", () => {
    const event = { type: "weather", words: "rain" };
    expect(keepEvent(event)).toBeUndefined();
    remove = registerEvents({
      weather: {
        docs: "what it is like outside",
        kept: keeping(
          ({ words }: typeof event) => ({ words }),
          ({ words }) => [{ kind: "note", tone: "plain", text: words }],
        ),
      },
    });
    expect(showEvent(keepEvent(event)!)).toEqual([{ kind: "note", tone: "plain", text: "rain" }]);
    expect(eventRows().at(-1)![1].docs).toBe("what it is like outside");
    remove();
    expect(keepEvent(event)).toBeUndefined();
  });

  test.each([
    [() => ({ text: 1n })],
    [
      () => {
        throw new Error("oops");
      },
    ],
  ])("that cannot be kept are not, and it is known whose they are", (keep) => {
    const row = { docs: "x", kept: keeping(keep, () => []) };
    remove = registerEvents({ weather: row }, "outdoors");
    expect(keepEvent({ type: "weather" })).toBeUndefined();
    expect(tryToKeep({ type: "weather" }).failure).toBeInstanceOf(Error);
    expect(featureOf("weather")).toBe("outdoors");
    remove();
    expect(featureOf("weather")).toBeUndefined();
  });

  test.each([[oops], [() => [null]], [() => "words"]])(
    "that their row cannot show are a plain line",
    (show) => {
      const row = { docs: "x", kept: keeping(() => ({}), show as never) };
      remove = registerEvents({ rainy_weather: row });
      const note = { kind: "note", tone: "plain", text: "rainy weather" } as const;
      expect(showEvent({ type: "rainy_weather" })).toEqual([note]);
    },
  );
});

function oops(): never {
  throw new RangeError("oops");
}
