// Whether agents can be started, how many, how deep, and for how long.

import { amount, flag, list, oneOf } from "../../config/setting.ts";
import { settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const TASK_ROWS = settingGroup("task", "Agents", {
  enabled: flag(true, "The `task` tool: give work to other agents"),
  maxConcurrency: amount(32, "Maximum number of agents at work at once; 0: no limit", { min: 0 }),
  maxRecursionDepth: amount(2, "How deep agents may start agents; 0: not at all", {
    min: 0,
    max: 8,
  }),
  agentIdleTtlMs: amount(420_000, "How long an idle agent stays in memory; 0: as long as Tau", {
    min: 0,
    unit: "ms",
  }),
  softRequestBudget: amount(200, "Model calls after which an agent is told to finish; 0: never", {
    min: 0,
  }),
  maxRuntimeMs: amount(0, "How long an agent may work on a task; 0: no limit", {
    min: 0,
    unit: "ms",
  }),
  disabledAgents: list("Names of agents that must not be started"),
  "isolation.mode": oneOf(
    ["auto", "overlay", "worktree", "none"],
    "auto",
    "How agents get a working tree of their own: auto, overlay, worktree or none",
    { aliases: { "fuse-overlay": "overlay", "fuse-projfs": "auto" } },
  ),
  "isolation.merge": oneOf(
    ["patch", "branch"],
    "patch",
    "What becomes of an isolated agent's changes: a patch that is applied, or a branch",
  ),
});

export type TaskSettings = GroupValues<typeof TASK_ROWS>;

export const IRC_ROWS = settingGroup("irc", "Messages between agents", {
  timeoutMs: amount(120_000, "How long an agent waits for a message; 0: for ever", {
    min: 0,
    unit: "ms",
  }),
});
