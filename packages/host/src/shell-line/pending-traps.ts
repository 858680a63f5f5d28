// Scripts that `trap` leaves for later. They run with the values that variables have, and in the
// directory that the shell is in, at some point from then on; so each is judged once for every set of
// these that the line may have.

import type { CommandCall } from "./command-call.ts";
import type { Outcome, ShellState } from "./shell-state.ts";
import type { FunctionDefinition } from "./syntax-tree.ts";

/** A trap that may see more of them than this is not judged. */
const MAX_SITUATIONS = 8;

interface Trap {
  call: CommandCall;
  script: string;
  /** Variables that it uses, in functions that it calls as well. */
  names: readonly string[];
  seen: Set<string>;
  /** Variables that get the name of a temporary file after it, and nothing else. */
  later: ReadonlySet<string>;
}

export class PendingTraps {
  #traps: Trap[] = [];

  add(
    call: CommandCall,
    script: string,
    functions: Iterable<FunctionDefinition>,
    line: string,
  ): void {
    const all = [...functions];
    const isCalling = all.some(({ name }) => script.includes(name));
    // A function may call the others.
    const used = isCalling ? all.flatMap(parametersIn) : [];
    const names = [...variablesIn(script), ...used];
    const later = new Set(names.filter((name) => isTemporaryLater(name, line)));
    this.#traps.push({ call, script, names, seen: new Set(), later });
  }

  /** Whatever they have not been judged in yet. */
  judge({ ok, failed }: Outcome, run: (call: CommandCall, script: string) => void): void {
    if (this.#traps.length === 0) return;
    // What a trap runs is no reason to judge it again.
    const traps = this.#traps;
    this.#traps = [];
    for (const trap of traps) {
      for (const state of [ok, failed]) {
        if (!state || isWaiting(trap, state)) continue;
        if (isNew(trap, state)) run({ ...trap.call, state }, trap.script);
      }
    }
    this.#traps = [...traps, ...this.#traps];
  }
}

/** `trap 'rm -f "$tmp"' EXIT; tmp=$(mktemp)`: until it has a value it is nothing, and `rm -f ""` does nothing. */
function isWaiting({ script, names, later }: Trap, { variables }: ShellState): boolean {
  const isRemoving = /^\s*rm(?:\s+-[rf]+)*(?:\s+"\$\{?\w+\}?")+\s*$/.test(script);
  return isRemoving && names.every((name) => later.has(name) && !variables.has(name));
}

/** All that the line gives it are temporary files, openly. */
function isTemporaryLater(name: string, line: string): boolean {
  const uses = [...line.matchAll(new RegExp(String.raw`(?<![\w$\{])${name}\b(.{0,12})`, "gs"))];
  return uses.length > 0 && uses.every(([, rest]) => /^="?\$\(mktemp\b/.test(rest!));
}

function isNew({ names, seen, call }: Trap, { variables, directories }: ShellState): boolean {
  const values = names.map((name) => variables.get(name)?.text ?? "?");
  const situation = [...(directories ?? ["?"]), "", ...values].join("\0");
  if (seen.has(situation)) return false;
  seen.add(situation);
  if (seen.size <= MAX_SITUATIONS) return true;
  call.effects.unknown.push("it has too many commands to judge");
  return false;
}

function variablesIn(script: string): string[] {
  return [...script.matchAll(/\$\{?[!#]?(\w+)/g)].map(([, name]) => name!);
}

/** Names of the variables that a function uses, wherever in it. */
function parametersIn(node: object): string[] {
  if ("type" in node && node.type === "parameter" && "name" in node) return [String(node.name)];
  return Object.values(node).flatMap((value: unknown) =>
    typeof value === "object" && value !== null ? parametersIn(value) : [],
  );
}
