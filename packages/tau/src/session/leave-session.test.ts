// Whoever fails or hangs while a session is left, the others leave too, and all of it is told by name.

import { expect, test } from "bun:test";
import { HookCalls } from "@tau/agent/hook-calls";
import { Hooks } from "@tau/agent/hooks";
import { TookTooLong } from "../base/within-limit.ts";
import { leaveSession } from "./leave-session.ts";
import type { SessionMember } from "./session-host.ts";

const member = (name: string, dispose: SessionMember["dispose"]): SessionMember => ({
  owner: { kind: "extension", name },
  dispose,
});
const never = () => new Promise<never>(() => {});
const oops = (what: string) => (): never => {
  throw new Error(what);
};

const closing = (order: string[]) => ({
  events: { flush: async () => void order.push("flush"), clear: () => void order.push("clear") },
});
const logIn = (order: string[]) => ({ close: async () => void order.push("close") });

test("everybody leaves, the last first; who throws or hangs is told", async () => {
  const order: string[] = [];
  const told: [string, string, unknown][] = [];
  const hooks = new Hooks();
  hooks.register({ kind: "extension", name: "deaf" }, { session_end: never });
  hooks.register(
    { kind: "extension", name: "heard" },
    { session_end: () => void order.push("session_end") },
  );
  await leaveSession(logIn(order), {
    members: [
      member("first", () => void order.push("first")),
      member("throws", oops("a")),
      member("rejects", () => Promise.reject(new Error("b"))),
      member("hangs", never),
      member("last", () => void order.push("last")),
    ],
    tellEnd: (signal) => {
      const emit = (event: { type: string; behaviour?: string; hook?: string; error?: unknown }) =>
        void told.push([event.behaviour!, event.hook!, event.error]);
      return new HookCalls(hooks, { signal, emit }).notify("session_end", {
        sessionId: "s",
        reason: "quit",
      });
    },
    background: { [Symbol.asyncDispose]: never },
    line: { close: oops("c") },
    report: (...one) => told.push(one),
    ...closing(order),
    limitMs: 20,
  });
  expect(order).toEqual(["session_end", "last", "first", "flush", "close", "clear"]);
  expect(told.map(([name, step]) => `${name} ${step}`)).toEqual([
    "deaf session_end",
    "background session_end",
    "model line session_end",
    "hangs dispose",
    "rejects dispose",
    "throws dispose",
  ]);
  expect(told[3]![2]).toBeInstanceOf(TookTooLong);
});

test("nothing is told if everybody leaves in peace", async () => {
  const told: unknown[] = [];
  await leaveSession(logIn([]), {
    members: [member("fine", () => undefined), { owner: { kind: "extension", name: "bare" } }],
    tellEnd: async () => {},
    background: { [Symbol.asyncDispose]: async () => {} },
    line: { close: async () => {} },
    report: (...one) => told.push(one),
    ...closing([]),
  });
  expect(told).toEqual([]);
});
