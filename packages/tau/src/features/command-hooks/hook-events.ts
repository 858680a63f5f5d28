// The events at which hooks run, by the names that other tools gave them, and what a matcher is compared
// with at each.

/** `nothing`: a matcher there is not looked at, as in the tools that these events come from. */
export type MatchedWith = "tool" | "source" | "trigger" | "reason" | "type" | "nothing";

export const HOOK_EVENTS = {
  PreToolUse: "tool",
  PostToolUse: "tool",
  PostToolUseFailure: "tool",
  PermissionRequest: "tool",
  UserPromptSubmit: "nothing",
  SessionStart: "source",
  SessionEnd: "reason",
  Stop: "nothing",
  SubagentStop: "nothing",
  PreCompact: "trigger",
  PostCompact: "trigger",
  Notification: "type",
} as const satisfies Record<string, MatchedWith>;

export type HookEvent = keyof typeof HOOK_EVENTS;

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(HOOK_EVENTS, name);
}

/** Codex keeps what it knows of its hooks beside them. */
export const NOT_EVENTS: ReadonlySet<string> = new Set([
  "state",
  "managed_dir",
  "windows_managed_dir",
]);
