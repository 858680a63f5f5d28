// The names of all hook points while the program runs, for laws that hold at every one of them. The
// compiler wants each point of `HookPoints` here, and no other.

import type { RunHookPoints } from "./hook-points.ts";
import type { SessionHookPoints } from "./session-hook-points.ts";

export type RunHookName = keyof RunHookPoints;
export type SessionHookName = keyof SessionHookPoints;

/** In the order in which a run comes to them. */
const RUN_HOOKS: Record<RunHookName, true> = {
  input: true,
  run_start: true,
  context: true,
  request: true,
  stream: true,
  failure: true,
  reply: true,
  tool_call: true,
  tool_result: true,
  turn_end: true,
  idle: true,
};

const SESSION_HOOKS: Record<SessionHookName, true> = {
  session_start: true,
  session_before_prompt: true,
  session_shorten: true,
  session_cut_reply: true,
  session_before_switch: true,
  session_switch: true,
  session_before_branch: true,
  session_branch: true,
  session_before_compact: true,
  session_compacting: true,
  session_compact: true,
  session_before_tree: true,
  session_summarise_branch: true,
  session_tree: true,
  session_handing_over: true,
  own_run: true,
  session_end: true,
};

export const RUN_HOOK_NAMES = Object.keys(RUN_HOOKS) as readonly RunHookName[];
export const SESSION_HOOK_NAMES = Object.keys(SESSION_HOOKS) as readonly SessionHookName[];
