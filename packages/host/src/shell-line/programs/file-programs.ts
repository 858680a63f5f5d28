// Programs that make, change, move and delete files.

import { posix } from "node:path";
import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { unknownField, type Field } from "../field.ts";

const COPY_VALUED = "t target-directory S suffix m mode o owner g group backup context";

/** Sources and where they go. A value that may be an option may also be where they go. */
function copyTargets(call: CommandCall): {
  sources: Field[];
  target: Field[];
  read: ReadArguments;
} {
  const read = readArguments(call.args, COPY_VALUED);
  const named = valuesOf(read, "t target-directory");
  if (named.length > 0) return { sources: read.operands, target: named, read };
  const last = read.operands.at(-1);
  const isOpen = read.operands.some(({ isMany }) => isMany);
  return {
    sources: read.operands.slice(0, -1),
    target: isOpen && last?.isMany !== false ? [unknownField()] : last ? [last] : [],
    read,
  };
}

function judgeCopy(call: CommandCall): void {
  addTargets(call, "overwrites", copyTargets(call).target);
}

function judgeMove(call: CommandCall): void {
  const { sources, target } = copyTargets(call);
  addTargets(call, "deletes", sources);
  addTargets(call, "overwrites", target);
}

function judgeLink(call: CommandCall): void {
  const { read, target, sources } = copyTargets(call);
  // `ln -s x` makes `x` here.
  const made = sources.length === 0 && target[0]?.text ? [here(target[0], posix.basename)] : target;
  addTargets(call, hasAny(read, "f force") ? "overwrites" : "writes", made);
}

function here(field: Field, change: (text: string) => string): Field {
  const text = change(field.text!);
  return { ...field, text, prefix: text };
}

function judgeRemove(call: CommandCall): void {
  const { operands } = readArguments(call.args);
  addTargets(call, "deletes", operands);
  for (const { path } of call.effects.deletes) {
    if (path === "/" || path === "/*") call.effects.critical.push("deletes everything");
    if (path === call.context.home) call.effects.critical.push("deletes the home directory");
  }
}

function targets(list: "writes" | "deletes" | "overwrites", valued = ""): ProgramJudge {
  return (call) => addTargets(call, list, readArguments(call.args, valued).operands);
}

/** The first operand is a mode or an owner, unless another file stands for it. */
function judgeMode(call: CommandCall): void {
  const read = readArguments(call.args, "reference from");
  // `chmod -x file`: the mode looks like options.
  const isModeOption = call.args.some(
    ({ text }) => /^-[rwxXst]+$/.test(text ?? "") && text !== "-R",
  );
  const isNamed = read.options.has("reference") || (call.name === "chmod" && isModeOption);
  const paths = read.operands.slice(isNamed ? 0 : 1);
  addTargets(call, "overwrites", paths);
  const isDeep = hasAny(read, "R recursive");
  const isSystem = call.effects.overwrites.some(
    ({ path }) => path !== undefined && /^\/[^/]*$/.test(path),
  );
  if (isDeep && isSystem) call.effects.critical.push(`changes permissions throughout the system`);
}

function judgeDd(call: CommandCall): void {
  for (const field of call.args) {
    const value = /^of=(.*)/s.exec(field.text ?? field.prefix)?.[1];
    if (value === undefined) continue;
    const isKnown = field.text !== undefined;
    const target = isKnown
      ? { ...field, text: value, prefix: value }
      : unknownField({ prefix: value });
    addTargets(call, "overwrites", [target]);
    if (!isKnown && value.startsWith("/dev/")) call.effects.critical.push("writes to a device");
  }
}

function judgeTouch(call: CommandCall): void {
  addTargets(call, "writes", readArguments(call.args, "d date r reference t").operands);
}

function judgeMkdir(call: CommandCall): void {
  addTargets(call, "writes", readArguments(call.args, "m mode").operands);
}

function judgeTruncate(call: CommandCall): void {
  addTargets(call, "overwrites", readArguments(call.args, "s size r reference").operands);
}

function judgeMktemp(call: CommandCall): void {
  const { operands } = readArguments(call.args, "p suffix tmpdir");
  addTargets(call, "writes", operands);
}

function judgeRsync(call: CommandCall): void {
  const read = readArguments(call.args, "e rsh exclude include files-from exclude-from filter f");
  const isRemote = read.operands.some(({ text, prefix }) => /^[\w.@-]+:/.test(text ?? prefix));
  if (isRemote) call.effects.network = true;
  if (hasAny(read, "e rsh")) call.effects.executes = true;
  if (hasAny(read, "remove-source-files")) addTargets(call, "deletes", read.operands.slice(0, -1));
  const target = read.operands.slice(1).slice(-1);
  if (target.some(({ text, prefix }) => /^[\w.@-]+:/.test(text ?? prefix))) return;
  const isDeleting = [...read.options].some((name) => name.startsWith("delete"));
  addTargets(call, isDeleting ? "deletes" : "overwrites", target);
}

/** In place beside the operand; with `-c` to the output. */
function judgeCompress(call: CommandCall): void {
  const read = readArguments(call.args, "S suffix");
  if (hasAny(read, "c stdout to-stdout l list t test")) return;
  addTargets(call, hasAny(read, "k keep") ? "overwrites" : "deletes", read.operands);
}

export const FILE_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["cp", judgeCopy],
  ["install", judgeCopy],
  ["mv", judgeMove],
  ["ln", judgeLink],
  ["rm", judgeRemove],
  ["rmdir", judgeRemove],
  ["unlink", judgeRemove],
  ["shred", judgeRemove],
  ["trash", judgeRemove],
  ["srm", judgeRemove],
  ["tee", targets("overwrites")],
  ["sponge", targets("overwrites")],
  ["truncate", judgeTruncate],
  ["touch", judgeTouch],
  ["mkdir", judgeMkdir],
  ["mkfifo", judgeMkdir],
  ["mktemp", judgeMktemp],
  ["chmod", judgeMode],
  ["chown", judgeMode],
  ["chgrp", judgeMode],
  ["chattr", judgeMode],
  ["dd", judgeDd],
  ["rsync", judgeRsync],
  ["gzip", judgeCompress],
  ["gunzip", judgeCompress],
  ["bzip2", judgeCompress],
  ["bunzip2", judgeCompress],
  ["xz", judgeCompress],
  ["unxz", judgeCompress],
  ["zstd", judgeCompress],
]);
