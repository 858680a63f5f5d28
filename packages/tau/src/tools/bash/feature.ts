// Commands, in shells that remember.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { BASH_ROWS, BASH_VARIABLES, INTERCEPTOR_ROWS } from "./settings.ts";
import { WORKSPACE } from "../workspace.ts";

export const bash = toolFeature({
  name: "bash",
  settings: [BASH_ROWS, INTERCEPTOR_ROWS],
  variables: BASH_VARIABLES,
  make: async (host) => {
    const { createBashTool } = await import("./tool.ts");
    return createBashTool(host.need(WORKSPACE));
  },
  terminal: () => import("./terminal.ts"),
});
