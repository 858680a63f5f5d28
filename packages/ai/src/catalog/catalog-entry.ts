// What is known of a model before anybody asks its server.

import type { ModelCost, ThinkingLevel } from "../model.ts";
import type { WireId } from "../wire.ts";

export interface CatalogEntry {
  id: string;
  name: string;
  /** Tokens. */
  contextWindow: number;
  /** Tokens. */
  maxOutput: number;
  input: readonly ("text" | "image")[];
  /** The levels it accepts besides `off`; absent for a model that does not think. */
  thinking?: readonly ThinkingLevel[];
  cost: ModelCost;
  /** Where the model is not spoken to on its provider's own wire. */
  wire?: WireId;
  quirks?: Readonly<Record<string, unknown>>;
  /** `id` or `provider/id` of a sibling with a larger context. */
  promotionTarget?: string;
}
