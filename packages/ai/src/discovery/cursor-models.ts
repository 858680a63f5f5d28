// The models of a Cursor account. The service tells names, and little else.

import type { Model } from "../model.ts";
import type { DiscoveredModel } from "./discovered-model.ts";
import type { ServerConnection } from "./server-connection.ts";

/** What Cursor gives its models where nothing is said. */
const USUAL_CONTEXT = 200_000;
/** Said in the name only: "Opus 5 1M". */
const LARGE_CONTEXT = { words: /\b1M\b/i, tokens: 1_000_000 };

export async function cursorModels(
  server: ServerConnection,
  quirks: Model["quirks"],
): Promise<DiscoveredModel[]> {
  const { listModels } = await import("../wires/cursor-agent/list-models.ts");
  const { clientHeaders } = await import("../wires/cursor-agent/encode-request.ts");
  const listed = await server.through((headers, signal) =>
    listModels(server.base, { ...clientHeaders({ quirks }), ...headers }, signal),
  );
  const seen = new Set<string>();
  return listed.flatMap(({ id = "", name, maxMode }) => {
    if (id === "" || seen.has(id)) return [];
    seen.add(id);
    const found: DiscoveredModel = {
      id,
      contextWindow: LARGE_CONTEXT.words.test(name ?? "") ? LARGE_CONTEXT.tokens : USUAL_CONTEXT,
      // How long it thinks is part of its id: there is nothing to choose besides.
      thinks: false,
    };
    if (name) found.name = name;
    if (maxMode) found.quirks = { maxMode };
    return [found];
  });
}
