// Programs that make, change, move and delete files.

import { posix } from "node:path";
import {
  addTargets,
  hasAny,
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
  type ReadArguments,
} from "../command-call.ts";
import { knownField, unknownField, type Field } from "../field.ts";
import { judgeCommandsIn } from "../judge-unknown.ts";
import { noteWholeProject } from "../note-whole-project.ts";
import { pathsOf } from "../place-path.ts";
import { isSystemProgram } from "../program-origin.ts";
import { listedPaths } from "./listed-paths.ts";
import { judgeRemoteTarget } from "./remote-programs.ts";

const COPY_VALUED = "t target-directory S suffix m mode o owner g group";

/** Sources and where they go. A value that may be an option may also be where they go. */
function copyTargets(call: CommandCall): {
  sources: Field[];
  target: Field[];
  read: ReadArguments;
} {
  const read = readArguments(call.args, COPY_VALUED);
  const named = valuesOf(read, "t target-directory");
  const last = read.operands.at(-1);
  if (named.length > 0) {
    // `ln -S --target-directory a b`: what looks like an option is a value, and the last is the place.
    const isValue = valuesOf(read, "S suffix m mode o owner g group").some(({ prefix }) =>
      prefix.startsWith("-"),
    );
    const target = isValue && last ? [...named, last] : named;
    return { sources: read.operands, target, read };
  }
  const isOpen = read.operands.some(({ isMany }) => isMany);
  return {
    sources: read.operands.slice(0, -1),
    target: isOpen && last?.isMany !== false ? [unknownField()] : last ? [last] : [],
    read,
  };
}

function judgeCopy(call: CommandCall): void {
  const { target, sources, read } = copyTargets(call);
  addTargets(call, "overwrites", target);
  addTargets(call, "overwrites", arrivals(call, sources, target));
  // `install -D -d a b`, `cp -l`, `cp -s` make what they are told.
  if (call.name === "install" && hasAny(read, "d directory")) addTargets(call, "writes", sources);
  noteCopies(call, sources, target);
  const isLink = hasAny(read, "s symbolic-link l link");
  if (isLink && call.name === "cp")
    noteLinks(call, target, sources, hasAny(read, "s symbolic-link"));
}

/** A copy of a program is that program under another name. */
function noteCopies(call: CommandCall, sources: readonly Field[], target: readonly Field[]): void {
  for (const { text: source } of sources) {
    if (source === undefined || !isSystemProgram(source)) continue;
    for (const { path } of target.flatMap((field) => targetsOf(call, field))) {
      if (path === undefined) continue;
      call.walk.copies.set(path, source);
      call.walk.copies.set(posix.join(path, posix.basename(source)), source);
    }
  }
}

/** In a directory they have their own names: `cp hooks/pre-commit .git` is `.git/pre-commit`. */
function arrivals(call: CommandCall, sources: readonly Field[], target: readonly Field[]): Field[] {
  const { guards } = call.context;
  if (!guards) return [];
  return target.flatMap(({ text }) =>
    sources.flatMap((source) => {
      if (text === undefined || source.text === undefined) return [];
      const name = posix.basename(source.text);
      const field = knownField(`${text.replace(/\/+$/, "")}/${name}`, source.isPattern);
      return targetsOf(call, field).some(({ guard }) => guard !== undefined) ? [field] : [];
    }),
  );
}

function judgeMove(call: CommandCall): void {
  const { sources, target } = copyTargets(call);
  addTargets(call, "deletes", sources);
  addTargets(call, "overwrites", target);
  addTargets(call, "overwrites", arrivals(call, sources, target));
}

function judgeLink(call: CommandCall): void {
  const { read, target, sources } = copyTargets(call);
  // `ln -s x` makes `x` here.
  const made = sources.length === 0 && target[0]?.text ? [here(target[0], posix.basename)] : target;
  // A backup is made by moving what was there away.
  const isReplacing = hasAny(read, "f force b backup S suffix i interactive");
  addTargets(call, isReplacing ? "overwrites" : "writes", made);
  noteLinks(call, made, sources.length === 0 ? target : sources, hasAny(read, "s symbolic"));
}

/** Where the new links lead, for whatever the line does through them. */
function noteLinks(
  call: CommandCall,
  made: readonly Field[],
  sources: readonly Field[],
  isSymbolic: boolean,
): void {
  for (const { path } of made.flatMap((field) => targetsOf(call, field))) {
    if (path === undefined) continue;
    for (const source of sources) {
      const from = isSymbolic ? { ...call.state, directories: [posix.dirname(path)] } : call.state;
      const [to] = pathsOf(source, from) ?? [];
      if (to === undefined) continue;
      call.walk.links.set(path, posix.normalize(to));
      // `ln -s /x directory` makes `directory/x`.
      call.walk.links.set(posix.join(path, posix.basename(to)), posix.normalize(to));
    }
  }
}

function here(field: Field, change: (text: string) => string): Field {
  const text = change(field.text!);
  return { ...field, text, prefix: text };
}

function judgeRemove(call: CommandCall): void {
  const { operands } = readArguments(
    call.args,
    call.name === "shred" ? "n iterations s size random-source" : "",
  );
  addTargets(call, "deletes", operands);
  for (const { path } of call.effects.deletes) {
    if (path === "/" || path === "/*") call.effects.critical.push("deletes everything");
    if (path === call.context.home) call.effects.critical.push("deletes the home directory");
  }
}

