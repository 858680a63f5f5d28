// How commands are run.

import type { VariableRows } from "../../config/environment-table.ts";
import { amount, flag, list, text, type LostPart } from "../../config/setting.ts";
import { toolSwitch } from "../tool-settings.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const BASH_ROWS = settingGroup("bash", "Commands", {
  enabled: toolSwitch("The `bash` tool: run commands"),
  stripTrailingHeadTail: flag(
    false,
    "Remove a trailing `| head` or `| tail` that would hide output",
  ),
  minimizeOutput: flag(true, "Remove progress output of builds, tests and installers"),
  // Both decide what is run.
  userRc: flag(true, "Load the aliases, functions and variables of your `~/.bashrc`", {
    scope: "user",
  }),
  shellPath: text("", "Shell that runs commands: bash, PowerShell or cmd; detected if unset", {
    scope: "user",
    // It may be one that confines what it runs.
    guards: { kind: "tool", tool: "bash" },
  }),
  "autoBackground.enabled": flag(
    false,
    "Move long-running commands to the background automatically",
  ),
  "autoBackground.thresholdMs": amount(60_000, "How long a command runs before it becomes a job", {
    min: 1000,
    unit: "ms",
  }),
});

export const BASH_VARIABLES = {
  TAU_SHELL_PATH: { type: "path", help: "Shell that runs commands", setting: "bash.shellPath" },
  TAU_NO_PTY: {
    type: "boolean",
    help: "Run commands that ask for a terminal (PTY) without one",
  },
} as const satisfies VariableRows;

export const INTERCEPTOR_ROWS = settingGroup("bashInterceptor", "Command interceptor", {
  enabled: flag(false, "Reject commands that a tool does better, and name the tool", {
    guards: { kind: "tool", closed: true },
  }),
  patterns: list("Additional rules: `{pattern, tool, message}`", {
    scope: "user",
    guards: { kind: "tool", tool: "bash", check: checkPatterns },
  }),
});

async function checkPatterns(value: unknown): Promise<LostPart[]> {
  return (value as readonly unknown[]).flatMap((entry, at): LostPart[] => {
    const message = "expected {pattern, tool, message}, with a regular expression as the pattern";
    return isPattern(entry) ? [] : [{ path: [at], message, calls: { tool: "bash" } }];
  });
}

function isPattern(entry: unknown): boolean {
  const { pattern, tool, message } = (entry ?? {}) as Record<string, unknown>;
  if (typeof tool !== "string" || typeof message !== "string") return false;
  try {
    return typeof pattern === "string" && Boolean(new RegExp(pattern));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

export type InterceptorSettings = GroupValues<typeof INTERCEPTOR_ROWS>;

export const DEFAULT_INTERCEPTOR: InterceptorSettings = defaultsOf(INTERCEPTOR_ROWS);

export type BashSettings = GroupValues<typeof BASH_ROWS>;

export const DEFAULT_BASH_SETTINGS: BashSettings = defaultsOf(BASH_ROWS);
