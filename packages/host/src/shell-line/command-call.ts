// One program with its arguments, as the tables of programs see it.

import type { JudgingBounds } from "./judging-bounds.ts";
import { posix } from "node:path";
import { HIDDEN_FILES, type CommandEffects } from "./command-effects.ts";
import { mayBeOption, type Field } from "./field.ts";
import { isStream, placePath, type PathTarget, type PlaceOptions } from "./place-path.ts";
import type { ShellContext } from "./shell-context.ts";
import type { Outcome, ShellState } from "./shell-state.ts";
import type { SimpleCommand } from "./syntax-tree.ts";

/** What flows into a command. */
export interface CommandInput {
  /** Each line of it is a path that matches one of these. */
  paths: readonly Field[] | undefined;
  isDownload: boolean;
  /** A here document's text, or what `echo` prints. */
  text: string | undefined;
  /** It comes from somewhere: a program that reads scripts from it has one. */
  isPresent: boolean;
  /** Which secrets may flow in. */
  secrets?: readonly string[];
  /** The file that it is, if it is one. */
  file?: Field;
}

export interface CommandCall {
  name: string;
  args: readonly Field[];
  state: ShellState;
  effects: CommandEffects;
  input: CommandInput;
  context: ShellContext;
  walk: CommandWalk;
  node: SimpleCommand;
  /** Variables that are set for this command alone. */
  environment: ReadonlyMap<string, Field>;
}

/** What a line has put in a file; `isPart` if the rest of it is the project's own. */
export type WrittenContent = { text: string; isPart: boolean } | "unknown";

/** What programs that run other commands need of whoever walks over the line. */
export interface CommandWalk {
  /** A program with arguments, as if it stood there itself. */
  runArguments(call: CommandCall, args: readonly Field[]): Outcome;
  /** The text of a script; `positional` are its arguments. */
  runText(call: CommandCall, text: string, positional?: readonly Field[]): Outcome;
  /** Files that this line has fetched so far. */
  downloaded: Set<string>;
  /** Directories in which it has unpacked what it fetched. */
  unpacked: Set<string>;
  /** Files that it has written so far, with their content if that is known. */
  /** Shared by all who walk over the line. */
  readonly bounds: JudgingBounds;
  written: Map<string, WrittenContent>;
  /** Files that hold secrets because of what this line has put there. */
  carried: Map<string, readonly string[]>;
  /** Remotes of git that have been changed, and secrets that have been put into the repository. */
  remotes: Set<string>;
  kept: Set<string>;
  /** Links that this line has made so far, and where they lead. */
  links: Map<string, string>;
  /** Programs of the system that this line has copied, and where they are from. */
  copies: Map<string, string>;
  /** What a program with arguments would do, were it run here; nothing is noted. */
  probeArguments(call: CommandCall, args: readonly Field[]): CommandEffects[];
  probeText(call: CommandCall, text: string, context?: ShellContext): CommandEffects[];
  /** Whether a table knows it. */
  isProgram(name: string): boolean;
  /** A script that runs at some point from now on, with the values of variables at that time. */
  addTrap(call: CommandCall, script: string): void;
  /** The way goes on elsewhere, at the end of a loop or of a function. */
  escape(state: ShellState): void;
}

/** Nothing, where the shell is as before. */
export type ProgramJudge = (call: CommandCall) => Outcome | void;

export interface ReadArguments {
  /** Names without dashes; of `-rf` both. */
  options: Set<string>;
  values: Map<string, Field[]>;
  operands: Field[];
  /** An argument that may be any option. */
  hasOpenOption: boolean;
}

/** `valued`: names of options, without dashes, that take the next argument, separated by blanks. */
export function readArguments(
  args: readonly Field[],
  valued = "",
  { endsAtOperand = false }: { endsAtOperand?: boolean } = {},
): ReadArguments {
  const names = valued.split(" ");
  const takesValue = {
    has: (given: string): boolean => names.some((name) => isMeant(given, name)),
  };
  const read: ReadArguments = {
    options: new Set(),
    values: new Map(),
    operands: [],
    hasOpenOption: false,
  };
  const setValue = (name: string, value: Field | undefined): void => {
    read.options.add(name);
    if (value) read.values.set(name, [...(read.values.get(name) ?? []), value]);
  };
  /** A table may be wrong: what was taken for a value may be an option, with a value of its own. */
  const alsoRead = (index: number): void => {
    const text = args[index]?.text;
    if (text === undefined || !/^-./.test(text) || text === "--") return;
    const { values } = readArguments(args.slice(index, index + 2), valued);
    for (const [name, found] of values)
      read.values.set(name, [...(read.values.get(name) ?? []), ...found]);
  };
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!;
    const { text } = arg;
    if (text === "--") {
      read.operands.push(...args.slice(index + 1));
      break;
    }
    if (text === undefined || text === "-" || !text.startsWith("-")) {
      if (text !== "-" && mayBeOption(arg)) read.hasOpenOption = true;
      if (endsAtOperand) {
        read.operands.push(...args.slice(index));
        break;
      }
      read.operands.push(arg);
    } else if (text.startsWith("--")) {
      const equals = text.indexOf("=");
      const name = text.slice(2, equals < 0 ? undefined : equals);
      const after = equals < 0 ? undefined : text.slice(equals + 1);
      if (after !== undefined) setValue(name, { ...arg, text: after, prefix: after });
      else if (takesValue.has(name)) {
        setValue(name, args[++index]);
        alsoRead(index);
      } else read.options.add(name);
    } else {
      for (let at = 1; at < text.length; at++) {
        const name = text[at]!;
        if (!takesValue.has(name)) {
          read.options.add(name);
          continue;
        }
        const after = text.slice(at + 1);
        if (after === "") {
          setValue(name, args[++index]);
          alsoRead(index);
        } else setValue(name, { ...arg, text: after, prefix: after });
        break;
      }
    }
  }
  return read;
}

