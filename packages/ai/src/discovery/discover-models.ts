// Asks a server which models it has. Rejects with a `ModelError` and nothing else; never
// on the way to the first request.

import type { DiscoveryKind } from "../provider-row.ts";
import type { WireId } from "../wire.ts";
import { cursorModels } from "./cursor-models.ts";
import type { DiscoveredModel } from "./discovered-model.ts";
import { llamaCppModels, lmStudioModels } from "./local-servers.ts";
import { ollamaModels } from "./ollama.ts";
import { openAiList, proxyList } from "./openai-list.ts";
import { ServerConnection, type ConnectionOptions } from "./server-connection.ts";

export interface DiscoveryOptions extends ConnectionOptions {
  /** For models of a proxy that do not say how they are served; without it they are left out. */
  fallbackWire?: WireId;
  /** How the endpoint differs, for servers that are not asked in the usual way. */
  quirks?: Readonly<Record<string, unknown>>;
}

export function discoverModels(
  kind: DiscoveryKind,
  options: DiscoveryOptions,
): Promise<DiscoveredModel[]> {
  const server = new ServerConnection(options);
  switch (kind) {
    case "ollama":
      return ollamaModels(server);
    case "llama.cpp":
      return llamaCppModels(server);
    case "lm-studio":
      return lmStudioModels(server);
    case "openai-models-list":
      return openAiList(server);
    case "proxy":
      return proxyList(server, options.fallbackWire);
    case "cursor":
      return cursorModels(server, options.quirks);
  }
}
