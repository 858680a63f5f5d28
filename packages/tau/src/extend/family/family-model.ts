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
  return settled({
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
  });
}

/** There a model can be changed for everybody by writing into it; whoever tries that here is told. */
function settled(model: Readonly<Record<string, unknown>>): object {
  const properties = Object.entries(model).map(([key, value]) => [
    key,
    {
      enumerable: true,
      get: () => value,
      set(): never {
        throw new TypeError(
          `it sets ${key} of ${String(model.id)}, which an extension cannot change; set it in models.yml`,
        );
      },
    },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap);
}

/** As `--model` takes it; undefined if it is not a model. */
export function selectorOf(given: unknown): string | undefined {
  if (typeof given === "string") return given;
  if (typeof given !== "object" || given === null) return undefined;
  const { provider, id } = given as Record<string, unknown>;
  return typeof provider === "string" && typeof id === "string" ? `${provider}/${id}` : undefined;
}
