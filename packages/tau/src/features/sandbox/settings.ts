// How what the model starts is confined. All of it is the user's alone: a repository must not open its own
// cage.

import { list, oneOf } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const SANDBOX_ROWS = settingGroup("sandbox", "Sandbox", {
  mode: oneOf(
    ["off", "workspace"],
    "off",
    "Sandbox commands and cells: they can write only to the workspace and cannot read secrets",
    { scope: "user", guards: { kind: "confinement", closed: "workspace" } },
  ),
  kind: oneOf(
    ["auto", "bubblewrap", "landlock"],
    "auto",
    "What makes the sandbox; `auto` is bubblewrap, or Landlock if that is not available",
    { scope: "user", guards: { kind: "confinement", closed: "auto" } },
  ),
  network: oneOf(["on", "off"], "off", "Whether sandboxed commands have network access", {
    scope: "user",
    guards: { kind: "confinement", closed: "off" },
  }),
  writable: list("Additional directories or files that sandboxed commands may write", {
    scope: "user",
    guards: { kind: "confinement", closed: [] },
  }),
});

export type SandboxSettings = GroupValues<typeof SANDBOX_ROWS>;
