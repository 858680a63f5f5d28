// A simple command: its assignments, its redirections, and the program it names.

import {
  addTargets,
  type CommandCall,
  type CommandInput,
  type CommandWalk,
} from "./command-call.ts";
import { noteSpelling, type CommandEffects } from "./command-effects.ts";
import { evaluateWhole, evaluateWord, type WordWorld } from "./evaluate-word.ts";
import { exactText, unknownField, type Field } from "./field.ts";
import {
  HIDDEN_COMMAND,
  hasHiddenCommand,
  isPromptWithCommand,
  PROMPT_COMMAND,
} from "./hidden-command.ts";
import { outputOf } from "./command-output.ts";
import { isStream, placePath } from "./place-path.ts";
import { PROGRAMS } from "./programs/program-table.ts";
import { isRiskyVariable, isShellVariable } from "./risky-variable.ts";
import type { ShellContext } from "./shell-context.ts";
import { join, sameOutcome, withVariable, type Outcome, type ShellState } from "./shell-state.ts";
import type { FunctionDefinition, Redirect, SimpleCommand } from "./syntax-tree.ts";

/** What a simple command needs of whoever walks over the line. */
export interface SimpleWalk extends CommandWalk {
  readonly context: ShellContext;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  isSplittingOdd: boolean;
  output: { paths?: readonly Field[]; value?: Field };
  effectsOf(node: object, text: string): CommandEffects;
  world(effects: CommandEffects, forget: (name: string) => void): WordWorld;
  runFunction(call: CommandCall, definition: FunctionDefinition): Outcome;
  /** Whether a function runs that calls this one. */
  isActive(name: string): boolean;
  /** Whether what runs now is a process beside another. */
  readonly isForking: boolean;
}

const SYSTEM_DIRECTORY = /^(?:\/usr(?:\/local)?)?\/s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

export function runSimple(
  walker: SimpleWalk,
  node: SimpleCommand,
  state: ShellState,
  input: CommandInput,
): Outcome {
  const effects = walker.effectsOf(node, wholeText(node));
  let now = state;
  const world = walker.world(effects, (name) => (now = withVariable(now, name, undefined)));
  const fields = node.words.flatMap((word) => evaluateWord(word, now, world));
  const flow = applyRedirects(walker, { node, command: node, state: now, input });
  const isBare = node.words.length === 0;
  let inside = now;
  for (const { name, value, elements, isAppended, isElement } of node.assignments) {
    const field = evaluateWhole(value, inside, world);
    for (const element of elements ?? []) evaluateWord(element, inside, world);
    if (hasHiddenCommand(field)) effects.unknown.push(HIDDEN_COMMAND);
    if (isPromptWithCommand(name, field)) effects.unknown.push(PROMPT_COMMAND);
    if (isRiskyVariable(name)) effects.executes = true;
    if (isBare && name === "IFS") walker.isSplittingOdd = true;
    else if (isBare && isShellVariable(name)) effects.unknown.push(`it changes ${name}`);
    const isWhole = !elements && !isAppended && !isElement;
    inside = withVariable(inside, name, isWhole ? field : undefined);
  }
  if (isBare) return sameOutcome(inside);
  const call = { name: "", args: [], state: now, effects, input: flow, node };
  const outcome = runFields(walker, { ...call, context: walker.context, walk: walker }, fields);
  if (effects.downloads || flow.isDownload) {
    for (const { path } of effects.overwrites) if (path !== undefined) walker.downloaded.add(path);
  }
  return outcome;
}

export enum NameLookup {
  /** As the shell does it: functions and aliases first. */
  shell,
  /** What `command`, `env`, `xargs` and the like run is never a function. */
  program,
}

/** With the here documents that belong to it: what they say is part of what it does. */
export function wholeText({ text, redirects }: { text: string; redirects: Redirect[] }): string {
  const documents = redirects.flatMap(({ document }) => document?.text ?? []);
  return [text, ...documents].join("\n").trimEnd();
}

