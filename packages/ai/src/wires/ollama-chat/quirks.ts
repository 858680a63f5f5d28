// How models behind Ollama differ, as data.

import type { Model } from "../../model.ts";
import type { Json } from "../json.ts";

export interface OllamaQuirks {
  /** `switch`: thinking is on or off. `level`: the model takes low, medium and high. */
  thinkStyle: "switch" | "level";
  /** Merged into every body; never over what the conversation decides. */
  extraBody?: Json;
}

const DEFAULTS: OllamaQuirks = { thinkStyle: "switch" };

export function quirksOf(model: Model): OllamaQuirks {
  return model.quirks ? { ...DEFAULTS, ...model.quirks } : DEFAULTS;
}
