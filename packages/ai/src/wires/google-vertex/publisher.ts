// Whose model it is decides which of two spellings a request and its reply have.

export type Publisher = "google" | "anthropic";

export const ANTHROPIC_ON_VERTEX = "vertex-2023-10-16";

/** Anthropic's are the only guests here whose API is not Google's. */
export function publisherOf(modelId: string): Publisher {
  return modelId.startsWith("claude") ? "anthropic" : "google";
}
