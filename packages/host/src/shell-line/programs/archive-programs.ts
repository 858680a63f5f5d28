// Programs that pack and unpack: where the files go, and what is written over.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { knownField, type Field } from "../field.ts";

const TAR_VALUED =
  "f C file directory exclude T X I use-compress-program transform strip-components to-command checkpoint-action";
const HERE = knownField(".");

function judgeTar(call: CommandCall): void {
  const [first, ...rest] = call.args;
  // `tar xzf` without a dash.
  const isOld = first?.text !== undefined && /^[A-Za-z]+$/.test(first.text);
  const args: readonly Field[] = isOld ? [knownField(`-${first.text}`), ...rest] : call.args;
  const read = readArguments(args, TAR_VALUED);
  const archive = valuesOf(read, "f file");
  if (hasAny(read, "I use-compress-program to-command checkpoint-action F info-script")) {
    call.effects.executes = true;
  }
  if (read.hasOpenOption) call.effects.unknown.push("an option of it is only known when it runs");
  if (hasAny(read, "x extract get")) {
    if (hasAny(read, "O to-stdout")) return;
    const places = valuesOf(read, "C directory");
    addTargets(call, "overwrites", places.length > 0 ? places : [HERE]);
    if (hasAny(read, "P absolute-names"))
      call.effects.unknown.push("what it overwrites cannot be determined");
  } else if (hasAny(read, "c create r append u update A delete")) {
    addTargets(
      call,
      "overwrites",
      archive.filter(({ text }) => text !== "-"),
    );
    if (hasAny(read, "remove-files")) addTargets(call, "deletes", read.operands);
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
}

function judgeZip(call: CommandCall): void {
  const read = readArguments(call.args, "x i b n");
  addTargets(call, "overwrites", read.operands.slice(0, 1));
  if (hasAny(read, "m move")) addTargets(call, "deletes", read.operands.slice(1));
}

function judgePatch(call: CommandCall): void {
  const read = readArguments(call.args, "p i o d r input output directory strip");
  if (hasAny(read, "dry-run")) {
    call.effects.reads = true;
    return;
  }
  const named = [...valuesOf(read, "o output d directory"), ...read.operands.slice(0, 1)];
  addTargets(call, "overwrites", named.length > 0 ? named : [HERE]);
}

function judgeSplit(call: CommandCall): void {
  const read = readArguments(call.args, "a b C l n filter");
  if (hasAny(read, "filter")) call.effects.executes = true;
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
  ["csplit", judgeSplit],
]);
