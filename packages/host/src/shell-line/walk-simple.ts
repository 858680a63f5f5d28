// A simple command: its assignments, its redirections, and the program it names.

import { bareCall } from "./bare-command.ts";
import { OPEN_INPUT } from "./no-input.ts";
import {
  addReads,
  addTargets,
  isDownloaded,
  targetsOf,
  type CommandCall,
  type CommandInput,
  type CommandWalk,
  type ProgramJudge,
} from "./command-call.ts";
import { noteSpelling, type CommandEffects } from "./command-effects.ts";
import { judgeEnvironmentOptions } from "./environment-options.ts";
import { evaluateWhole, evaluateWord, type WordWorld } from "./evaluate-word.ts";
import { exactText, joinSecrets, knownField, unknownField, type Field } from "./field.ts";
import { outputOf, type CommandOutput } from "./command-output.ts";
import { judgeStranger, judgeUnknown } from "./judge-unknown.ts";
import { isFetched, judgeFetchedProject, noteFetched } from "./note-fetched.ts";
import {
  judgeProgramFile,
  judgeProjectFiles,
  judgeWrittenProgram,
  noteWritten,
  writtenText,
  type OutputFile,
} from "./note-written.ts";
import { judgeLoadingOptions } from "./judge-loading.ts";
import { judgePackages } from "./judge-packages.ts";
import { judgeGivenFiles } from "./judge-given.ts";
import { isMovedAway } from "./moved-away.ts";
import { noteLeaving } from "./note-leaving.ts";
import { noteSecrets } from "./note-secrets.ts";
import { isStream } from "./place-path.ts";
import { isSystemProgram, originOf, standsFor } from "./program-origin.ts";
import { judgeDatabaseReset } from "./programs/database-reset.ts";
import { PROGRAMS } from "./programs/program-table.ts";
import { isShellVariable } from "./risky-variable.ts";
import { noteAssignment } from "./set-variable.ts";
import { tellsAboutItself, withoutFlags } from "./self-description.ts";
import type { ShellContext, ShellDefinition } from "./shell-context.ts";
import { join, sameOutcome, withVariable, type Outcome, type ShellState } from "./shell-state.ts";
import type { FunctionDefinition, Redirect, SimpleCommand } from "./syntax-tree.ts";

/** What a simple command needs of whoever walks over the line. */
export interface SimpleWalk extends CommandWalk {
  readonly context: ShellContext;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  isSplittingOdd: boolean;
  output: CommandOutput;
  /** What a command prints may have these secrets in it. */
  prints(secrets: readonly string[]): void;
  /** What can be read from descriptors that the line opens. */
  readonly descriptors: Map<string, CommandInput>;
  /** What flows into commands that are given nothing else. */
  standing: CommandInput | undefined;
  effectsOf(node: object, text: string): CommandEffects;
  world(effects: CommandEffects, forget: (name: string) => void): WordWorld;
  runFunction(call: CommandCall, definition: FunctionDefinition): Outcome;
  /** Whether a function runs that calls this one. */
  isActive(name: string): boolean;
  /** Whether what runs now is a process beside another. */
  readonly isForking: boolean;
}

/** As a shell begins. */
const USUAL_IFS = " \t\n";

const GNU_NAME =
  /^g(?:rm|mv|cp|ln|dd|shred|truncate|chmod|chown|chgrp|find|xargs|tar|tee|split|csplit|install|touch|mkdir|rmdir|unlink|timeout|stdbuf|nice|env|sort|date|mktemp)$/;

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
  // After `exec < x` everything reads x.
  const given = input.isPresent ? input : (walker.standing ?? input);
  const redirected = { node, command: node, state: now, input: given };
  const { flow, outputs } = applyRedirects(walker, redirected);
  const isLasting = fields.length === 1 && exactText(fields[0]) === "exec";
  if (isLasting && flow !== given) walker.standing = flow;
  const isBare = node.words.length === 0;
  const environment = new Map<string, Field>();
  const call = { ...bareCall(walker, node, effects), state: now, input: flow, environment };
  let inside = now;
  for (const { name, value, elements, isAppended, isElement } of node.assignments) {
    const field = evaluateWhole(value, inside, world);
    const items = elements?.flatMap((element) => evaluateWord(element, inside, world));
    noteAssignment(call, name, field);
    if (isBare && name === "IFS") walker.isSplittingOdd = field.text !== USUAL_IFS;
    else if (isBare && isShellVariable(name)) effects.unknown.push(`it changes ${name}`);
    const isWhole = !elements && !isAppended && !isElement;
    // git is told by its own judge; whatever else goes by the home goes elsewhere.
    const isMoved = isMovedAway(call, name, isWhole ? field : undefined);
    if (isMoved && (isBare || name === "HOME")) effects.unknown.push(`it changes ${name}`);
    const isList = items !== undefined && !isAppended && !isElement;
    const told = isList ? unknownField({ items }) : undefined;
    environment.set(name, isWhole ? field : unknownField());
    inside = withVariable(inside, name, isWhole ? field : told);
  }
  if (isBare) return sameOutcome(inside);
  const whole = { ...call, environment, args: fields.slice(1) };
  const outcome = runFields(walker, { ...call, environment }, fields);
  noteFetched(whole);
  noteCarried(walker, whole);
  noteWritten(whole, outputs, walker.output.text);
  return outcome;
}

