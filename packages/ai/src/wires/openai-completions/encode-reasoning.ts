// The fields that ask for thinking. Every host family has its own shape for the same
// wish; nothing asked means nothing sent.

import type { ThinkingLevel } from "../../model.ts";
import type { Json } from "../json.ts";
import type { CompletionsQuirks, ThinkingFormat } from "./quirks.ts";

type Shape = (level: ThinkingLevel, quirks: CompletionsQuirks) => Json;

const SHAPES: Record<ThinkingFormat, Shape> = {
  openai: (level, quirks) => {
    if (!quirks.supportsReasoningEffort) return {};
    // Only some models can be told not to think; the map says which word they take.
    const effort = quirks.reasoningEffortMap[level] ?? (level === "off" ? undefined : level);
    return { reasoning_effort: effort };
  },
  openrouter: (level, quirks) => ({
    reasoning: {
      effort: quirks.reasoningEffortMap[level] ?? (level === "off" ? "none" : level),
    },
  }),
  zai: (level) => ({ thinking: { type: level === "off" ? "disabled" : "enabled" } }),
  qwen: (level) => ({ enable_thinking: level !== "off" }),
  "qwen-chat-template": (level) => ({
    chat_template_kwargs: { enable_thinking: level !== "off" },
  }),
};

/** Called when `tool_choice` is in the body already: some hosts refuse the two together. */
export function addReasoning(
  level: ThinkingLevel | undefined,
  quirks: CompletionsQuirks,
  body: Json,
): void {
  if (level === undefined || !quirks.supportsReasoningParams) return;
  const choice = body.tool_choice;
  if (choice !== undefined && quirks.disableReasoningOnToolChoice) return;
  const isForced = choice !== undefined && choice !== "auto" && choice !== "none";
  if (isForced && quirks.disableReasoningOnForcedToolChoice) return;
  Object.assign(body, SHAPES[quirks.thinkingFormat](level, quirks));
}
