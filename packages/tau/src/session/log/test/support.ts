// What the tests of the log share: processes that can die without dying, entries to write,
// and the comparison of a log with the simplest possible one.

import { expect } from "bun:test";
import type { AssistantMessage } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import type { Processes } from "@tau/host/lock/process-identity";
import type { NewEntry, SessionEntry, SessionHeader } from "../../entry.ts";
import type { SessionLog } from "../../session-log.ts";
import { MemoryLog } from "../memory-log.ts";

/** A process of its own, as far as locks can tell; all others are gone but those named. */
export function pretendProcess(pid: number, alive: ReadonlySet<number> = new Set()): Processes {
  return {
    self: async () => ({ pid, host: "here" }),
    stateOf: async (other) =>
      other.host !== "here" ? "unknown" : alive.has(other.pid) ? "alive" : "gone",
  };
}

let processes = 1000;

/** One whose death everyone agrees on. */
export function mortalProcess(): Processes {
  processes += 1;
  return pretendProcess(processes);
}

export function user(text: string): NewEntry {
  return {
    type: "message",
    message: { role: "user", content: [{ type: "text", text }], timestamp: 1 },
  };
}

export function reply(text: string, calls: readonly string[] = []): NewEntry {
  const message: AssistantMessage = {
    role: "assistant",
    content: [
      { type: "text", text },
      ...calls.map((id) => ({ type: "toolCall" as const, id, name: "read", arguments: { id } })),
    ],
    provider: "test",
    model: "test-1",
    wire: "openai-completions",
    stopReason: calls.length > 0 ? "toolUse" : "stop",
    usage: emptyUsage(),
    timestamp: 2,
  };
  return { type: "message", message };
}

export function result(toolCallId: string, text: string, image?: string): NewEntry {
  return {
    type: "message",
    message: {
      role: "toolResult",
      toolCallId,
      toolName: "read",
      content: [
        { type: "text", text },
        ...(image === undefined
          ? []
          : [{ type: "image" as const, mimeType: "image/png", data: image }]),
      ],
      isError: false,
      timestamp: 3,
    },
  };
}

export function compaction(firstKeptEntryId: string): NewEntry {
  return {
    type: "compaction",
    summary: "what happened",
    firstKeptEntryId,
    tokensBefore: 100,
    tokensAfter: 10,
  };
}

export async function allEntries(log: SessionLog): Promise<SessionEntry[]> {
  return Array.fromAsync(log.entries());
}

const HEADER: SessionHeader = {
  type: "session",
  version: 4,
  id: "model",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/",
};

/** Everything the log says about its entries is what a plain list of them says. */
export async function expectConsistent(log: SessionLog): Promise<void> {
  const entries = await allEntries(log);
  const model = new MemoryLog({ header: HEADER, now: Date.now, entries });
  expect(log.leafId).toBe(model.leafId);
  expect(log.title).toBe(model.title);
  expect(await log.branch()).toEqual(await model.branch());
  const since = { sinceCompaction: true };
  expect(await log.branch(since)).toEqual(await model.branch(since));
  expect(await log.stateEntries()).toEqual(await model.stateEntries());
  expect(await log.labels()).toEqual(await model.labels());
  expect(await log.childrenOf(null)).toEqual(await model.childrenOf(null));
  for (const entry of entries) {
    expect(await log.entry(entry.id)).toEqual(entry);
    expect(await log.childrenOf(entry.id)).toEqual(await model.childrenOf(entry.id));
  }
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
