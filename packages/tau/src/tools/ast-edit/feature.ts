// Rewriting by syntax: shown first, then applied or discarded.

import { settingGroup } from "../../config/setting-group.ts";
import { toolFeature } from "../../feature-api/tool-feature.ts";
import { toolSwitch } from "../tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

const AST_EDIT_ROWS = settingGroup("astEdit", "Structural rewrites", {
  enabled: toolSwitch("The `ast_edit` tool: structural rewrites"),
});

export const astEdit = toolFeature({
  name: "ast_edit",
  settings: [AST_EDIT_ROWS],
  offersTools: (settings) => settings.group(AST_EDIT_ROWS).enabled,
  previews: true,
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
