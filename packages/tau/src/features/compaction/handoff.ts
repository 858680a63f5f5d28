// The live model writes a document, and a fresh session begins with it. It sees the request
// it always sees with one message more, so that the vendor's prompt cache pays for most of it.

import { userText } from "@tau/ai/message";
import { buildContext } from "../../session/context/build-context.ts";
import type { NewEntry } from "../../session/entry.ts";
import handoffTask from "./prompts/handoff.md" with { type: "text" };
import { summaryTokens } from "./roll-up.ts";
import {
  dropped,
  type CompactionDeps,
  type CompactionInput,
  type CompactionResult,
  type CompactionStrategy,
} from "./strategy.ts";
import { summarise } from "./summary.ts";

export const handoffStrategy: CompactionStrategy = { name: "handoff", compact: handOff };

async function handOff(input: CompactionInput, deps: CompactionDeps): Promise<CompactionResult> {
  // The conversation with one message more would overflow like the conversation did.
  if (input.reason === "overflow") return summarise(input, deps);
  const { messages } = buildContext(input.branch);
  if (!messages.some(({ role }) => role === "assistant")) return dropped("nothing_to_summarise");
  const { model, settings, system, tools } = input;
  const wish = input.instructions ? `\n\nThe user asks in particular: ${input.instructions}` : "";
  const task = (input.prompt ?? handoffTask).trim() + wish;
  const answer = await deps.ask({
    system,
    messages: [...messages, userText(task)],
    maxOutput: summaryTokens(model, settings.reserveTokens, model.contextWindow),
    tools,
    toolChoice: "none",
  });
  const document = answer.trim();
  if (document !== "") return { type: "handoff", document };
  return summarise(input, deps);
}

/** What the fresh session begins with. */
export function handoffEntry(document: string): Extract<NewEntry, { type: "custom_message" }> {
  return {
    type: "custom_message",
    customType: "handoff",
    content: [{ type: "text", text: document }],
    display: true,
    attribution: "agent",
  };
}
