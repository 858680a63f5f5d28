// How models behind Converse differ. What concerns Anthropic's models is said in the words
// of their own wire (`anthropic-messages/quirks.ts`) and applies here too.

import { wireNameOf, type Model } from "../../model.ts";
import type { Json } from "../json.ts";

export interface BedrockQuirks {
  /** Whether the model takes Anthropic's extra fields; told from the id where absent. */
  anthropicModel: boolean;
  /** The model takes `cachePoint`; Anthropic's do. */
  supportsCacheControl: boolean;
  /** Wins over the environment. */
  region?: string;
  /** The address names a region only because it has to: a profile's is used, if it has one. */
  takesProfileRegion: boolean;
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;
}

export function quirksOf(model: Model): BedrockQuirks {
  const anthropicModel =
    (model.quirks?.anthropicModel as boolean | undefined) ??
    /(?:^|[./])anthropic\.|claude/.test(wireNameOf(model));
  return {
    supportsCacheControl: anthropicModel,
    takesProfileRegion: false,
    ...model.quirks,
    anthropicModel,
  };
}
