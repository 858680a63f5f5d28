// Writing: whole files, and other resources that can be written.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { WORKSPACE } from "../workspace.ts";

export const write = toolFeature({
  name: "write",
  make: async (host) => {
    const { createWriteTool } = await import("./tool.ts");
    const workspace = host.need(WORKSPACE);
    return createWriteTool(workspace, {
      writeResource: (path, content, signal) => workspace.resources.write(path, content, signal),
    });
  },
  terminal: () => import("./terminal.ts"),
});