export function hasAny(read: ReadArguments, names: string): boolean {
  const wanted = names.split(" ");
  return [...read.options].some((given) => wanted.some((name) => isMeant(given, name)));
}

export function valuesOf(read: ReadArguments, names: string): Field[] {
  const wanted = names.split(" ");
  return [...read.values].flatMap(([given, values]) =>
    wanted.some((name) => isMeant(given, name)) ? values : [],
  );
}

/** Long options may be shortened: `--in-pl` is `--in-place`. */
function isMeant(given: string, name: string): boolean {
  return given === name || (given.length > 1 && name.startsWith(given));
}

export const EMPTIES = "overwrites every file of the project";

type TargetList = "writes" | "deletes" | "overwrites";

/** Notes what happens to the paths; streams such as /dev/null are no files. */
export function addTargets(call: CommandCall, list: TargetList, fields: readonly Field[]): void {
  for (const field of fields) {
    if (isStream(field)) continue;
    const device = posix.normalize(field.text ?? "");
    if (list !== "deletes" && /^\/dev\/(?!shm\/)/.test(device)) {
      call.effects.critical.push(`writes to the device ${device}`);
    }
    const targets = targetsOf(call, field, { isEntry: list === "deletes" });
    call.effects[list].push(...targets);
    // A redirection has no name; `for f in *; do : > $f; done` leaves nothing of any of them.
    const isEvery = targets.some(({ place, isRoot }) => place === "inside" && isRoot);
    if (/^(?:truncate)?$/.test(call.name) && isEvery) call.effects.critical.push(EMPTIES);
  }
}

export function targetsOf(
  { state, context, walk }: CommandCall,
  field: Field,
  options: PlaceOptions = {},
): PathTarget[] {
  return placePath(field, state, context, { ...options, links: walk.links });
}

function ancestorsOf(path: string | undefined): string[] {
  const found: string[] = [];
  for (let each = path ?? "/"; each !== "/" && each !== "."; each = posix.dirname(each))
    found.push(each);
  return found;
}

/** Whether it came from the network, with this line or an earlier one. */
export function isDownloaded(walk: CommandWalk, call: CommandCall, field: Field): boolean {
  const earlier = call.context.downloaded;
  if (walk.downloaded.size === 0 && !earlier?.size) return false;
  // What lies in an unpacked download came with it.
  return targetsOf(call, field).some(({ path }) =>
    ancestorsOf(path).some((each) => walk.downloaded.has(each) || earlier?.has(each) === true),
  );
}

/** More are a list that somebody generated. */
const MAX_READ_FILES = 200;

/** Notes which of the files, or with `isDeep` of what is in them, are secrets. */
export function addReads(
  call: CommandCall,
  fields: readonly Field[],
  { isDeep = false }: { isDeep?: boolean } = {},
): void {
  if (!call.context.secrets) return;
  const { readsSecrets, mayReadSecrets, readsFiles } = call.effects;
  const mayRead = (what: string): void => {
    if (!mayReadSecrets.includes(what)) mayReadSecrets.push(what);
  };
  if (fields.some(isHidden)) mayRead(HIDDEN_FILES);
  for (const { path, place, isRoot } of fields.flatMap((field) => targetsOf(call, field))) {
    if (path && readsFiles.size < MAX_READ_FILES) readsFiles.add(path);
    const what = path && secretIn(call, path, isDeep);
    const note = `${path}, ${what}`;
    if (what && !readsSecrets.includes(note)) readsSecrets.push(note);
    for (const each of (path && call.walk.carried.get(path)) || []) mayRead(each);
    // What `find` gives has hidden files among it.
    const isAll = path?.endsWith("/?*") === true;
    if (place === "inside" && ((isDeep && isRoot) || isAll)) mayRead(ALL);
  }
}

/** A pattern that fits everything stands for a directory, not for each name that a key may have. */
function secretIn(call: CommandCall, path: string, isDeep: boolean): string | undefined {
  const { secrets, secretsBelow } = call.context;
  const directory = /^(.*)\/\??\*$/s.exec(path)?.[1];
  if (directory !== undefined) return secretsBelow?.(directory);
  return secrets?.(path) ?? (isDeep ? secretsBelow?.(path) : undefined);
}

const ALL = "the whole project, with the secrets that may be in it";

/** `.*`, `.[a-z]*`: `.env` is among them. */
function isHidden({ text, isPattern }: Field): boolean {
  return isPattern && /(?:^|\/)\.[*?[][^/]*$/.test(text ?? "");
}
