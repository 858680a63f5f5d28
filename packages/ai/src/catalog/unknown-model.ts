// What is assumed of a model that nothing is known of. Apart from the table of what is
// known, because choosing a model must not load that.

import type { ThinkingLevel } from "../model.ts";

export type Modality = "text" | "image";

export interface Capabilities {
  /** Tokens. */
  contextWindow: number;
  /** Tokens. */
  maxOutput: number;
  input: readonly Modality[];
  thinking?: readonly ThinkingLevel[];
  quirks?: Readonly<Record<string, unknown>>;
}

export const UNKNOWN_MODEL: Capabilities = {
  // What nearly every model of the last years has.
  contextWindow: 128_000,
  // More than an answer needs, less than any of these refuses.
  maxOutput: 16_384,
  // Refusing a picture that could have been shown is worse than a host's clear error.
  input: ["text", "image"],
};