/** What it prints, and what it writes, has the secrets in it that it was given or has read. */
function noteCarried(walker: SimpleWalk, { effects, args, input }: CommandCall): void {
  // An answer is something else, and what was asked has been judged.
  if (effects.reaches || effects.sends) return;
  const { readsSecrets, mayReadSecrets } = effects;
  const all = joinSecrets(
    readsSecrets,
    mayReadSecrets,
    input.secrets,
    ...args.map((field) => field.secrets),
  );
  if (!all) return;
  walker.prints(all);
  for (const { path } of [...effects.overwrites, ...effects.writes])
    if (path !== undefined) walker.carried.set(path, all);
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

/** Nobody writes more by hand; each costs several looks. */
const MAX_ARGUMENTS = 2000;

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
  if (args.length > MAX_ARGUMENTS) walker.bounds.exceed("it has too many arguments to judge");
  if (walker.bounds.exceeded !== undefined) return sameOutcome(state);
  if (first.anyOf) {
    const outcomes = first.anyOf.map((text) => {
      const words = text.split(/\s+/).filter((word) => word !== "");
      return runFields(walker, base, [...words.map((word) => knownField(word)), ...args], lookup);
    });
    return outcomes.reduce((one, other) => ({
      ok: join(one.ok, other.ok),
      failed: join(one.failed, other.failed),
    }));
  }
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
  const call: CommandCall = { ...base, name, args: withoutFlags(name, args) };
  noteSpelling(effects, name, args);
  const origin = originOf(call, first);
  if (path.includes("/") && !isSystemProgram(path)) {
    effects.executes = true;
    noteDownloaded(call, first);
    judgeWrittenProgram(call, first);
  }
  for (const each of standsFor(call, first)) judgeOf(each)?.({ ...call, name: each });
  // `PATH=./bin:$PATH ls`, with a `bin/ls` of the line's own.
  if (!path.includes("/")) {
    for (const own of walker.written.keys())
      if (own.endsWith(`/${name}`)) judgeWrittenProgram(call, knownField(own));
    for (const own of walker.context.writtenNamed?.(name) ?? [])
      judgeWrittenProgram(call, knownField(own));
  }
  const isShell = lookup === NameLookup.shell;
  if (isShell && walker.context.names?.has(path)) {
    effects.unknown.push(`${path} is a function or an alias of the shell`);
  }
  const definition = isShell ? walker.functions.get(path) : undefined;
  const judge = judgeOf(name);
  noteSecrets(call);
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
  const own = isShell && !judge ? walker.context.definitions?.get(path) : undefined;
  if (own) return runDefinition(call, own);
  if (origin === "elsewhere") effects.unknown.push(`it is not known what ${path} does`);
  if (!judge) {
    // Of a name of the shell it is already said that nobody knows it.
    const isName = isShell && walker.context.names?.has(path) === true;
    if (origin === "named" && !isName) judgeUnknown(call);
    else judgeStranger(call);
    judgeDatabaseReset(call);
    noteLeaving(call);
    judgeProjectFiles(call);
    judgeFetchedProject(call);
    return sameOutcome(state);
  }
  // Tau itself is judged by its own row: what is loaded before it must not be judged by nobody.
  if (!path.includes("/") && path !== "tau" && tellsAboutItself(args)) {
    effects.reads = true;
    return sameOutcome(state);
  }
  const outcome = judge(call) ?? sameOutcome(state);
  noteLeaving(call);
  judgeProjectFiles(call);
  judgeProgramFile(call);
  judgeFetchedProject(call);
  judgePackages(call);
  judgeLoadingOptions(call);
  judgeGivenFiles(call);
  judgeEnvironmentOptions(call);
  walker.output = outputOf(call);
  return outcome;
}

/** An alias or a function of the person: as if its text stood there. */
function runDefinition(call: CommandCall, { kind, text }: ShellDefinition): Outcome {
  const script = kind === "alias" ? `${text} "$@"` : `${text}\n${call.name} "$@"`;
  const { positional } = call.state;
  const { ok, failed } = call.walk.runText(call, script, call.args);
  return { ok: ok && { ...ok, positional }, failed: failed && { ...failed, positional } };
}

