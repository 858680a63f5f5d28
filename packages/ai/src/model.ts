// A model as a wire needs to know it: where it is, how to speak to it, what it can do.

import type { ModelErrorKind } from "./error.ts";
import type { WireId } from "./wire.ts";

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

export interface ModelCost {
  /** US dollars per million tokens. */
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Model {
  provider: string;
  id: string;
  name: string;
  wire: WireId;
  baseUrl: string;
  /** How the credential is sent; `none` for keyless local servers. */
  auth: AuthStyle;
  contextWindow: number;
  maxOutput: number;
  input: readonly ("text" | "image")[];
  /** The levels it accepts besides `off`; absent for a model that does not think. */
  thinking?: readonly ThinkingLevel[];
  cost: ModelCost;
  /** Sent with every request; null takes a header away that would be sent otherwise. */
  headers?: Readonly<Record<string, string | null>>;
  /** What the vendor calls it, where that is not the id users and logs know it by. */
  wireModelId?: string;
  /** `id` or `provider/id` of a sibling with a larger context. */
  promotionTarget?: string;
  /** How long the vendor should keep the prompt cached, where the request does not say. */
  cacheRetention?: "none" | "short" | "long";
  /** The level where the user chose none. */
  defaultThinking?: ThinkingLevel;
  /** How many requests of a plan's allowance one call counts for. */
  premiumMultiplier?: number;
  /** What the host's own error codes mean, where no other host uses them. */
  failureCodes?: Readonly<Record<string, ModelErrorKind>>;
  /** Deviations of this endpoint from its wire, as data; each wire documents its own. */
  quirks?: Readonly<Record<string, unknown>>;
}

export type AuthStyle = "bearer" | "x-api-key" | "x-goog-api-key" | "api-key" | "none";

export const FREE: ModelCost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The name that goes on the wire. */
export function wireNameOf(model: Model): string {
  return model.wireModelId ?? model.id;
}
