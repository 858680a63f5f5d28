// Whether a hook is meant: by names that are compared as they stand (`Edit|Write`), or else by a regular
// expression that occurs in one of them.

import { matchesPattern } from "@tau/agent/bounded-pattern";
import type { CommandHook } from "./command-hook.ts";

const PLAIN_NAMES = /^[\w|]+$/;

/** `names`: what happened, in every word for it. */
export function matches(
  { matcher }: Pick<CommandHook, "matcher">,
  names: readonly string[],
): boolean {
  if (matcher === undefined) return true;
  if (PLAIN_NAMES.test(matcher)) return matcher.split("|").some((name) => names.includes(name));
  // One that cannot be tried in time is as good as one that matches: it may be a guard's.
  return names.some((name) => matchesPattern(matcher, name) ?? true);
}
