// How consent is set up. All of it is the user's: a project has no say in what may run.

import { list, map, oneOf } from "../../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const APPROVAL_MODES = ["always-ask", "write", "auto", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const APPROVAL_ROWS = settingGroup("tools", "Consent", {
  approvalMode: oneOf(
    APPROVAL_MODES,
    "auto",
    "What is asked about: all changes, all commands, only what is dangerous, nothing",
    { scope: "user" },
  ),
  approval: map("For single tools: `allow`, `prompt` or `deny`", { scope: "user" }),
  rules: list("For single calls, the last that fits counts: `allow bash(npm test*)`", {
    scope: "user",
  }),
});

export type ApprovalSettings = GroupValues<typeof APPROVAL_ROWS>;

export const DEFAULT_APPROVAL: ApprovalSettings = defaultsOf(APPROVAL_ROWS);
