// What is seen while something comes, and what becomes of it if it does not come to its end.

import { expect, test } from "bun:test";
import type { SessionEntry } from "../entry.ts";
import { reply } from "../log/test/support.ts";
import type { SessionEvent } from "../session-event.ts";
import { BlockList } from "./block-list.ts";
import { LiveProjection } from "./live-projection.ts";

function watched() {
  const list = new BlockList();
  const live = new LiveProjection((change) => list.apply(change));
  const stream = (
    ...events: Extract<SessionEvent, { type: "message_update" }>["event"][]
  ): void => {
    for (const event of events) live.handle({ type: "message_update", event });
  };
  return { list, live, stream };
}

const entry = (given: object): SessionEntry =>
  ({ ...given, id: "e1", parentId: null, timestamp: "" }) as unknown as SessionEntry;

test("what a run leaves open is over when the run is", () => {
  const { list, live, stream } = watched();
  stream(
    { type: "text_start", index: 0 },
    { type: "text_delta", index: 0, delta: "half" },
    { type: "toolcall_start", index: 1, id: "c", name: "bash" },
  );
  expect(list.blocks).toMatchObject([{ text: "half", isGrowing: true }, { phase: "writing" }]);
  live.handle({ type: "agent_end", end: { reason: "failed" } });
  expect(list.blocks).toMatchObject([{ text: "half" }, { phase: "stopped" }]);
  expect(list.blocks[0]).not.toHaveProperty("isGrowing");
});

test("what the reply does not have in the end is taken away", () => {
  const { list, live, stream } = watched();
  stream(
    { type: "thinking_start", index: 0 },
    { type: "thinking_delta", index: 0, delta: "Hmm" },
    { type: "text_start", index: 1 },
    { type: "text_delta", index: 1, delta: "Look" },
    { type: "toolcall_start", index: 2, id: "gone", name: "bash" },
  );
  expect(list.blocks).toHaveLength(3);
  live.appended([entry(reply("Looking."))]);
  expect(list.blocks).toMatchObject([{ kind: "answer", key: "e1.0", text: "Looking." }]);
});

test("a call is followed from its first letter to its result", () => {
  const { list, live, stream } = watched();
  const call = { type: "toolCall", id: "c", name: "bash", arguments: { command: "ls" } } as const;
  stream(
    { type: "toolcall_start", index: 0, id: "c", name: "bash" },
    { type: "toolcall_delta", index: 0, delta: '{"comm' },
  );
  expect(list.blocks).toMatchObject([{ phase: "writing", written: '{"comm' }]);
  stream({ type: "toolcall_end", index: 0, block: call });
  expect(list.blocks).toMatchObject([{ phase: "waiting", arguments: { command: "ls" } }]);
  live.handle({ type: "tool_execution_start", call });
  for (const text of ["a", "b"]) {
    live.handle({ type: "tool_execution_update", callId: "c", text });
  }
  expect(list.blocks).toMatchObject([{ phase: "running", output: "ab" }]);
  live.handle({ type: "tool_execution_update", callId: "c", text: "c", replaces: true });
  expect(list.blocks).toMatchObject([{ output: "c" }]);
});

test("on another branch nothing of the old one goes on", () => {
  const { list, live, stream } = watched();
  stream({ type: "toolcall_start", index: 0, id: "c", name: "bash" });
  live.reset();
  expect(live.moving).toEqual([]);
  live.handle({ type: "tool_execution_update", callId: "c", text: "late" });
  expect(list.blocks).toMatchObject([{ phase: "writing" }]);
});
