import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/ai/message";
import fc from "fast-check";
import { HookCalls } from "./hook-calls.ts";
import { EXTENSION_ORDER, Hooks, type HookHandlers, type HookOwner } from "./hooks.ts";
import { echo, run } from "./test/scripted-run.ts";

const extension = (name: string): HookOwner => ({ kind: "extension", name });

function hooksWith(handlers: HookHandlers): Hooks {
  const hooks = new Hooks();
  hooks.register(extension("clumsy"), handlers);
  return hooks;
}

test("built-in behaviours come first by their order, then extensions as loaded", async () => {
  const owner = fc.oneof(
    fc.record({ kind: fc.constant("behaviour" as const), order: fc.nat(3) }),
    fc.record({ kind: fc.constant("extension" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(owner, { maxLength: 8 }), async (owners) => {
      const hooks = new Hooks();
      const members = owners.map((one, at) => hooks.join({ ...one, name: `${at}` } as HookOwner));
      // The order of registering does not matter, only that of joining.
      for (const [at, member] of [...members.entries()].toReversed()) {
        member.on("context", ({ messages }) => [...messages, userText(`${at}`, 0)]);
      }
      const calls = new HookCalls(hooks, { signal: new AbortController().signal, emit: () => {} });
      const order = (await calls.context([], 1)).map(textOf).map(Number);
      const rank = (at: number): number => {
        const one = owners[at]!;
        return one.kind === "behaviour" ? one.order : Number.MAX_SAFE_INTEGER;
      };
      expect(order).toEqual(owners.map((_, at) => at).sort((a, b) => rank(a) - rank(b) || a - b));
    }),
  );
});

test("a behaviour may stand behind the extensions at one point; an extension stands where all do", async () => {
  const hooks = new Hooks();
  const seen: string[] = [];
  const handler = (name: string) => () => void seen.push(name);
  hooks.register(
    { kind: "behaviour", name: "guard", order: -100 },
    {
      input: handler("guard"),
      turn_end: { order: EXTENSION_ORDER + 1, handle: handler("guard") },
    },
  );
  hooks.register(extension("pushy"), {
    input: { order: -1000, handle: handler("pushy") },
    turn_end: { order: EXTENSION_ORDER + 2, handle: handler("pushy") },
  });
  const calls = new HookCalls(hooks, { signal: new AbortController().signal, emit: () => {} });
  await calls.input(userText("x", 0), "test");
  await run([{}], { hooks });
  expect(seen).toEqual(["guard", "pushy", "pushy", "guard"]);
});

test("whoever is disposed of is not called any more", async () => {
  const hooks = new Hooks();
  const member = hooks.join(extension("e"));
  let calls = 0;
  const dispose = member.on("turn_end", () => void calls++);
  await run([{}], { hooks });
  dispose();
  await run([{}], { hooks });
  expect(calls).toBe(1);
  expect(hooks.has("turn_end")).toBe(false);
});

test("one handler may go and the others stay; leaving takes them all", () => {
  const hooks = new Hooks();
  const member = hooks.join(extension("e"));
  const other = hooks.join(extension("other"));
  const dispose = member.on("idle", () => {});
  member.on("idle", () => {});
  member.on("reply", () => {});
  other.on("idle", () => {});
  dispose();
  dispose();
  expect(hooks.at("idle").map(({ owner }) => owner.name)).toEqual(["e", "other"]);
  member.leave();
  expect(hooks.at("idle").map(({ owner }) => owner.name)).toEqual(["other"]);
  expect(hooks.has("reply")).toBe(false);
  member.leave();
});

test("handlers of one owner keep the order in which they came", async () => {
  const hooks = new Hooks();
  const seen: number[] = [];
  const member = hooks.join({ kind: "behaviour", name: "b", order: 1 });
  for (const at of [1, 2, 3]) member.on("idle", () => void seen.push(at));
  await run([{}], { hooks });
  expect(seen).toEqual([1, 2, 3]);
});

test("input handlers chain, and one may take it for itself", async () => {
  const hooks = new Hooks();
  hooks.register(extension("loud"), {
    input: ({ message }) => ({ type: "transform", message: userText(`${textOf(message)}!`, 0) }),
  });
  hooks.register(extension("command"), {
    input: ({ message }) => (textOf(message).startsWith("/") ? { type: "consume" } : undefined),
  });
  const calls = new HookCalls(hooks, { signal: new AbortController().signal, emit: () => {} });
  expect(textOf((await calls.input(userText("hi", 0), "user"))!)).toBe("hi!");
  expect(await calls.input(userText("/help", 0), "user")).toBeUndefined();
});

test("a handler that throws is named and passed over", async () => {
  const broken = (): never => {
    throw new Error("oops");
  };
  const hooks = hooksWith({
    run_start: broken,
    context: async () => broken(),
    request: broken,
    stream: broken,
    reply: broken,
    tool_result: broken,
    turn_end: broken,
    idle: broken,
  });
  const { end, events } = await run([{ text: "a", toolCalls: [echo("x")] }, {}], { hooks });
  expect(end).toEqual({ reason: "done" });
  const errors = events.filter((event) => event.type === "hook_error");
  expect(new Set(errors.map((event) => event.hook)).size).toBe(8);
  expect(errors.every((event) => event.behaviour === "clumsy")).toBe(true);
});

test("a handler that hangs ends with the abort", async () => {
  const abort = new AbortController();
  const hooks = hooksWith({
    turn_end: () => {
      abort.abort();
      return new Promise(() => {});
    },
  });
  const { end, events } = await run([{}], { hooks, signal: abort.signal });
  expect(end).toEqual({ reason: "aborted" });
  expect(events.some((event) => event.type === "hook_error")).toBe(true);
});

test("the first who cancels a session's step decides", async () => {
  const hooks = new Hooks();
  hooks.register(extension("a"), {
    session_before_switch: () => ({ cancel: true, reason: "busy" }),
  });
  hooks.register(extension("b"), {
    session_before_switch: () => ({ cancel: true, reason: "late" }),
  });
  const calls = new HookCalls(hooks, { signal: new AbortController().signal, emit: () => {} });
  expect(
    await calls.session("session_before_switch", { from: "x", to: "y", reason: "resume" }),
  ).toEqual([{ cancel: true, reason: "busy" }]);
});
