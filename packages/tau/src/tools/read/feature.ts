// Reading: files, directories, and everything else that a path can lead to.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { LISTING_ROWS, READ_ROWS } from "../file-tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

export const read = toolFeature({
  name: "read",
  settings: [LISTING_ROWS, READ_ROWS],
  make: async (host) => {
    const { createReadTool } = await import("./tool.ts");
    return createReadTool(host.need(WORKSPACE));
  },
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
});
