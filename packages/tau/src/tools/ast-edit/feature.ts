// Rewriting by syntax: shown first, then applied or discarded.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { WORKSPACE } from "../workspace.ts";

export const astEdit = toolFeature({
  name: "ast_edit",
  make: async (host) => {
    const { createAstEditTool } = await import("./tool.ts");
    return createAstEditTool(host.need(WORKSPACE));
  },
  terminal: () => import("./terminal.ts"),
});
