// What some families of models need to be told, and others do not, as data: the first row that fits a
// model's name adds its words behind Tau's own. A family nobody has trouble with has no row.

import type { Model } from "@tau/ai/model";
import act from "./variants/act.md" with { type: "text" };
import call from "./variants/call.md" with { type: "text" };
import restrain from "./variants/restrain.md" with { type: "text" };

interface Variant {
  name: string;
  /** On the model's id, lower case. */
  models: RegExp;
  words: string;
}

export const PROMPT_VARIANTS: readonly Variant[] = [
  // They stop to propose, and they write reports.
  { name: "act", models: /(?:^|\/)(?:gpt-|o\d|codex|chatgpt)/, words: act },
  // They do more than was asked, and say so warmly.
  { name: "restrain", models: /claude/, words: restrain },
  // They announce calls instead of making them, or repeat one that failed.
  {
    name: "call",
    models: /gemini|gemma|deepseek|qwen|glm|kimi|llama|mistral|devstral|minimax|grok/,
    words: call,
  },
];

export function variantFor({ id }: Pick<Model, "id">): Variant | undefined {
  const name = id.toLowerCase();
  return PROMPT_VARIANTS.find(({ models }) => models.test(name));
}
