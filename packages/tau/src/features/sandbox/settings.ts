// How commands are confined. All of it is the user's alone: a repository must not open its own
// cage.

import { list, oneOf } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const SANDBOX_ROWS = settingGroup("sandbox", "Confining commands", {
  mode: oneOf(
    ["off", "workspace"],
    "off",
    "Whether commands may write only to the workspace and see no secrets",
    { scope: "user", guards: { kind: "confinement", closed: "workspace" } },
  ),
  network: oneOf(["on", "off"], "on", "Whether confined commands reach the network", {
    scope: "user",
    guards: { kind: "confinement", closed: "off" },
  }),
  writable: list("Further directories or files that confined commands may write", {
    scope: "user",
    guards: { kind: "confinement", closed: [] },
  }),
});

export type SandboxSettings = GroupValues<typeof SANDBOX_ROWS>;
