// How Gemini models and the hosts that speak their API differ, as data. The defaults fit
// the models whose thinking is a number of tokens.

import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";

export interface GoogleQuirks {
  /** `budget`: a number of tokens. `level`: a word. */
  thinkingStyle: "budget" | "level";
  /** Tokens; the largest budget that every budget-style model takes. */
  maxThinkingBudget: number;
  /** The `thinkingConfig` that keeps the model from thinking, where it can be kept from it. */
  thinkingOff: Json | undefined;
  /** The model refuses a step of calls whose first call carries no signature. */
  signedCalls: boolean;
  /** Where a function's JSON Schema goes; older hosts know only `parameters`. */
  schemaField: "parametersJsonSchema" | "parameters";
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;
}

const DEFAULTS: GoogleQuirks = {
  thinkingStyle: "budget",
  maxThinkingBudget: 24_576,
  thinkingOff: undefined,
  signedCalls: false,
  schemaField: "parametersJsonSchema",
};

export function quirksOf(model: Model): GoogleQuirks {
  if (!model.quirks) return DEFAULTS;
  // The generation that thinks in levels is the one that insists on signatures.
  const signedCalls = model.quirks.thinkingStyle === "level";
  return { ...DEFAULTS, signedCalls, ...model.quirks };
}
