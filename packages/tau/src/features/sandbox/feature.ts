// The sandbox: what the commands of a session are confined to, if the user wants that.

import type { Feature } from "../../feature-api/feature.ts";
import { SANDBOX_ROWS } from "./settings.ts";
import { WORKSPACE } from "../../tools/workspace.ts";

export const sandbox: Feature = {
  name: "sandbox",
  settings: [SANDBOX_ROWS],
  isOn: ({ settings }) => settings.group(SANDBOX_ROWS).mode !== "off",
  setup: ({ need, cwd, env, settings }) => {
    need(WORKSPACE).shells.confine = async (writable) => {
      const { workspaceSandbox } = await import("./workspace-sandbox.ts");
      return workspaceSandbox({ cwd, env, settings: settings.group(SANDBOX_ROWS), writable });
    };
    return {};
  },
};