/** `grm`, `python3.11`, `clang-15`, and `RM` where capitals do not count, are what they sound like. */
function judgeOf(name: string): ProgramJudge | undefined {
  return (
    PROGRAMS.get(name) ??
    PROGRAMS.get(name.toLowerCase()) ??
    PROGRAMS.get(name.replace(/-?\d+(?:\.\d+)*$/, "")) ??
    (GNU_NAME.test(name) ? PROGRAMS.get(name.slice(1)) : undefined)
  );
}

export function isKnownProgram(name: string): boolean {
  return judgeOf(name) !== undefined;
}

/** A file that this line, or one before, has fetched is run. */
function noteDownloaded(call: CommandCall, field: Field): void {
  if (isFetched(call, field)) call.effects.downloadsAndExecutes = true;
}

/** What can be read from it has a path, and whoever runs that path runs what is read. */
function noteDescriptor(walker: SimpleWalk, descriptor: string, taken: CommandInput): void {
  walker.descriptors.set(descriptor, taken);
  const paths = [`/dev/fd/${descriptor}`, `/proc/self/fd/${descriptor}`];
  if (descriptor === "0") paths.push("/dev/stdin");
  for (const path of paths) {
    const content = taken.text === undefined ? "unknown" : { text: taken.text, isPart: false };
    // A file that is only given a number is judged by its own name elsewhere.
    if (taken.isPresent && taken.file === undefined) walker.written.set(path, content);
    if (taken.isDownload) walker.downloaded.add(path);
  }
}

/** Notes what is written; gives what flows in now, and where what is printed goes. */
export function applyRedirects(
  walker: SimpleWalk,
  options: {
    node: object & { redirects: Redirect[] };
    command: SimpleCommand;
    state: ShellState;
    input: CommandInput;
  },
): { flow: CommandInput; outputs: OutputFile[] } {
  const { node, command, state, input } = options;
  const effects = walker.effectsOf(node, wholeText(command));
  const world = walker.world(effects, () => {});
  let flow = input;
  const outputs: OutputFile[] = [];
  const take = (descriptor: string | undefined, taken: CommandInput): void => {
    if (descriptor === undefined || descriptor === "0") flow = taken;
    else noteDescriptor(walker, descriptor, taken);
    // `exec 0<<<…; . /dev/stdin`
    if (descriptor === "0" || descriptor === undefined) noteDescriptor(walker, "0", taken);
  };
  for (const { operator, descriptor, target, document } of node.redirects) {
    const field = evaluateWhole(target, state, world);
    if (document) {
      const body = evaluateWhole({ parts: document.parts, from: 0, to: 0 }, state, world);
      const { isDownload, text, secrets } = body;
      take(descriptor, { paths: undefined, isDownload, text, isPresent: true, secrets });
      continue;
    }
    if (/^\/dev\/(?:tcp|udp)\//.test(field.prefix)) {
      // `echo > /dev/tcp/localhost/3000`: whether a port is open.
      if (/^\/dev\/\w+\/(?:localhost|127\.\d+\.\d+\.\d+|::1)\//.test(field.prefix)) continue;
      effects.network = true;
      effects.sends = true;
      if (operator.startsWith("<")) effects.downloads = true;
    }
    const call = { ...bareCall(walker, command, effects), state, input };
    const read = effects.readsSecrets.length + effects.mayReadSecrets.length;
    if (operator === "<" || operator === "<>") addReads(call, [field]);
    const isReading = effects.readsSecrets.length + effects.mayReadSecrets.length > read;
    if (operator === "<" && field.text === "/dev/null") {
      take(descriptor, { paths: undefined, isDownload: false, text: "", isPresent: false });
      continue;
    }
    if (operator === "<&" && /^\d+-?$/.test(field.text ?? "")) {
      const other = walker.descriptors.get(field.text!.replace("-", ""));
      take(descriptor, other ?? OPEN_INPUT);
      continue;
    }
    if (operator === "<" || operator === "<<<" || operator === "<&") {
      const text = operator === "<<<" ? field.text : (field.printed ?? writtenText(call, field));
      const isDownload =
        field.isDownload || (operator === "<" && isDownloaded(walker, call, field));
      const own = isReading ? [...effects.readsSecrets, ...effects.mayReadSecrets] : [];
      const secrets = joinSecrets(field.secrets, own);
      const file = operator === "<" ? field : undefined;
      take(descriptor, { paths: undefined, isDownload, text, isPresent: true, secrets, file });
      continue;
    }
    if (operator === ">&" && /^(?:\d+-?|-)$/.test(field.text ?? "")) continue;
    if (isStream(field)) continue;
    const whole = field.isMany ? unknownField({ prefix: field.prefix }) : field;
    addTargets(call, "overwrites", [whole]);
    if (descriptor !== undefined && descriptor !== "1") continue;
    for (const { path } of targetsOf(call, whole))
      if (path !== undefined) {
        const before = operator.endsWith(">>") ? walker.written.get(path) : undefined;
        outputs.push({ path, before });
      }
  }
  for (const { path } of outputs) walker.written.set(path, "unknown");
  return { flow, outputs };
}
