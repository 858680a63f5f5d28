// `GET /models`, as OpenAI has it, with what hosts add to it.

import { canTalk } from "../catalog/can-talk.ts";
import { ModelError, modelFailure } from "../error.ts";
import type { WireId } from "../wire.ts";
import type { DiscoveredModel } from "./discovered-model.ts";
import { field, positive, type ServerConnection } from "./server-connection.ts";

/** Where hosts say how long the context is; the first that is there counts. */
const CONTEXT_FIELDS = ["max_model_len", "context_length", "context_window", "max_context_length"];

export interface ListedModel {
  model: DiscoveredModel;
  /** The entry as it came, for those who know more of its fields. */
  raw: unknown;
}

export async function openAiList(server: ServerConnection): Promise<DiscoveredModel[]> {
  return (await listModels(server, `${server.base}/models`)).map(({ model }) => model);
}

/** One address, two wires: each model says on which it is served. */
export async function proxyList(
  server: ServerConnection,
  fallbackWire: WireId | undefined,
): Promise<DiscoveredModel[]> {
  const listed = await listModels(server, `${server.root}/v1/models`);
  return listed.flatMap(({ model, raw }) => {
    const types = field(raw, "supported_endpoint_types");
    const served = Array.isArray(types) ? types : [];
    if (served.includes("anthropic")) return [{ ...model, wire: "anthropic-messages" as const }];
    if (served.includes("openai")) return [{ ...model, wire: "openai-completions" as const }];
    // One that says how it is served, and not as a conversation, makes pictures or vectors.
    return served.length > 0 || !fallbackWire ? [] : [{ ...model, wire: fallbackWire }];
  });
}

export async function listModels(server: ServerConnection, url: string): Promise<ListedModel[]> {
  const answer = await server.get(url);
  const entries = Array.isArray(answer)
    ? answer
    : (field(answer, "data") ?? field(answer, "models"));
  if (!Array.isArray(entries)) {
    throw new ModelError(modelFailure("protocol", `${url} did not answer with a list of models.`));
  }
  const seen = new Set<string>();
  return entries.flatMap((raw) => {
    const id = field(raw, "id");
    if (typeof id !== "string" || id === "" || seen.has(id) || !canTalk(id)) return [];
    seen.add(id);
    return [{ model: describe(id, raw), raw }];
  });
}

function describe(id: string, raw: unknown): DiscoveredModel {
  const model: DiscoveredModel = { id };
  const name = field(raw, "name") ?? field(raw, "display_name");
  if (typeof name === "string" && name !== "") model.name = name;
  for (const key of CONTEXT_FIELDS) {
    const tokens = positive(field(raw, key));
    if (tokens === undefined) continue;
    model.contextWindow = tokens;
    break;
  }
  const maxOutput = positive(field(field(raw, "top_provider"), "max_completion_tokens"));
  if (maxOutput !== undefined) model.maxOutput = maxOutput;
  const modalities = field(field(raw, "architecture"), "input_modalities");
  if (Array.isArray(modalities)) {
    model.input = modalities.includes("image") ? ["text", "image"] : ["text"];
  }
  return model;
}
