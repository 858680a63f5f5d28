// A provider as the family's code registers it, in the words of models.yml.

import { ownEnvironment } from "@tau/host/process/own-environment";

type Given = Record<string, unknown>;

const PROVIDER_KEYS = ["baseUrl", "apiKey", "api", "headers", "authHeader", "compat"] as const;
const MODEL_KEYS =
  "id name api baseUrl reasoning input cost contextWindow maxTokens headers compat".split(" ");

export function toProvider(given: unknown): Given {
  const config = (given ?? {}) as Given;
  const models = Array.isArray(config.models) ? (config.models as Given[]) : [];
  const chat = models.filter(({ type }) => type === undefined || type === "chat");
  return {
    ...picked(config, PROVIDER_KEYS),
    apiKey: keyOf(config.apiKey),
    // Without a key there is nothing to send: many of them are servers on the same machine.
    auth: config.apiKey === undefined && config.oauth === undefined ? "none" : undefined,
    models: chat.map((model) => picked(model, MODEL_KEYS)),
  };
}

/** There a variable is written `$NAME`. One that the extension itself has set is nobody else's to look up. */
function keyOf(given: unknown): unknown {
  const [, name] = /^\$\{?(\w+)\}?$/.exec(String(given ?? "")) ?? [];
  if (name === undefined) return given ?? undefined;
  const own = ownEnvironment()[name] === undefined ? process.env[name] : undefined;
  return own ?? `env:${name}`;
}

/** What of it Tau has no place for, in words. */
export function unusedOfProvider(given: unknown): string[] {
  const { streamSimple, oauth, refreshModels, fetchDynamicModels } = (given ?? {}) as Given;
  return [
    streamSimple === undefined ? "" : "a wire of its own",
    oauth === undefined ? "" : "a login of its own",
    (refreshModels ?? fetchDynamicModels) === undefined ? "" : "a list of models that it looks for",
  ].filter(Boolean);
}

function picked(given: Given, keys: readonly string[]): Given {
  const known = keys.filter((key) => given[key] !== undefined && given[key] !== null);
  return Object.fromEntries(known.map((key) => [key, given[key]]));
}
