// A document of hooks (event → groups with a matcher → handlers) as commands to run. What cannot be run
// is told by name; at PreToolUse, where it may have guarded something, it blocks instead.

import { matchesPattern } from "@tau/agent/bounded-pattern";
import type { CommandHook, HookOrigin } from "./command-hook.ts";
import { HOOK_EVENTS, isHookEvent, NOT_EVENTS, type HookEvent } from "./hook-events.ts";

const DEFAULT_TIMEOUT_S = 60;
/** Longer than any check that somebody waits for. */
const MAX_TIMEOUT_S = 3600;

export interface ReadHooks {
  hooks: CommandHook[];
  /** A sentence each, with the file. */
  problems: string[];
}

/** `document`: what stands under `hooks`. For files of users and projects, and for plugins with their root. */
export function readHooks(document: unknown, origin: HookOrigin): ReadHooks {
  const found: ReadHooks = { hooks: [], problems: [] };
  const tell = (problem: string): void => void found.problems.push(`${origin.file}: ${problem}`);
  if (!isRecord(document)) {
    tell("`hooks` is not a map of events");
    return found;
  }
  for (const [event, groups] of Object.entries(document)) {
    if (NOT_EVENTS.has(event)) continue;
    if (!isHookEvent(event)) {
      if (Array.isArray(groups) && groups.length > 0) {
        tell(`the hooks of ${event} never run: Tau has no such event`);
      }
      continue;
    }
    readEvent(event, groups, { origin, found, tell });
  }
  return found;
}

interface Reading {
  origin: HookOrigin;
  found: ReadHooks;
  tell: (problem: string) => void;
}

function readEvent(event: HookEvent, groups: unknown, { origin, found, tell }: Reading): void {
  const lose = (why: string, matcher?: string): void => {
    tell(`${event}: ${why}`);
    if (event !== "PreToolUse") return;
    const lost = { event, matcher, command: "", timeoutMs: 0, isAsync: false, origin, broken: why };
    found.hooks.push(lost);
  };
  if (!Array.isArray(groups)) return lose("expected a list of groups");
  for (const group of groups) {
    if (!isRecord(group) || !Array.isArray(group.hooks)) {
      lose("expected `hooks`, a list of commands, in each group");
      continue;
    }
    const matcher = readMatcher(event, group.matcher, tell);
    for (const handler of group.hooks) {
      if (!isRecord(handler)) {
        lose("a hook is not a map", matcher);
        continue;
      }
      const { type = "command", command } = handler;
      if (type !== "command") {
        const words = handler.prompt ?? handler.url ?? handler.tool ?? "";
        tell(`${event}: a hook of type ${String(type)} is not supported (${String(words)})`);
      } else if (typeof command !== "string" || command.trim() === "") {
        lose("a hook has no command", matcher);
      } else {
        if (handler.if !== undefined) tell(`${event}: \`if\` is ignored; ${command} always runs`);
        const timeoutMs = readTimeout(handler, (why) => tell(`${event}: ${command}: ${why}`));
        const isAsync = handler.async === true;
        found.hooks.push({ event, matcher, command, timeoutMs, isAsync, origin });
      }
    }
  }
}

/** One that is no pattern matches everything: a guard must not be lost to a slip. */
function readMatcher(
  event: HookEvent,
  given: unknown,
  tell: (problem: string) => void,
): string | undefined {
  if (HOOK_EVENTS[event] === "nothing" || given === undefined || given === null) return undefined;
  if (given === "" || given === "*") return undefined;
  if (typeof given === "string" && matchesPattern(given, "") !== undefined) return given;
  const shown = JSON.stringify(given);
  tell(`${event}: the matcher ${shown} is not a usable pattern; its hooks run every time`);
  return undefined;
}

function readTimeout(
  { timeout, timeoutSec }: Record<string, unknown>,
  tell: (why: string) => void,
): number {
  const given = timeout ?? timeoutSec ?? DEFAULT_TIMEOUT_S;
  const isUsable = typeof given === "number" && given > 0;
  if (!isUsable) tell(`the timeout ${JSON.stringify(given)} is not a number of seconds`);
  return Math.min(isUsable ? given : DEFAULT_TIMEOUT_S, MAX_TIMEOUT_S) * 1000;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