function targets(list: "writes" | "deletes" | "overwrites", valued = ""): ProgramJudge {
  return (call) => addTargets(call, list, readArguments(call.args, valued).operands);
}

/** `4755`, `u+s` */
const SET_ID = /^0*[2467][0-7]{3}$|^[ugoa]*[+=][rwxXt]*s[rwxXst]*(?:,|$)/;

/** The first operand is a mode or an owner, unless another file stands for it. */
function judgeMode(call: CommandCall): void {
  const read = readArguments(call.args, "reference from");
  // `chmod -x file`, `chmod -5 file`, `chmod -Rw file`: the mode looks like options.
  const isModeOption = call.args.some(({ text }) => /^-[Rcfv]*[rwxXstugoa0-7,=+]/.test(text ?? ""));
  const isNamed = read.options.has("reference") || (call.name === "chmod" && isModeOption);
  const paths = read.operands.slice(isNamed ? 0 : 1);
  addTargets(call, "overwrites", paths);
  if (call.name === "chmod" && call.args.some(({ text }) => SET_ID.test(text ?? "")))
    call.effects.critical.push("lets a program run with its owner's rights");
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
  const read = readArguments(call.args, "p suffix tmpdir");
  const named = [...read.operands, ...valuesOf(read, "p tmpdir")];
  const [temporary] = call.context.temporary;
  const isTemporary = named.length === 0 && temporary !== undefined;
  addTargets(call, "writes", isTemporary ? [knownField(`${temporary}/tmp.?*`, true)] : named);
}

const RSYNC_VALUED =
  "e rsh exclude include files-from exclude-from include-from filter f backup-dir temp-dir T partial-dir log-file compare-dest copy-dest link-dest rsync-path bwlimit port password-file write-batch only-write-batch read-batch chmod chown out-format info debug max-size min-size timeout";

function judgeRsync(call: CommandCall): void {
  const read = readArguments(call.args, RSYNC_VALUED);
  const isRemote = ({ text, prefix }: Field): boolean =>
    /^[\w.@-]+:|^rsync:\/\//.test(text ?? prefix);
  for (const { text } of valuesOf(read, "e rsh rsync-path")) {
    call.effects.executes = true;
    if (text !== undefined) judgeCommandsIn(call, text);
  }
  if (read.operands.some(isRemote)) call.effects.network = true;
  addTargets(
    call,
    "overwrites",
    valuesOf(read, "backup-dir temp-dir T log-file write-batch only-write-batch partial-dir"),
  );
  const isDeleting = [...read.options].some((name) => name.startsWith("del"));
  const isMoving = hasAny(read, "remove-source-files");
  if (isMoving) addTargets(call, "deletes", read.operands.slice(0, -1));
  const target = read.operands.slice(1).slice(-1);
  if (target.some(isRemote)) {
    call.effects.sends = true;
    noteWholeProject(call, read.operands.slice(0, -1));
    judgeRemoteTarget(call, target[0]!, read.operands.slice(0, -1));
    if (isDeleting) call.effects.critical.push("deletes on another machine");
    return;
  }
  addTargets(call, isDeleting ? "deletes" : "overwrites", target);
  // What has not changed there is the same file here.
  noteLinks(call, target, valuesOf(read, "link-dest"), false);
}

/** In place beside the operand; with `-c` to the output. */
function judgeCompress(call: CommandCall): void {
  const read = readArguments(call.args, "S suffix o T threads");
  addTargets(call, "overwrites", valuesOf(read, "o"));
  if (hasAny(read, "c stdout to-stdout l list t test")) return;
  const listed = call.args
    .filter(({ text }) => /^--files0?(?:=|$)/.test(text ?? ""))
    .flatMap(({ text }) => {
      const file = text!.split("=")[1];
      return listedPaths(call, file === undefined ? undefined : knownField(file));
    });
  const targets = [...read.operands, ...listed];
  addTargets(call, hasAny(read, "k keep") ? "overwrites" : "deletes", targets);
}

/** The desktop's own way to files. */
function judgeGio(call: CommandCall): void {
  const [verb, ...rest] = readArguments(call.args, "a attributes t type").operands;
  const action = verb?.text ?? "?";
  call.effects.executes = true;
  if (/^(?:trash|remove)$/.test(action)) addTargets(call, "deletes", rest);
  else if (/^(?:move|rename)$/.test(action)) {
    addTargets(call, "deletes", rest.slice(0, -1));
    addTargets(call, "overwrites", rest.slice(-1));
  } else if (/^(?:copy|save|set|mkdir)$/.test(action))
    addTargets(call, "overwrites", rest.slice(-1));
  else if (action === "?") call.effects.unknown.push("what it does is only known when it runs");
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
  ["trash-put", judgeRemove],
  ["rimraf", judgeRemove],
  ["del-cli", judgeRemove],
  ["wipe", judgeRemove],
  ["link", judgeLink],
  ["ditto", judgeCopy],
  ["cpx", judgeCopy],
  ["vipe", targets("overwrites")],
  ["pigz", judgeCompress],
  ["unzstd", judgeCompress],
  ["lz4", judgeCompress],
  ["compress", judgeCompress],
  ["uncompress", judgeCompress],
  ["mkdirp", judgeMkdir],
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
  ["gio", judgeGio],
  ["gzip", judgeCompress],
  ["gunzip", judgeCompress],
  ["bzip2", judgeCompress],
  ["bunzip2", judgeCompress],
  ["xz", judgeCompress],
  ["unxz", judgeCompress],
  ["zstd", judgeCompress],
]);