/** The same command with other arguments, too. */
export function runFields(
  walker: SimpleWalk,
  base: CommandCall,
  fields: readonly Field[],
  lookup: NameLookup = NameLookup.shell,
): Outcome {
  const { effects, state } = base;
  const [first, ...args] = fields;
  if (!first) return sameOutcome(state);
  const path = exactText(first);
  if (path === undefined || first.isMany) {
    effects.unknown.push("its command is only known when it runs");
    if (first.isDownload) effects.downloadsAndExecutes = true;
    return sameOutcome(state);
  }
  if (!/^[\x21-\x7e]*$/.test(path)) {
    effects.unknown.push("the name of its command has odd characters");
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  effects.program = name;
  const call: CommandCall = { ...base, name, args };
  noteSpelling(effects, name, args);
  if (path.includes("/") && !SYSTEM_DIRECTORY.test(path)) {
    effects.executes = true;
    noteDownloaded(walker, call, first);
  }
  const isShell = lookup === NameLookup.shell;
  if (isShell && walker.context.names?.has(path)) {
    effects.unknown.push(`${path} is a function or an alias of the shell`);
  }
  const definition = isShell ? walker.functions.get(path) : undefined;
  const judge = PROGRAMS.get(name);
  if (definition) {
    if (walker.isActive(path)) {
      if (walker.isForking) effects.critical.push("starts itself without end (a fork bomb)");
      return sameOutcome(state);
    }
    const own = walker.runFunction(call, definition);
    // The name may still be the program's: where the function is defined on one way only.
    const other = judge ? (judge(call) ?? sameOutcome(state)) : own;
    return { ok: join(own.ok, other.ok), failed: join(own.failed, other.failed) };
  }
  if (!judge) {
    effects.executes = true;
    return sameOutcome(state);
  }
  const outcome = judge(call) ?? sameOutcome(state);
  walker.output = outputOf(call);
  return outcome;
}

/** A file that this very line has fetched is run. */
function noteDownloaded(walker: SimpleWalk, call: CommandCall, field: Field): void {
  for (const { path } of placePath(field, call.state, call.context)) {
    if (path !== undefined && walker.downloaded.has(path)) call.effects.downloadsAndExecutes = true;
  }
}

/** Notes what is written; gives what flows in now. */
export function applyRedirects(
  walker: SimpleWalk,
  options: {
    node: object & { redirects: Redirect[] };
    command: SimpleCommand;
    state: ShellState;
    input: CommandInput;
  },
): CommandInput {
  const { node, command, state, input } = options;
  const effects = walker.effectsOf(node, wholeText(command));
  const world = walker.world(effects, () => {});
  let flow = input;
  for (const { operator, target, document } of node.redirects) {
    const field = evaluateWhole(target, state, world);
    if (document) {
      const body = evaluateWhole({ parts: document.parts, from: 0, to: 0 }, state, world);
      flow = { paths: undefined, isDownload: body.isDownload, text: body.text, isPresent: true };
      continue;
    }
    if (/^\/dev\/(?:tcp|udp)\//.test(field.prefix)) {
      effects.network = true;
      if (operator.startsWith("<")) effects.downloads = true;
    }
    if (operator === "<" || operator === "<<<" || operator === "<&") {
      const text = operator === "<<<" ? field.text : undefined;
      flow = { paths: undefined, isDownload: field.isDownload, text, isPresent: true };
      continue;
    }
    if (operator === ">&" && /^(?:\d+-?|-)$/.test(field.text ?? "")) continue;
    if (isStream(field)) continue;
    const call = { name: "", args: [], state, effects, input, node: command };
    const whole = field.isMany ? unknownField({ prefix: field.prefix }) : field;
    addTargets({ ...call, context: walker.context, walk: walker }, "overwrites", [whole]);
  }
  return flow;
}
