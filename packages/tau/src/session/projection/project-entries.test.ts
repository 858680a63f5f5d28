// What entries show, also those of logs from before there was anything to say but the messages.

import { expect, test } from "bun:test";
import { BUILT_IN } from "../../features/built-in.ts";
import { registerRows } from "../../features/register-rows.ts";
import type { NewEntry } from "../entry.ts";
import { createMemorySession } from "../log/open-session.ts";
import { compaction, reply, result, user } from "../log/test/support.ts";
import { wholeText, type UserBlock } from "./block.ts";
import { projectEntries } from "./project-entries.ts";

// Consent is told by a feature.
registerRows(BUILT_IN);

async function blocksOf(...entries: NewEntry[]): Promise<object[]> {
  await using log = createMemorySession({ cwd: "/" });
  for (const entry of entries) await log.append(entry);
  return projectEntries(await log.branch()).map(({ key: _key, ...block }) => block);
}

const failed = (id: string, text: string): NewEntry => {
  const entry = result(id, text) as Extract<NewEntry, { type: "message" }>;
  return { ...entry, message: { ...entry.message, isError: true } as typeof entry.message };
};

test("a log of before shows its conversation, with what its messages say", async () => {
  const blocks = await blocksOf(
    user("begin"),
    reply("Looking.", ["a", "b", "c"]),
    result("a", "seen"),
    failed("b", "not there"),
    {
      type: "custom_message",
      customType: "note",
      content: [{ type: "text", text: " by the way " }],
      display: true,
      attribution: "agent",
    },
    {
      type: "custom_message",
      customType: "note",
      content: [{ type: "text", text: "for the model" }],
      display: false,
      attribution: "agent",
    },
    { type: "branch_summary", fromId: "root", summary: "another way" },
    compaction("nowhere"),
    { type: "of_a_newer_tau", text: "?" } as unknown as NewEntry,
    { type: "thinking_level_change", thinkingLevel: "high" },
  );
  expect(blocks).toMatchObject([
    { kind: "user", text: "begin", pictures: [] },
    { kind: "answer", text: "Looking.", model: "test/test-1" },
    { kind: "call", callId: "a", phase: "done", result: { content: [{ text: "seen" }] } },
    { kind: "call", callId: "b", phase: "failed", result: { isError: true } },
    // The process ended before its result was written.
    { kind: "call", callId: "c", phase: "stopped" },
    { kind: "note", text: "by the way" },
    { kind: "summary", of: "branch", text: "another way" },
    { kind: "summary", of: "conversation", size: { before: 100, after: 10 } },
  ]);
});

test("what is known of a call beyond its result is with the call", async () => {
  const done = result("a", "seen") as Extract<NewEntry, { type: "message" }>;
  const warned = {
    ...done.message,
    content: [
      ...done.message.content,
      { type: "text" as const, text: "You are going in circles." },
    ],
  } as typeof done.message;
  const ran = { wasRun: true, durationMs: 1500, details: { lines: 3 }, artifactId: "4" };
  const consent = { allowed: true, scope: "session", rules: ["allow read"] };
  const blocks = await blocksOf(
    reply("", ["a", "b"]),
    {
      type: "event",
      event: { type: "approval_end", callId: "a", tool: "read", subjects: ["x"], ...consent },
    },
    { ...done, message: warned, ran: { ...ran, forModel: 1 } },
    { ...(failed("b", "Not run.") as typeof done), ran: { wasRun: false } },
  );
  expect(blocks).toMatchObject([
    {
      callId: "a",
      phase: "done",
      durationMs: 1500,
      details: { lines: 3 },
      artifactId: "4",
      consent,
    },
    { callId: "b", phase: "refused" },
  ]);
  expect((blocks[0] as { result: unknown }).result).toEqual({
    content: [{ type: "text", text: "seen" }],
    isError: false,
  });
});

test("a prompt is shown as it was typed, and what has a block of its own is not told twice", async () => {
  const said = user("a page of words") as Extract<NewEntry, { type: "message" }>;
  const own = {
    id: "r",
    sign: "!",
    tool: "bash",
    arguments: { command: "ls" },
    isTold: true,
    content: [{ type: "text", text: "a" }],
    isError: false,
    exitCode: 0,
    durationMs: 2,
  };
  const blocks = await blocksOf(
    { type: "event", event: { type: "own_run_end", ...own } },
    { ...(user("[the user ran ls]") as typeof said), sender: "shell" },
    { ...said, typed: "/look" },
    {
      type: "event",
      event: {
        type: "approval_end",
        callId: "inner-1",
        tool: "bash",
        subjects: ["rm"],
        allowed: false,
      },
    },
  );
  expect(blocks).toMatchObject([
    { kind: "own_run", sign: "!", name: "bash", phase: "done", exitCode: 0 },
    { kind: "user", text: "/look" },
    // The conversation has no block of a call that a cell made.
    { kind: "note", text: "Refused: bash rm", tone: "warning" },
  ]);
});

test("a folded paste is shown as it was typed, and is there in full", async () => {
  const pasted = user("first line\nsecond line") as Extract<NewEntry, { type: "message" }>;
  const [block] = (await blocksOf({ ...pasted, typed: "[paste #1, 2 lines]" })) as [UserBlock];
  expect(block.text).toBe("[paste #1, 2 lines]");
  expect(wholeText(block)).toBe("[paste #1, 2 lines]\n\nfirst line\nsecond line");
  const [plain] = (await blocksOf(user("as typed"))) as [UserBlock];
  expect(wholeText(plain)).toBe("as typed");
});
