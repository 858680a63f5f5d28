// Editing: changes to files in the language that suits the model.

import { toolFeature } from "../../feature-api/tool-feature.ts";
import { EDIT_ROWS } from "../file-tool-settings.ts";
import { WORKSPACE } from "../workspace.ts";

export const edit = toolFeature({
  name: "edit",
  settings: [EDIT_ROWS],
  variables: {
    TAU_EDIT_VARIANT: {
      type: "text",
      help: "Edit format of all models",
      setting: "edit.mode",
      project: "may",
    },
  },
  make: async (host) => {
    const { createEditTool } = await import("./tool.ts");
    return createEditTool(host.need(WORKSPACE));
  },
  commandLine: () => import("./command-line.ts"),
  terminal: () => import("./terminal.ts"),
});
