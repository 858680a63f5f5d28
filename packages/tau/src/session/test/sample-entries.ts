// One entry of each kind that Tau writes, for laws over the table: the compiler asks for the one
// that is missing.

import { userText } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import type { NewEntry } from "../entry.ts";

type Samples = { readonly [Type in NewEntry["type"]]: Extract<NewEntry, { type: Type }> };

export const SAMPLE_ENTRIES: Samples = {
  message: { type: "message", message: userText("hello", 1) },
  custom_message: {
    type: "custom_message",
    customType: "note",
    content: [{ type: "text", text: "by the way" }],
    display: true,
    attribution: "agent",
  },
  compaction: {
    type: "compaction",
    summary: "what happened",
    firstKeptEntryId: "nowhere",
    tokensBefore: 100,
    tokensAfter: 10,
  },
  branch_summary: { type: "branch_summary", fromId: "root", summary: "another way" },
  leaf: { type: "leaf", leafId: null, reason: "test" },
  title: { type: "title", title: "Names", source: "user" },
  prune: { type: "prune", entryIds: ["nowhere"], tokensSaved: 3 },
  label: { type: "label", targetId: "nowhere", label: "here" },
  model_change: { type: "model_change", model: "p/m", role: "default" },
  thinking_level_change: { type: "thinking_level_change", thinkingLevel: "high" },
  custom: { type: "custom", customType: "list", data: { items: [1] } },
  ttsr_injection: { type: "ttsr_injection", injectedRules: ["rule"] },
  mail: { type: "mail", mailId: "m1", state: "delivered" },
  model_call: {
    type: "model_call",
    purpose: "title",
    model: "p/m",
    usage: emptyUsage(),
    costUsd: 0,
    requests: 1,
    outcome: "done",
  },
  event: { type: "event", event: { type: "agent_end", end: { reason: "aborted" } } },
};
