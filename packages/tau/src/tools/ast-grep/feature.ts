// Searching by syntax.

import { settingGroup } from "../../config/setting-group.ts";
import { toolFeature } from "../../feature-api/tool-feature.ts";
import { toolSwitch } from "../tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

const AST_GREP_ROWS = settingGroup("astGrep", "Structural search", {
  enabled: toolSwitch("The `ast_grep` tool: structural search"),
});

export const astGrep = toolFeature({
  name: "ast_grep",
  settings: [AST_GREP_ROWS],
  offersTools: (settings) => settings.group(AST_GREP_ROWS).enabled,
  make: async (host) => {
    const { createAstGrepTool } = await import("./tool.ts");
    return createAstGrepTool(host.need(WORKSPACE));
  },
  terminal: () => import("./terminal.ts"),
});
