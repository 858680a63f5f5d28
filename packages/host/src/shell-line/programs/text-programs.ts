// sed, awk and their kin: a small language that mostly looks, and sometimes writes or runs.

import {
  addReads,
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { DIGITS, knownField, type Field } from "../field.ts";
import { awkEffects } from "./awk-program.ts";

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1)`;
const SED_COMMANDS = new RegExp(
  String.raw`^(?:\s|;|\}|${ADDRESS.replace("(.)", "(?<a>.)").replaceAll(String.raw`\1`, String.raw`\k<a>`)}(?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/I?))?\s*!?\s*|\{|[pPdDgGhHnNxlz=]|[qQ]\s*\d*|[bt]\s*\w*|:\s*\w+|[aic](?:\\\n|\s)[^\n]*|#[^\n]*|s(?<s>[^\w\s\\])(?:(?!\k<s>)[^\\]|\\[^])*\k<s>(?:(?!\k<s>)[^\\]|\\[^])*\k<s>[gpiIM\d]*(?=[\s;}]|$)|y(?<y>[^\w\s\\])(?:(?!\k<y>)[^\\]|\\[^])*\k<y>(?:(?!\k<y>)[^\\]|\\[^])*\k<y>)`,
);
/** Longer scripts are not looked through. */
const MAX_SCRIPT = 20_000;

function judgeSed(call: CommandCall): void {
  // `sed -i '' …` of macOS: no suffix, not a file without a name.
  const at = call.args.findIndex(({ text }) => /^-[nErs]*i$/.test(text ?? ""));
  const isBare = at >= 0 && call.args[at + 1]?.text === "" && !call.args[at + 1]!.isPattern;
  const args = isBare ? call.args.toSpliced(at + 1, 1) : call.args;
  const read = readArguments(args, "e f l expression file line-length");
  const scripts = valuesOf(read, "e expression");
  const isNamed = hasAny(read, "e f expression file");
  const [first, ...rest] = read.operands;
  if (!isNamed && first) scripts.push(first);
  if (read.hasOpenOption) call.effects.unknown.push("an option of it is only known when it runs");
  const isInPlace = hasAny(read, "i in-place");
  if (isInPlace) {
    const files = isNamed ? read.operands : rest;
    addTargets(call, "overwrites", [...files, ...backups(call, files)]);
  } else call.effects.reads = true;
  if (hasAny(read, "f file")) call.effects.executes = true;
  for (const file of valuesOf(read, "f file")) {
    const script = printedScript(call, file);
    if (script !== undefined && !(script !== "" && isHarmlessSed(script)))
      call.effects.unknown.push("its script comes from elsewhere");
  }
  for (const { text: given, isPattern } of scripts) {
    // Of patterns only numbers: the name of a file is chosen by whoever made it.
    const filled = isPattern ? given?.replaceAll(DIGITS.text!, "0") : given;
    const text = isPattern && /[*?[]/.test(filled ?? "") ? undefined : filled;
    // A value in a script may be the end of a substitution and the beginning of anything.
    if (text === undefined) {
      if (!isInPlace) call.effects.unknown.push("its script is only known when it runs");
      else call.effects.executes = true;
    } else if (!isHarmlessSed(text)) call.effects.unknown.push("its script may write or run");
  }
}

/** `-i'../../*'`, `--in-place=/x/*`: with a slash in it a suffix is a place, and the star is the name. */
function backups(call: CommandCall, files: readonly Field[]): Field[] {
  return call.args.flatMap(({ text }) => {
    const suffix = /^(?:-[nErsuz]*i|--in-p\w*(?:-\w+)?=)(.*\/.*)$/s.exec(text ?? "")?.[1];
    if (suffix === undefined) return [];
    const names = files.map((file) => file.text?.split("/").at(-1) ?? "?");
    return names.map((name) => knownField(suffix.replaceAll("*", name)));
  });
}

/** A script that is printed or flows in; empty if nobody knows it, undefined if it is a file. */
function printedScript(
  { input }: CommandCall,
  { isPipe, printed, text }: Field,
): string | undefined {
  if (printed !== undefined) return printed;
  if (isPipe) return "";
  const isInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/.test(text ?? "");
  return isInput ? (input.text ?? "") : undefined;
}

function isHarmlessSed(script: string): boolean {
  if (script.length > MAX_SCRIPT) return false;
  let rest = script;
  while (rest !== "") {
    const length = SED_COMMANDS.exec(rest)?.[0].length ?? 0;
    if (length === 0) return false;
    rest = rest.slice(length);
  }
  return true;
}

function judgeAwk(call: CommandCall): void {
  const read = readArguments(
    call.args,
    "F v f i assign field-separator file include load l e source E exec o pretty-print p profile d dump-variables D debug",
    { endsAtOperand: true },
  );
  const { effects } = call;
  effects.reads = true;
  if (hasAny(read, "f file i include l load E exec D debug") || read.hasOpenOption)
    effects.executes = true;
  addTargets(call, "overwrites", valuesOf(read, "o pretty-print p profile d dump-variables"));
  if (valuesOf(read, "i include").some(({ text }) => text === "inplace")) {
    addTargets(call, "overwrites", read.operands.slice(1));
  }
  const sources = valuesOf(read, "e source");
  const isGiven = sources.length > 0 || hasAny(read, "f file E exec");
  const programs = isGiven ? sources : read.operands.slice(0, 1);
  for (const file of valuesOf(read, "f file E exec")) {
    const program = printedScript(call, file);
    if (program === "") effects.unknown.push("its program comes from elsewhere");
    else if (program !== undefined) judgeAwkProgram(call, program);
  }
  for (const { text } of programs) {
    if (text === undefined) effects.unknown.push("its program is only known when it runs");
    else judgeAwkProgram(call, text);
  }
}

function judgeAwkProgram(call: CommandCall, program: string): void {
  const { effects } = call;
  if (program.length > MAX_SCRIPT) effects.unknown.push("its program is too long to judge");
  else {
    const { commands, pipes, files, patterns, reads, isOpen } = awkEffects(program);
    if (isOpen) effects.unknown.push("its program may write or run");
    if (commands.length + pipes.length > 0) effects.executes = true;
    const printed = { paths: undefined, isDownload: false, text: undefined, isPresent: true };
    for (const command of pipes) call.walk.runText({ ...call, input: printed }, command);
    for (const command of commands) call.walk.runText(call, command);
    addTargets(call, "overwrites", [
      ...files.map((file) => knownField(file)),
      ...patterns.map((file) => knownField(file, true)),
    ]);
    addReads(
      call,
      reads.map((file) => knownField(file)),
    );
  }
}

export const TEXT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["sed", judgeSed],
  ["gsed", judgeSed],
  ["awk", judgeAwk],
  ["gawk", judgeAwk],
  ["mawk", judgeAwk],
  ["nawk", judgeAwk],
  ["original-awk", judgeAwk],
]);
