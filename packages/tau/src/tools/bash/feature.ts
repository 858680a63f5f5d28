// Commands, in shells that remember.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { BASH_ROWS, BASH_VARIABLES, INTERCEPTOR_ROWS } from "./settings.ts";
import { WORKSPACE } from "../workspace.ts";

export const bash = toolFeature({
  name: "bash",
  settings: [BASH_ROWS, INTERCEPTOR_ROWS],
  variables: BASH_VARIABLES,
  offersTools: (settings) => settings.group(BASH_ROWS).enabled,
  lines: [
    {
      sign: "!",
      label: "shell",
      border: "bashMode",
      stops: "stops the command",
      matches: (line) => line.startsWith("!"),
      run: async (place, line) => (await import("./shell-line.ts")).runShellLine(place, line),
    },
  ],
  make: async (host) => {
    const { createBashTool } = await import("./tool.ts");
    return createBashTool(host.need(WORKSPACE));
  },
  protocol: () => import("./protocol.ts"),
  terminal: () => import("./terminal.ts"),
});
