// How commands are run.

import { amount, flag, list, text, type LostPart } from "../../config/setting.ts";
import { defaultsOf, settingGroup, type GroupValues } from "../../config/setting-group.ts";

export const BASH_ROWS = settingGroup("bash", "Commands", {
  stripTrailingHeadTail: flag(
    true,
    "Whether a trailing `| head` or `| tail` is left out, where it hides output",
  ),
  minimizeOutput: flag(
    true,
    "Whether progress of builds, tests and installers is left out of output",
  ),
  // Both decide what is run.
  userRc: flag(
    true,
    "Whether commands have the aliases, functions and variables of your `~/.bashrc`",
    { scope: "user" },
  ),
  shellPath: text("", "The bash, PowerShell or cmd that runs commands; a usual one if unset", {
    scope: "user",
    // It may be one that confines what it runs.
    guards: { kind: "tool", tool: "bash" },
  }),
  "autoBackground.enabled": flag(
    false,
    "Whether a command that takes long becomes a job by itself",
  ),
  "autoBackground.thresholdMs": amount(60_000, "After how long", { min: 1000, unit: "ms" }),
});

export const INTERCEPTOR_ROWS = settingGroup(
  "bashInterceptor",
  "Commands that a tool does better",
  {
    enabled: flag(false, "Whether they are turned away with a word on which tool", {
      guards: { kind: "tool", closed: true },
    }),
    patterns: list("Rules of your own: `{pattern, tool, message}`", {
      scope: "user",
      guards: { kind: "tool", tool: "bash", check: checkPatterns },
    }),
  },
);

async function checkPatterns(value: unknown): Promise<LostPart[]> {
  return (value as readonly unknown[]).flatMap((entry, at): LostPart[] => {
    const message = "{pattern, tool, message} is expected, the pattern a regular expression";
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
