// A model in the family's words, and the way back by its name.

import type { Model } from "@tau/ai/model";

export function toFamilyModel(model: Model): object {
  const {
    provider,
    id,
    name,
    wire,
    baseUrl,
    contextWindow,
    maxOutput,
    input,
    cost,
    thinking,
    headers,
  } = model;
  return {
    provider,
    id,
    name,
    api: wire,
    baseUrl,
    reasoning: thinking !== undefined,
    input: [...input],
    cost: { ...cost },
    contextWindow,
    maxTokens: maxOutput,
    headers: headers ? { ...headers } : undefined,
  };
}

/** As `--model` takes it; undefined if it is not a model. */
export function selectorOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given !== "object" || given === null) return undefined;
  const { provider, id } = given as Record<string, unknown>;
  return typeof provider === "string" && typeof id === "string" ? `${provider}/${id}` : undefined;
}
