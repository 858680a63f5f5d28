// What bash does itself: going places, keeping values, running text.

import { posix } from "node:path";
import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { DIGITS, exactText, knownField, unknownField, type Field } from "../field.ts";
import { printf } from "../command-output.ts";
import { HIDDEN_COMMAND, hasHiddenCommand } from "../hidden-command.ts";
import { judgeCommandsIn } from "../judge-unknown.ts";
import { isMovedAway } from "../moved-away.ts";
import { pathsOf } from "../place-path.ts";
import { isRiskyVariable, isShellVariable } from "../risky-variable.ts";
import { noteAssignment, noteIndirect, noteOpenExport } from "../set-variable.ts";
import {
  sameOutcome,
  UNKNOWN_STATE,
  withDirectories,
  withVariable,
  type Outcome,
  type ShellState,
} from "../shell-state.ts";
import { judgeFile, runScript } from "./run-file.ts";

const SILENT =
  ": true false pwd times dirs disown caller help umask type fg bg suspend compopt deactivate".split(
    " ",
  );

function judgeCd({ args, state, context }: CommandCall): Outcome {
  const { operands } = readArguments(args);
  if (args.some(({ text }) => text === "-" || text?.startsWith("+")))
    return moveTo(state, undefined);
  const [field] = operands;
  if (!field) return moveTo(state, [context.home]);
  if (operands.length > 1 || field.isPattern) return moveTo(state, undefined);
  return moveTo(
    state,
    pathsOf(field, state)?.map((path) => posix.normalize(path)),
  );
}

/** Where it does not exist the shell stays. */
function moveTo(state: ShellState, directories: readonly string[] | undefined): Outcome {
  return { ok: withDirectories(state, directories), failed: state };
}

function judgePush({ state }: CommandCall): Outcome {
  return sameOutcome(withDirectories(state, undefined));
}

function judgeEnd(): Outcome {
  return { ok: undefined, failed: undefined };
}

function judgeEscape({ walk, state }: CommandCall): Outcome {
  walk.escape(state);
  return judgeEnd();
}

/** `-w` and `-a` write a file of commands: the named one, or the history itself. */
function judgeHistory(call: CommandCall): void {
  if (call.args.length === 0) return;
  call.effects.executes = true;
  const { options, operands } = readArguments(call.args, "d");
  if (!options.has("w") && !options.has("a")) return;
  const own = knownField(`${call.context.home}/.bash_history`);
  addTargets(call, "overwrites", operands.length > 0 ? operands : [own]);
}

/** Without `-l` it runs earlier commands again. */
function judgeFc(call: CommandCall): void {
  if (hasAny(readArguments(call.args, "e"), "l")) return;
  call.effects.unknown.push("it runs an earlier command again");
}

