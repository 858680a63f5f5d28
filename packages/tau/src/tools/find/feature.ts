// Finding files by name.

import { settingGroup } from "../../config/setting-group.ts";
import { toolFeature } from "../../feature-api/tool-feature.ts";
import { toolSwitch } from "../tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

const FIND_ROWS = settingGroup("find", "Finding", {
  enabled: toolSwitch("The `find` tool: find files by name"),
});

export const find = toolFeature({
  name: "find",
  settings: [FIND_ROWS],
  offersTools: (settings) => settings.group(FIND_ROWS).enabled,
  make: async (host) => {
    const { createFindTool } = await import("./tool.ts");
    return createFindTool(host.need(WORKSPACE));
  },
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
});
