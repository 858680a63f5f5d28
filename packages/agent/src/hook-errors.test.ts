// The law of clumsy handlers: whoever throws, at whatever point, is told to whoever watches, by name,
// and the run goes on. The points come from the table of all of them.

import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText } from "@tau/ai/message";
import type { AgentEvent, HookErrorEvent } from "./event.ts";
import { HookCalls } from "./hook-calls.ts";
import { RUN_HOOK_NAMES, SESSION_HOOK_NAMES } from "./hook-names.ts";
import type { HookHandler, HookName, Told } from "./hook-points.ts";
import { Hooks } from "./hooks.ts";
import { echo, run } from "./test/scripted-run.ts";

const oops = new Error("oops");
/** At once, and after a while: extensions are mostly async. */
const WAYS: Record<string, () => unknown> = {
  throws: () => {
    throw oops;
  },
  rejects: async () => {
    await Promise.resolve();
    throw oops;
  },
};

function clumsyAt(name: HookName, way: () => unknown): Hooks {
  const hooks = new Hooks();
  hooks.register({ kind: "extension", name: "clumsy" }, { [name]: way as HookHandler<HookName> });
  return hooks;
}

/** Comes by every point of a run, failures included. */
async function runWith(hooks: Hooks) {
  const events: AgentEvent[] = [];
  const emit = (event: AgentEvent): void => void events.push(event);
  const { signal } = new AbortController();
  const input = await new HookCalls(hooks, { signal, emit }).input(userText("hi", 0), "user");
  const { end } = await run(
    [{ streamError: modelFailure("network", "gone") }, { toolCalls: [echo("a")] }, {}],
    { hooks, emit, prompt: [input!], recover: async () => ({ type: "retry" }) },
  );
  return { input, end, events };
}

const errorsIn = (events: readonly AgentEvent[]): HookErrorEvent[] =>
  events.filter((event) => event.type === "hook_error");

for (const [word, way] of Object.entries(WAYS)) {
  test.each([...RUN_HOOK_NAMES])(
    `a handler that ${word} at %s is told, and the run goes on`,
    async (hook) => {
      const { input, end, events } = await runWith(clumsyAt(hook, way));
      const [first, ...others] = errorsIn(events);
      const error: HookErrorEvent = { type: "hook_error", behaviour: "clumsy", hook, error: oops };
      expect(first).toEqual(error);
      for (const other of others) expect(other).toEqual(error);
      expect(textOf(input!)).toBe("hi");
      expect(end).toEqual({ reason: "done" });
    },
  );

  test.each([...SESSION_HOOK_NAMES])(
    `a handler that ${word} at %s is told, and has no say`,
    async (hook) => {
      const events: AgentEvent[] = [];
      const { signal } = new AbortController();
      const emit = (event: AgentEvent): void => void events.push(event);
      const calls = new HookCalls(clumsyAt(hook, way), { signal, emit });
      const told = {} as Told<typeof hook>;
      expect(await calls.session(hook, told)).toEqual([]);
      await calls.notify(hook, told);
      const error: HookErrorEvent = { type: "hook_error", behaviour: "clumsy", hook, error: oops };
      expect(events).toEqual([error, error]);
    },
  );
}

test("where nobody throws nobody is told of", async () => {
  const hooks = new Hooks();
  const heard = new Set<HookName>();
  for (const name of [...RUN_HOOK_NAMES, ...SESSION_HOOK_NAMES]) {
    hooks.register({ kind: "extension", name }, { [name]: () => void heard.add(name) });
  }
  const { events } = await runWith(hooks);
  expect(errorsIn(events)).toEqual([]);
  expect([...heard].toSorted()).toEqual([...RUN_HOOK_NAMES].toSorted());
});
