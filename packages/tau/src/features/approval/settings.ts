// How consent is set up. All of it is the user's: a project has no say in what may run.

import { list, map, oneOf } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const APPROVAL_MODES = ["always-ask", "write", "auto", "yolo"] as const;
export type ApprovalMode = (typeof APPROVAL_MODES)[number];

export const APPROVAL_ROWS = settingGroup("tools", "Consent", {
  approvalMode: oneOf(
    APPROVAL_MODES,
    "auto",
    "Approval mode: ask about all changes, all commands, only danger, or nothing",
    {
      scope: "user",
      guards: { kind: "consent", closed: "always-ask", stricter: stricterMode },
    },
  ),
  approval: map("Policy per tool: `allow`, `prompt` or `deny`", {
    scope: "user",
    guards: {
      kind: "consent",
      stricter: stricterPolicies,
      check: async (value) => (await import("./check-consent.ts")).checkPolicies(value),
    },
  }),
  projectRules: map(
    'Rules that hold in one project, by its directory: `{"/home/ada/shop": ["allow bash(npm test*)"]}`',
    {
      scope: "user",
      guards: {
        kind: "consent",
        check: async (value) => (await import("./check-consent.ts")).checkProjectRules(value),
      },
    },
  ),
  rules: list("Rules for single calls; the last match wins: `allow bash(npm test*)`", {
    scope: "user",
    guards: {
      kind: "consent",
      check: async (value) => (await import("./check-consent.ts")).checkRules(value),
    },
  }),
});

/** Those that ask about more than the default. */
function stricterMode(value: unknown): unknown {
  return value === "always-ask" || value === "write" ? value : undefined;
}

/** What is allowed elsewhere is not allowed here; what is not, is not here either. */
function stricterPolicies(value: unknown): unknown {
  const kept = Object.entries(value as object).filter(([, word]) => word !== "allow");
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

export type ApprovalSettings = GroupValues<typeof APPROVAL_ROWS>;
