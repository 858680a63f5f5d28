// The law of a rewind: whatever was said and done since the checkpoint, the conversation is what it was at
// the end of the checkpoint's turn, with the report behind it; every call has its result; nothing that the
// user said is lost, and nothing that behaviours remember goes back.

import { expect, test } from "bun:test";
import { textOf, type Message } from "@tau/ai/message";
import fc from "fast-check";
import type { NewEntry } from "../../session/entry.ts";
import { buildContext } from "../../session/context/build-context.ts";
import { createMemorySession } from "../../session/log/open-session.ts";
import { reply, result, user } from "../../session/log/test/support.ts";
import { beginEntry, CLOSE_ENTRY, openCheckpoint } from "./checkpoint-entry.ts";
import { planCollapse } from "./collapse.ts";

type Happening =
  { kind: "turn"; calls: number; state: number } | { kind: "user" } | { kind: "compaction" };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant("turn" as const), calls: fc.nat(3), state: fc.nat(3) }),
  fc.record({ kind: fc.constant("user" as const) }),
  fc.record({ kind: fc.constant("compaction" as const) }),
);

const state = (value: number): NewEntry => ({
  type: "custom",
  customType: `kept-${value % 2}`,
  data: { value },
});

/** Every result stands behind its call, and every call has one. */
function isSound(messages: readonly Message[]): boolean {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) return false;
    } else if (open.size > 0) return false;
    else if (message.role === "assistant") {
      for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
    }
  }
  return open.size === 0;
}

test("law: a rewind leaves the checkpoint's turn, the report, the user's words and the state", async () => {
  const given = fc.record({
    before: fc.array(happening, { maxLength: 5 }),
    siblings: fc.nat(2),
    since: fc.array(happening, { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(given, async ({ before, siblings, since }) => {
      const log = createMemorySession({ cwd: "/" });
      let count = 0;
      const said: string[] = [];
      const happen = async (one: Happening): Promise<void> => {
        count++;
        if (one.kind === "user") {
          said.push(`words ${count}.`);
          await log.append(user(`words ${count}.`));
        } else if (one.kind === "turn") {
          const ids = Array.from({ length: one.calls }, (_, at) => `c${count}.${at}`);
          await log.append(reply(`reply ${count}.`, ids));
          for (const id of ids) {
            if (one.state > 0) await log.append(state(count + one.state));
            await log.append(result(id, `result ${id}`));
          }
        } else {
          const branch = await log.branch();
          const kept = branch.findLast((entry) => entry.type === "message");
          if (!kept) return;
          await log.append({
            type: "compaction",
            summary: `summary ${count}`,
            firstKeptEntryId: "none",
            tokensBefore: 2,
            tokensAfter: 1,
          });
        }
      };
      await log.append(user("begin"));
      for (const one of before) await happen(one);
      const ids = Array.from({ length: siblings + 1 }, (_, at) => `begin.${at}`);
      await log.append(reply("looking", ids));
      await log.append(beginEntry({ goal: "goal", startedAt: "now" }));
      for (const id of ids) await log.append(result(id, `result ${id}`));
      const atCheckpoint = buildContext(await log.branch()).messages;
      said.length = 0;
      for (const one of since) await happen(one);
      await log.append(reply("reporting", ["rewind"]));
      await log.append(result("rewind", "ok"));
      const branch = await log.branch();
      const plan = planCollapse(branch, { goal: "goal", report: "REPORT" })!;
      await log.appendAll(plan.entries);
      const { messages, state: after } = buildContext(await log.branch());
      expect(messages.slice(0, atCheckpoint.length)).toEqual([...atCheckpoint]);
      expect(messages).toHaveLength(atCheckpoint.length + 1);
      const text = textOf(messages.at(-1)!);
      expect(text).toContain("REPORT");
      for (const one of said) expect(text).toContain(one);
      expect(isSound(messages)).toBe(true);
      const { checkpoint: _open, ...kept } = buildContext(branch).state.kept;
      const { checkpoint: _closed, ...stays } = after.kept;
      expect(stays).toEqual(kept);
      expect(openCheckpoint(after.kept)).toBeUndefined();
      expect(planCollapse(await log.branch(), { goal: "", report: "" })).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});

test("a report in the turn of its checkpoint moves nothing; what behaviours said last goes along", async () => {
  const log = createMemorySession({ cwd: "/" });
  await log.append(reply("looking", ["a", "b"]));
  await log.append(beginEntry({ goal: "goal", startedAt: "now" }));
  await log.append(result("a", "ok"));
  await log.append(result("b", "ok"));
  const report = { goal: "goal", report: "REPORT" };
  expect(planCollapse(await log.branch(), report)?.entries).toEqual([CLOSE_ENTRY]);
  await log.append(reply("exploring", ["c"]));
  await log.append(result("c", "ok"));
  const note = {
    role: "developer",
    content: [{ type: "text", text: "edited" }],
    timestamp: 3,
  } as const;
  await log.append({ type: "message", message: { ...note, content: [...note.content] } });
  const plan = planCollapse(await log.branch(), report)!;
  expect(plan.entries.at(-1)).toMatchObject({ type: "message", message: { role: "developer" } });
});
