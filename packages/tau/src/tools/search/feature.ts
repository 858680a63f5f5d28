// Searching in files.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { SEARCH_ROWS } from "../file-tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

export const search = toolFeature({
  name: "search",
  settings: [SEARCH_ROWS],
  offersTools: (settings) => settings.group(SEARCH_ROWS).enabled,
  make: async (host) => {
    const { createSearchTool } = await import("./tool.ts");
    return createSearchTool(host.need(WORKSPACE));
  },
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
});
