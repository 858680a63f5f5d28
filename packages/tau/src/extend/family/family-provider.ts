// A provider as the family's code registers it, in the words of models.yml.

import { ownEnvironment } from "@tau/host/process/own-environment";

import { withClient } from "../../model/own-client.ts";
import { streamClient, type StreamSimple } from "./stream-client.ts";

type Given = Record<string, unknown>;

const PROVIDER_KEYS = ["baseUrl", "apiKey", "api", "headers", "authHeader", "compat"] as const;
const MODEL_KEYS =
  "id name api baseUrl reasoning input cost contextWindow maxTokens headers compat".split(" ");

export function toProvider(given: unknown): Given {
  const config = (given ?? {}) as Given;
  const models = Array.isArray(config.models) ? (config.models as Given[]) : [];
  const chat = models.filter(({ type }) => type === undefined || type === "chat");
  if (typeof config.streamSimple === "function") return ownWire(config, chat);
  return {
    ...picked(config, PROVIDER_KEYS),
    apiKey: keyOf(config.apiKey),
    // Without a key there is nothing to send: many of them are servers on the same machine.
    auth: config.apiKey === undefined && config.oauth === undefined ? "none" : undefined,
    models: chat.map((model) => picked(model, MODEL_KEYS)),
  };
}

/** It is never spoken to over the network by Tau: what it says of that is for itself. */
function ownWire(config: Given, models: readonly Given[]): Given {
  const data: Given = {
    baseUrl: config.baseUrl ?? "http://localhost",
    api: "openai-completions",
    apiKey: keyOf(config.apiKey),
    auth: config.apiKey === undefined ? "none" : undefined,
    models: models.map((model) => {
      const { api: _api, compat: _compat, ...rest } = picked(model, MODEL_KEYS);
      return rest;
    }),
  };
  return withClient(data, streamClient(config.streamSimple as StreamSimple, config.api));
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
  const { oauth, refreshModels, fetchDynamicModels } = (given ?? {}) as Given;
  return [
    oauth === undefined ? "" : "a login of its own",
    (refreshModels ?? fetchDynamicModels) === undefined ? "" : "a list of models that it looks for",
  ].filter(Boolean);
}

function picked(given: Given, keys: readonly string[]): Given {
  const known = keys.filter((key) => given[key] !== undefined && given[key] !== null);
  return Object.fromEntries(known.map((key) => [key, given[key]]));
}
