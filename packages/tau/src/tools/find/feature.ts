// Finding files by name.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { WORKSPACE } from "../workspace.ts";

export const find = toolFeature({
  name: "find",
  make: async (host) => {
    const { createFindTool } = await import("./tool.ts");
    return createFindTool(host.need(WORKSPACE));
  },
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
});
