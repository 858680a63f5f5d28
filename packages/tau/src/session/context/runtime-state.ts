// What a session's entries say about how it runs: models, thinking, mode and the like. The
// latest word on the branch wins. Folding one entry in costs the same at any length.

import type { ThinkingLevel } from "@tau/ai/model";
import type { ModelChangeEntry, SessionEntry } from "../entry.ts";

export interface RuntimeState {
  /** `provider/id` by role, as chosen. */
  models: Readonly<Record<string, string>>;
  /** Fallbacks and promotions that are in force by role; the next choice ends them. */
  temporaryModels: Readonly<Record<string, string>>;
  /** Who spoke last, as `provider/id`. */
  lastSpeaker?: string;
  thinkingLevel: ThinkingLevel;
  serviceTier: string | null;
  mode: string;
  modeData?: unknown;
  /** In the order of their first injection, each once. */
  injectedRules: readonly string[];
  /** Undefined where nothing was ever selected. */
  selectedTools?: readonly string[];
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
  serviceTier: null,
  mode: "none",
  injectedRules: [],
  kept: {},
};

/** The model that was chosen for the conversation; where nobody chose, who spoke last. */
export function chosenModel(state: RuntimeState): string | undefined {
  return state.models[DEFAULT_ROLE] ?? state.lastSpeaker;
}

/** The same object where the entry changes nothing. */
export function foldState(state: RuntimeState, entry: SessionEntry): RuntimeState {
  switch (entry.type) {
    case "message": {
      if (entry.message.role !== "assistant") return state;
      const lastSpeaker = `${entry.message.provider}/${entry.message.model}`;
      return lastSpeaker === state.lastSpeaker ? state : { ...state, lastSpeaker };
    }
    case "model_change":
      return withModel(state, entry);
    case "thinking_level_change":
      return { ...state, thinkingLevel: entry.thinkingLevel };
    case "service_tier_change":
      return { ...state, serviceTier: entry.serviceTier };
    case "mode_change": {
      const { modeData: _before, ...rest } = state;
      const data = entry.data === undefined ? {} : { modeData: entry.data };
      return { ...rest, mode: entry.mode, ...data };
    }
    case "ttsr_injection": {
      const injectedRules = [...new Set([...state.injectedRules, ...entry.injectedRules])];
      return { ...state, injectedRules };
    }
    case "mcp_tool_selection":
      return { ...state, selectedTools: entry.selectedToolNames };
    case "custom":
      return { ...state, kept: { ...state.kept, [entry.customType]: entry.data } };
    case "title":
      // A name that was made up never replaces one that was given.
      if (entry.source === "auto" && state.titleSource === "user") return state;
      return { ...state, title: entry.title, titleSource: entry.source };
    default:
      return state;
  }
}

function withModel(state: RuntimeState, entry: ModelChangeEntry): RuntimeState {
  // Older sessions have no role.
  const role = entry.role ?? DEFAULT_ROLE;
  if (entry.temporary) {
    return { ...state, temporaryModels: { ...state.temporaryModels, [role]: entry.model } };
  }
  const { [role]: _ended, ...temporaryModels } = state.temporaryModels;
  return { ...state, models: { ...state.models, [role]: entry.model }, temporaryModels };
}
