// What the shell does itself, without a program: assignments, redirections, and what a compound command
// does before the commands in it.

import type { CommandCall, CommandWalk } from "./command-call.ts";
import type { CommandEffects } from "./command-effects.ts";
import { NO_INPUT } from "./no-input.ts";
import type { ShellContext } from "./shell-context.ts";
import { UNKNOWN_STATE } from "./shell-state.ts";
import type { Compound, SimpleCommand } from "./syntax-tree.ts";

export function bareNode({ redirects, text }: Pick<Compound, "redirects" | "text">): SimpleCommand {
  return { type: "simple", assignments: [], words: [], redirects, text, from: 0, to: 0 };
}

export function bareCall(
  walk: CommandWalk & { readonly context: ShellContext },
  node: SimpleCommand,
  effects: CommandEffects,
): CommandCall {
  return {
    name: "",
    args: [],
    state: UNKNOWN_STATE,
    effects,
    input: NO_INPUT,
    node,
    environment: new Map(),
    context: walk.context,
    walk,
  };
}