/** `compgen -C command`, `complete -C command`, `bind -x '"key": command'` */
function judgeCompletion(call: CommandCall): void {
  call.effects.executes = true;
  const read = readArguments(call.args, "A C F G P S W X o u x f");
  for (const { text } of valuesOf(read, "C x")) {
    if (text === undefined) call.effects.unknown.push("its command is only known when it runs");
    else call.walk.runText(call, text.replace(/^\s*"[^"]*":\s*/, ""));
  }
  // The shell expands these as if they stood between double quotes.
  for (const { text } of valuesOf(read, "W P S X")) {
    if (text === undefined) continue;
    call.walk.runText(call, `: "${text.replaceAll('"', '\\"')}"`);
  }
  for (const field of call.name === "compgen" ? valuesOf(read, "F") : [])
    call.walk.runArguments(call, [field, ...read.operands]);
  if (call.name === "bind" && read.options.has("f"))
    call.effects.unknown.push("its settings are in a file");
}

/** `eval "$(ssh-agent -s)"`, `eval "$(brew shellenv)"`: programs that print settings of a shell. */
const ENVIRONMENT =
  /^eval\s+"?\$\(\s*(?:ssh-agent(?:\s+-s)?|dircolors(?:\s+-b)?|(?:\/(?:usr|opt|home)\/\S*\/)?(?:brew shellenv|opam env\S*(?: --\S+)*|fnm env(?: --\S+)*|minikube(?: -p \w+)? docker-env|docker-machine env \w+|direnv (?:hook|export) \w+|(?:pyenv|rbenv|nodenv|goenv|jenv) (?:virtualenv-)?init(?: -)?(?: --?\w+)*|(?:mise|rtx) (?:activate|env)(?: \w+)?|(?:starship|zoxide) init \w+|luarocks path|conda shell\.\w+ hook|micromamba shell hook(?: \S+)*|thefuck --alias|register-python-argcomplete \w+))\s*\)"?$/;

function judgeEval(call: CommandCall): Outcome {
  const { args } = call;
  const texts = args.map((field) => (field.isPattern ? undefined : field.text));
  const isKnown = texts.every((text) => text !== undefined);
  // What a pattern becomes is part of the text: nothing of it is known then.
  const open = args.find(({ text, isPattern }) => text === undefined || isPattern);
  if (ENVIRONMENT.test(call.node.text.trim())) {
    call.effects.executes = true;
    return sameOutcome(UNKNOWN_STATE);
  }
  // The download may be any of its arguments.
  const download = args.find(({ isDownload }) => isDownload);
  const unknown = open && { ...open, text: undefined };
  return runScript(call, isKnown ? knownField(texts.join(" ")) : (download ?? unknown));
}

function judgeSource(call: CommandCall): Outcome {
  const [file] = call.args;
  if (file) judgeFile(call, file);
  return sameOutcome(UNKNOWN_STATE);
}

/** `hash -p /bin/rm ls`: names mean other programs from now on. */
function judgeHash(call: CommandCall): void {
  const { options } = readArguments(call.args, "p");
  if (options.has("p")) call.effects.unknown.push("a name means another program from now on");
  else if (call.args.length > 0) call.effects.executes = true;
}

/** `jobs -x command` */
function judgeJobs(call: CommandCall): void {
  const at = call.args.findIndex(({ text }) => text?.startsWith("-") && text.includes("x"));
  if (at >= 0) call.walk.runArguments(call, call.args.slice(at + 1));
}

function judgeEnable(call: CommandCall): void {
  call.effects.executes = true;
  const { options } = readArguments(call.args, "f");
  if (options.has("f")) call.effects.unknown.push("it loads a builtin from a file");
}

const OPEN_ENDED: ReadonlySet<string> = new Set(
  "rm shred dd mv cp ln tee sh bash zsh dash eval sudo doas xargs env exec find truncate chmod chown command busybox".split(
    " ",
  ),
);

/** An alias is judged as if it were used at once. */
function judgeAlias(call: CommandCall): void {
  for (const field of call.args) {
    const text = field.text ?? field.prefix;
    const at = text.indexOf("=");
    if (at < 0) continue;
    call.effects.executes = true;
    if (field.text === undefined) call.effects.unknown.push("an alias is only known when it runs");
    else {
      const body = text.slice(at + 1);
      call.walk.runText(call, body);
      const program = /^\s*(?:\S*\/)?([^\s/]+)/.exec(body)?.[1] ?? "";
      // What it is given to delete or to run only its user knows.
      if (OPEN_ENDED.has(program) && program !== text.slice(0, at))
        call.effects.unknown.push("an alias stands for a program that deletes or runs");
    }
  }
}

function judgeDeclare(call: CommandCall): Outcome {
  const { effects } = call;
  const { home } = call.context;
  let { state } = call;
  const read = readArguments(call.args);
  if (hasAny(read, "n")) effects.unknown.push("a variable refers to another");
  for (const field of read.operands) {
    const text = field.text ?? field.prefix;
    const at = text.indexOf("=");
    const name = text.slice(0, at < 0 ? undefined : at).replace(/\+$|\[.*/s, "");
    const value = at < 0 ? undefined : valueIn(field, at, home);
    if (isRiskyVariable(name) && call.name === "export") effects.executes = true;
    if (at >= 0) {
      if (isShellVariable(name) || isMovedAway(call, name, value))
        effects.unknown.push(`it changes ${name}`);
      noteAssignment(call, name, value ?? unknownField({ prefix: field.prefix.slice(at + 1) }));
    } else if (field.text === undefined && !/^[a-z]/.test(field.prefix)) noteOpenExport(call);
    if (hasHiddenCommand(field)) effects.unknown.push(HIDDEN_COMMAND);
    if (field.isMany && at < 0) state = UNKNOWN_STATE;
    else if (at >= 0) state = withVariable(state, name, value);
  }
  return sameOutcome(state);
}

/** These builtins expand a `~` behind the sign as an assignment does. */
function valueIn(field: Field, at: number, home?: string): Field | undefined {
  const { text } = field;
  if (text === undefined && field.secrets) return unknownField({ secrets: field.secrets });
  if (text === undefined || text[at - 1] === "+" || text.slice(0, at).includes("["))
    return undefined;
  const value = text.slice(at + 1);
  return knownField(
    home === undefined ? value : value.replace(/^~(?=\/|$)/, home),
    field.isPattern,
  );
}

function judgeRead(call: CommandCall): Outcome {
  const isRead = call.name === "read";
  const valued = isRead ? "a d i n N p t u" : "d n O s u C c";
  const { operands, options, values } = readArguments(call.args, valued);
  for (const { text } of values.get("C") ?? []) judgeCommandsIn(call, text ?? "");
  if (options.has("C")) call.effects.unknown.push("it calls something for every line");
  const { paths, text: given } = call.input;
  // Where a number is wanted later, what was read is run.
  if (given !== undefined && hasHiddenCommand(knownField(given)))
    call.effects.unknown.push(HIDDEN_COMMAND);
  const { secrets } = call.input;
  const open = secrets && unknownField({ secrets });
  let { state } = call;
  for (const field of [...operands, ...(values.get("a") ?? [])]) {
    const name = field.text;
    noteIndirect(call, name, given === undefined ? undefined : knownField(given.trim()));
    if (name === undefined) return sameOutcome(UNKNOWN_STATE);
    const isPath = operands.length === 1 && isRead && paths?.length === 1;
    state = withVariable(state, name, isPath ? paths[0] : open);
  }
  return sameOutcome(withVariable(withVariable(state, "REPLY", open), "MAPFILE", open));
}

function judgeUnset(call: CommandCall): Outcome {
  let { state } = call;
  for (const { text } of call.args) {
    if (text === undefined) return sameOutcome(UNKNOWN_STATE);
    if (isRiskyVariable(text)) call.effects.executes = true;
    if (isShellVariable(text)) call.effects.unknown.push(`it changes ${text}`);
    if (hasHiddenCommand(knownField(text))) call.effects.unknown.push(HIDDEN_COMMAND);
    state = withVariable(state, text, undefined);
  }
  return sameOutcome(state);
}

/** `printf -v NAME`, `printf -vNAME` */
function judgePrintf(call: CommandCall): Outcome | void {
  const [option] = call.args;
  if (!option?.prefix.startsWith("-v")) return undefined;
  const isGlued = option.text !== "-v";
  const name = isGlued ? option.text?.slice(2) : call.args[1]?.text;
  const { text } = printf(call.args.slice(isGlued ? 1 : 2));
  const value = text === undefined ? undefined : knownField(text);
  noteIndirect(call, name, value);
  if (name === undefined) return sameOutcome(UNKNOWN_STATE);
  return sameOutcome(withVariable(call.state, name, value));
}

/** `wait -p NAME` */
function judgeWait({ args, effects }: CommandCall): void {
  if (args.some(hasHiddenCommand)) effects.unknown.push(HIDDEN_COMMAND);
}

function judgeTest({ args, effects }: CommandCall): void {
  effects.reads = true;
  if (args.some(hasHiddenCommand)) effects.unknown.push(HIDDEN_COMMAND);
}

function judgeSet({ args, state }: CommandCall): Outcome {
  const isOption = args.every(({ text }) =>
    /^[-+][a-zA-Z]|^(?:pipefail|errexit|nounset|xtrace)$/.test(text ?? ""),
  );
  return sameOutcome(isOption ? state : { ...state, positional: undefined });
}

/** Of patterns only numbers and temporary files: other names may be scripts themselves. */
function trapScript({ context }: CommandCall, { text, isPattern }: Field): string | undefined {
  if (text === undefined || !isPattern) return text;
  const [temporary = "/tmp"] = context.temporary;
  const rest = text
    .replaceAll(DIGITS.text!, "0")
    .replaceAll(/(\/[\w./-]*)\?\*/g, (whole, path: string) =>
      path.startsWith(`${temporary}/`) ? path : whole,
    );
  return /[*?[]/.test(rest) ? undefined : text;
}

function judgeTrap(call: CommandCall): void {
  const { operands } = readArguments(call.args);
  if (operands.length < 2 || operands[0]!.text === "-") return;
  const text = trapScript(call, operands[0]!);
  // It runs later, with the values that variables have by then.
  if (text !== undefined) call.walk.addTrap(call, text);
  // `trap "kill $pid" EXIT`: what it has started is its own.
  else if (/^\s*kill\s+(?:-\w+\s+)?[\d*?]*$/.test(operands[0]!.prefix))
    call.effects.executes = true;
  else runScript({ ...call, state: UNKNOWN_STATE }, operands[0]);
}

function judgeShopt(call: CommandCall): void {
  if (hasAny(readArguments(call.args), "s u")) call.effects.executes = true;
}

function judgeShift({ args, state }: CommandCall): Outcome {
  const count = args.length === 0 ? 1 : Number(exactText(args[0]) ?? Number.NaN);
  const positional = Number.isInteger(count) ? state.positional?.slice(count) : undefined;
  return sameOutcome({ ...state, positional });
}

/** `let` and `getopts` set variables by words that are not worth reading. */
function judgeForgetful(call: CommandCall): Outcome {
  const { args, effects, state, name } = call;
  if (name === "getopts" && args[1]) noteIndirect(call, args[1].text, undefined);
  if (args.some(hasHiddenCommand)) effects.unknown.push(HIDDEN_COMMAND);
  return sameOutcome({ ...UNKNOWN_STATE, directories: state.directories });
}

export const SHELL_BUILTINS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...SILENT.map((name) => [name, () => undefined] as const),
  ["echo", () => undefined],
  ["hash", judgeHash],
  ["enable", judgeEnable],
  ["jobs", judgeJobs],
  ["history", judgeHistory],
  ["fc", judgeFc],
  ["compgen", judgeCompletion],
  ["complete", judgeCompletion],
  ["bind", judgeCompletion],
  ["printf", judgePrintf],
  ["cd", judgeCd],
  ["pushd", judgePush],
  ["popd", judgePush],
  ["exit", judgeEnd],
  ["return", judgeEscape],
  ["break", judgeEscape],
  ["continue", judgeEscape],
  ["logout", judgeEnd],
  ["eval", judgeEval],
  ["source", judgeSource],
  [".", judgeSource],
  ["alias", judgeAlias],
  ["unalias", () => undefined],
  ["export", judgeDeclare],
  ["declare", judgeDeclare],
  ["typeset", judgeDeclare],
  ["local", judgeDeclare],
  ["readonly", judgeDeclare],
  ["read", judgeRead],
  ["mapfile", judgeRead],
  ["readarray", judgeRead],
  ["unset", judgeUnset],
  ["test", judgeTest],
  ["[", judgeTest],
  ["wait", judgeWait],
  ["set", judgeSet],
  ["trap", judgeTrap],
  ["shopt", judgeShopt],
  ["shift", judgeShift],
  ["let", judgeForgetful],
  ["getopts", judgeForgetful],
]);
