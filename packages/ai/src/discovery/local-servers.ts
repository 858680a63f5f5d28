// llama.cpp and LM Studio: a list in OpenAI's form, and an address of their own that
// tells the context. Other servers that only know the list work as well.

import type { DiscoveredModel } from "./discovered-model.ts";
import { listModels } from "./openai-list.ts";
import { field, positive, type ServerConnection } from "./server-connection.ts";

export async function llamaCppModels(server: ServerConnection): Promise<DiscoveredModel[]> {
  const [listed, props] = await Promise.all([
    listModels(server, `${server.root}/v1/models`),
    server.ask(server.get(`${server.root}/props`)),
  ]);
  const settings = field(props, "default_generation_settings");
  const running = positive(field(settings, "n_ctx")) ?? positive(field(props, "n_ctx"));
  const modalities = field(props, "modalities");
  return listed.map(({ model, raw }) => {
    const meta = field(raw, "meta");
    // What it was started with; what the model could do comes second.
    const tokens =
      running ?? positive(field(meta, "n_ctx")) ?? positive(field(meta, "n_ctx_train"));
    const seen = field(modalities, "vision");
    return {
      ...model,
      contextWindow: tokens ?? model.contextWindow,
      input: typeof seen === "boolean" ? inputOf(seen) : model.input,
    };
  });
}

export async function lmStudioModels(server: ServerConnection): Promise<DiscoveredModel[]> {
  const [listed, native] = await Promise.all([
    listModels(server, `${server.base}/models`),
    server.ask(server.get(`${server.root}/api/v0/models`)),
  ]);
  const entries = field(native, "data");
  const byId = new Map<unknown, unknown>(
    Array.isArray(entries) ? entries.map((entry) => [field(entry, "id"), entry]) : [],
  );
  return listed.flatMap(({ model }) => {
    const more = byId.get(model.id);
    if (more === undefined) return [model];
    const type = field(more, "type");
    if (type === "embeddings") return [];
    const tokens =
      positive(field(more, "loaded_context_length")) ?? positive(field(more, "max_context_length"));
    return [
      {
        ...model,
        contextWindow: tokens ?? model.contextWindow,
        input: type === "vlm" || type === "llm" ? inputOf(type === "vlm") : model.input,
      },
    ];
  });
}

function inputOf(seesImages: boolean): DiscoveredModel["input"] {
  return seesImages ? ["text", "image"] : ["text"];
}
