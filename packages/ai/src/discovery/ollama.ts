// Ollama's own API: `/api/tags` lists, `/api/show` tells more of one model. Its list in
// OpenAI's form says nothing of contexts.

import { ModelError, modelFailure } from "../error.ts";
import type { DiscoveredModel } from "./discovered-model.ts";
import { field, positive, type ServerConnection } from "./server-connection.ts";

/** A server at home may have fifty models and one disk to read them from. */
const SHOWN_AT_ONCE = 4;

export async function ollamaModels(server: ServerConnection): Promise<DiscoveredModel[]> {
  const listed = field(await server.get(`${server.root}/api/tags`), "models");
  if (!Array.isArray(listed)) {
    throw new ModelError(
      modelFailure("protocol", `${server.root} does not answer like an Ollama server.`),
    );
  }
  const names = listed
    .map((entry) => field(entry, "name") ?? field(entry, "model"))
    .filter((name): name is string => typeof name === "string" && name !== "");
  const found = Array.from<DiscoveredModel | undefined>({ length: names.length });
  let next = 0;
  const showSome = async (): Promise<void> => {
    for (let at = next++; at < names.length; at = next++) {
      const id = names[at]!;
      const shown = server.post(`${server.root}/api/show`, { model: id });
      found[at] = describe(id, await server.ask(shown));
    }
  };
  await Promise.all(Array.from({ length: SHOWN_AT_ONCE }, showSome));
  return found.filter((model) => model !== undefined);
}

/** Undefined for a model that is not for talking. */
function describe(id: string, shown: unknown): DiscoveredModel | undefined {
  const model: DiscoveredModel = { id };
  const abilities = field(shown, "capabilities");
  if (Array.isArray(abilities)) {
    if (!abilities.includes("completion")) return undefined;
    model.input = abilities.includes("vision") ? ["text", "image"] : ["text"];
    model.thinks = abilities.includes("thinking");
  }
  const tokens = configuredContext(field(shown, "parameters")) ?? largestContext(shown);
  if (tokens !== undefined) model.contextWindow = tokens;
  return model;
}

/** What the model file sets is what the server really runs it with. */
function configuredContext(parameters: unknown): number | undefined {
  const line = typeof parameters === "string" ? /^num_ctx\s+(\d+)/m.exec(parameters) : null;
  return line ? positive(Number(line[1])) : undefined;
}

function largestContext(shown: unknown): number | undefined {
  const info = field(shown, "model_info");
  const architecture = field(info, "general.architecture");
  return positive(field(info, `${String(architecture)}.context_length`));
}
