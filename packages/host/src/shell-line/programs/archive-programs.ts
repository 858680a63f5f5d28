// Programs that pack and unpack: where the files go, and what is written over.

import {
  addReads,
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { judgeCommandsIn } from "../judge-unknown.ts";
import { listedPaths } from "./listed-paths.ts";

const TAR_VALUED =
  "f C file directory exclude T files-from X exclude-from I use-compress-program transform xform strip-components to-command checkpoint-action F info-script new-volume-script rsh-command rmt-command g listed-incremental index-file one-top-level b blocking-factor L N newer K V label owner group mode mtime sort format suffix checkpoint H";
const TAR_RUNS =
  "I use-compress-program to-command checkpoint-action F info-script new-volume-script rsh-command rmt-command";
const HERE = knownField(".");

/** `tar xfC a.tar /x`: without a dash the values follow in the order of their letters. */
function dashed(args: readonly Field[]): readonly Field[] {
  const [first, ...rest] = args;
  if (first?.text === undefined || !/^[A-Za-z]+$/.test(first.text)) return args;
  const found: Field[] = [];
  for (const letter of first.text) {
    found.push(knownField(`-${letter}`));
    if (TAR_VALUED.split(" ").includes(letter) && rest[0]) found.push(rest.shift()!);
  }
  return [...found, ...rest];
}

/** An archive on another machine: all that is packed goes there. */
function noteRemote(call: CommandCall, packed: readonly Field[]): void {
  const { effects } = call;
  effects.network = true;
  effects.sends = true;
  addReads(call, packed, { isDeep: true });
  for (const what of effects.mayReadSecrets)
    if (!effects.readsSecrets.includes(what)) effects.readsSecrets.push(what);
}

function judgeTar(call: CommandCall): void {
  const read = readArguments(dashed(call.args), TAR_VALUED);
  const archive = valuesOf(read, "f file");
  for (const { text } of valuesOf(read, TAR_RUNS)) {
    call.effects.executes = true;
    if (text === undefined) call.effects.unknown.push("its command is only known when it runs");
    else judgeCommandsIn(call, text.replace(/^exec=/, ""));
  }
  const isRemote =
    archive.some(({ text }) => /^[^/]+:/.test(text ?? "")) && !hasAny(read, "force-local");
  if (isRemote) noteRemote(call, read.operands);
  if (read.hasOpenOption) call.effects.unknown.push("an option of it is only known when it runs");
  addTargets(call, "overwrites", valuesOf(read, "g listed-incremental index-file"));
  if (hasAny(read, "x extract get")) {
    if (hasAny(read, "O to-stdout")) return;
    const places = valuesOf(read, "C directory one-top-level");
    addTargets(call, "overwrites", places.length > 0 ? places : [HERE]);
    const named = read.operands.map(({ text }) => text ?? "");
    const isOpen = hasAny(read, "P absolute-names") || named.some((text) => text.startsWith("/"));
    if (isOpen) call.effects.unknown.push("what it overwrites cannot be determined");
  } else if (hasAny(read, "c create r append u update A delete concatenate catenate")) {
    addTargets(
      call,
      "overwrites",
      archive.filter(({ text }) => text !== "-"),
    );
    if (hasAny(read, "remove-files"))
      addTargets(call, "deletes", [
        ...read.operands,
        ...valuesOf(read, "T files-from").flatMap((list) => listedPaths(call, list)),
      ]);
  } else call.effects.reads = true;
}

function judgeUnzip(call: CommandCall): void {
  const read = readArguments(call.args, "d x");
  if (hasAny(read, "l t p v Z z")) {
    call.effects.reads = true;
    return;
  }
  const places = valuesOf(read, "d");
  addTargets(call, "overwrites", places.length > 0 ? places : [HERE]);
  // With a colon, members may go up.
  if (read.options.has(":")) call.effects.unknown.push("what it overwrites cannot be determined");
}

function judgeZip(call: CommandCall): void {
  const read = readArguments(call.args, "x i b n TT unzip-command O output-file lf logfile-path");
  addTargets(call, "overwrites", [
    ...read.operands.slice(0, 1),
    ...valuesOf(read, "b O output-file lf logfile-path"),
  ]);
  for (const { text } of [...valuesOf(read, "unzip-command"), ...call.args]) {
    if (text !== undefined && /\s/.test(text)) judgeCommandsIn(call, text);
  }
  if (hasAny(read, "TT unzip-command")) call.effects.executes = true;
  if (!hasAny(read, "m move")) return;
  addTargets(call, "deletes", read.operands.slice(1));
  const isListed = hasAny(read, "@ names-stdin") || read.operands.some(({ text }) => text === "-@");
  if (isListed) addTargets(call, "deletes", listedPaths(call, undefined));
}

function judgePatch(call: CommandCall): void {
  const read = readArguments(call.args, "p i o d r input output directory strip");
  if (hasAny(read, "dry-run")) {
    call.effects.reads = true;
    return;
  }
  const named = [...valuesOf(read, "o output d directory r"), ...read.operands.slice(0, 1)];
  addTargets(call, "overwrites", named.length > 0 ? named : [HERE]);
}

function judgeSplit(call: CommandCall): void {
  const read = readArguments(call.args, "a b C l n filter");
  for (const { text } of valuesOf(read, "filter")) {
    call.effects.executes = true;
    if (text === undefined) call.effects.unknown.push("its command is only known when it runs");
    else call.walk.runText(call, text);
  }
  const prefix = read.operands[1];
  addTargets(call, "overwrites", [prefix ?? knownField("x*", true)]);
}

export const ARCHIVE_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["tar", judgeTar],
  ["bsdtar", judgeTar],
  ["unzip", judgeUnzip],
  ["zip", judgeZip],
  ["patch", judgePatch],
  ["split", judgeSplit],
]);
