// Searching by syntax.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { WORKSPACE } from "../workspace.ts";

export const astGrep = toolFeature({
  name: "ast_grep",
  make: async (host) => {
    const { createAstGrepTool } = await import("./tool.ts");
    return createAstGrepTool(host.need(WORKSPACE));
  },
  terminal: () => import("./terminal.ts"),
});
