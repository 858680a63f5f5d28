// What a session's entries say about how it runs: models, thinking and the like. How each kind
// of entry changes it stands in that kind's row.

import type { ThinkingLevel } from "@tau/ai/model";

export interface RuntimeState {
  /** `provider/id` by role, as chosen. */
  models: Readonly<Record<string, string>>;
  /** Fallbacks and promotions that are in force by role; the next choice ends them. */
  temporaryModels: Readonly<Record<string, string>>;
  /** Who spoke last, as `provider/id`. */
  lastSpeaker?: string;
  thinkingLevel: ThinkingLevel;
  /** In the order of their first injection, each once. */
  injectedRules: readonly string[];
  /** What behaviours and extensions keep, by the type of their entries: the latest of each. */
  kept: Readonly<Record<string, unknown>>;
  title?: string;
  titleSource?: "user" | "auto";
}

export const DEFAULT_ROLE = "default";

export const INITIAL_STATE: RuntimeState = {
  models: {},
  temporaryModels: {},
  thinkingLevel: "off",
  injectedRules: [],
  kept: {},
};

/** The model that was chosen for the conversation; where nobody chose, who spoke last. */
export function chosenModel(state: RuntimeState): string | undefined {
  return state.models[DEFAULT_ROLE] ?? state.lastSpeaker;
}
