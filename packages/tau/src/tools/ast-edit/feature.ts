// Rewriting by syntax: shown first, then applied or discarded.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { WORKSPACE } from "../workspace.ts";

export const astEdit = toolFeature({
  name: "ast_edit",
  variables: {
    TAU_MAX_AST_FILES: {
      type: "number",
      help: "Maximum number of files per structural rewrite, up to 1,000",
      project: "may",
    },
  },
  make: async (host) => {
    const { createAstEditTool } = await import("./tool.ts");
    return createAstEditTool(host.need(WORKSPACE));
  },
  terminal: () => import("./terminal.ts"),
});
