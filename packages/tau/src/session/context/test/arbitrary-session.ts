// Random sessions: conversations as messy as the wires' tests make them, with settings,
// summaries, prunings, compactions (also ones that name a place nobody knows), moves in the
// tree and entries of a newer Tau in between.

import fc from "fast-check";
import type { Message } from "@tau/ai/message";
import { THINKING_LEVELS } from "@tau/ai/model";
import { emptyUsage } from "@tau/ai/usage";
import { arbitraryContent, arbitraryText } from "@tau/ai/wires/arbitrary-block";
import { arbitraryMessages } from "@tau/ai/wires/arbitrary-conversation";
import type { NewEntry } from "../../entry.ts";
import type { TreeModel } from "./tree-model.ts";

/** Makes its entries from where the session stands; picks are taken modulo what there is. */
export type Step = (model: TreeModel) => NewEntry[];

function pickId(ids: readonly string[], pick: number): string {
  return ids[pick % Math.max(1, ids.length)] ?? "nowhere";
}

function said(messages: readonly Message[]): NewEntry[] {
  return messages.map((message) => ({ type: "message", message }));
}

function arbitraryState(): fc.Arbitrary<NewEntry> {
  const name = fc.constantFrom("a", "b", "c");
  return fc.oneof(
    fc
      .record({ model: name, role: fc.constantFrom("default", "smol"), temporary: fc.boolean() })
      .map((change): NewEntry => ({ type: "model_change", ...change })),
    fc
      .constantFrom(...THINKING_LEVELS)
      .map((thinkingLevel): NewEntry => ({ type: "thinking_level_change", thinkingLevel })),
    fc.array(name).map((injectedRules): NewEntry => ({ type: "ttsr_injection", injectedRules })),
    fc
      .record({ title: name, source: fc.constantFrom("user" as const, "auto" as const) })
      .map((title): NewEntry => ({ type: "title", ...title })),
    fc.constant<NewEntry>({ type: "custom", customType: "x" }),
    fc.constant<NewEntry>({
      type: "model_call",
      purpose: "title",
      model: "p/m",
      usage: emptyUsage(),
      costUsd: 0,
      requests: 1,
      outcome: "done",
    }),
    fc.constant<NewEntry>({ type: "label", targetId: "e0", label: "here" }),
    fc.constant({ type: "of_a_newer_tau", content: "?" } as unknown as NewEntry),
    fc.constant({ type: "mode_change", mode: "plan" } as unknown as NewEntry),
  );
}

function arbitraryCustomMessage(): fc.Arbitrary<NewEntry> {
  return fc
    .record({
      content: arbitraryContent(),
      display: fc.boolean(),
      attribution: fc.constantFrom("user" as const, "agent" as const),
    })
    .map((message) => ({ type: "custom_message", customType: "note", ...message }));
}

function arbitraryCompaction(): fc.Arbitrary<Step> {
  return fc
    .record({ pick: fc.nat(), summary: arbitraryText(), anywhere: fc.nat(9), again: fc.boolean() })
    .map(({ pick, summary, anywhere, again }) => (model: TreeModel): NewEntry[] => {
      const ids = model.branch().map((entry) => entry.id);
      const reinjected = [
        { role: "developer", content: [{ type: "text", text: "rules" }], timestamp: 0 },
      ];
      return [
        {
          type: "compaction",
          summary,
          firstKeptEntryId: anywhere === 0 ? "nowhere" : pickId(ids, pick),
          tokensBefore: 2,
          tokensAfter: 1,
          preserveData: again ? { reinjected } : undefined,
        },
      ];
    });
}

export function arbitraryStep(): fc.Arbitrary<Step> {
  const plain = (entries: fc.Arbitrary<NewEntry[]>): fc.Arbitrary<Step> =>
    entries.map((made) => () => made);
  return fc.oneof(
    { weight: 8, arbitrary: plain(arbitraryMessages().map(said)) },
    { weight: 3, arbitrary: plain(arbitraryState().map((entry) => [entry])) },
    { weight: 2, arbitrary: plain(arbitraryCustomMessage().map((entry) => [entry])) },
    {
      weight: 1,
      arbitrary: plain(
        arbitraryText().map((summary) => [{ type: "branch_summary", fromId: "root", summary }]),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.array(fc.nat(), { maxLength: 3 }).map((picks) => (model: TreeModel) => {
        const ids = model.entries.map((entry) => entry.id);
        const entryIds = picks.map((pick) => pickId(ids, pick));
        return [{ type: "prune", entryIds, tokensSaved: picks.length }] as NewEntry[];
      }),
    },
    { weight: 2, arbitrary: arbitraryCompaction() },
    {
      weight: 3,
      arbitrary: fc.option(fc.nat(), { freq: 10 }).map((pick) => (model: TreeModel) => {
        const ids = model.entries.filter(({ type }) => !ASIDE.has(type)).map(({ id }) => id);
        const leafId = pick === null || ids.length === 0 ? null : pickId(ids, pick);
        return [{ type: "leaf", leafId, reason: "test" }] as NewEntry[];
      }),
    },
  );
}

const ASIDE: ReadonlySet<string> = new Set(["leaf", "title", "label", "mail", "model_call"]);
