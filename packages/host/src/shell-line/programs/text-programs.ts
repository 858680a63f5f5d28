// sed, awk and their kin: a small language that mostly looks, and sometimes writes or runs.

import {
  addTargets,
  hasAny,
  readArguments,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/I?|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1)`;
const SED_COMMANDS = new RegExp(
  String.raw`^(?:\s|;|\}|${ADDRESS.replace("(.)", "(?<a>.)").replaceAll(String.raw`\1`, String.raw`\k<a>`)}(?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\\n]|\\.)*/I?))?\s*!?\s*|\{|[pPdDgGhHnNxlz=]|[qQ]\s*\d*|[bt]\s*\w*|:\s*\w+|[aic](?:\\\n|\s)[^\n]*|#[^\n]*|s(?<s>[^\w\s\\])(?:(?!\k<s>)[^\\]|\\[^])*\k<s>(?:(?!\k<s>)[^\\]|\\[^])*\k<s>[gpiIM\d]*(?=[\s;}]|$)|y(?<y>[^\w\s\\])(?:(?!\k<y>)[^\\]|\\[^])*\k<y>(?:(?!\k<y>)[^\\]|\\[^])*\k<y>)`,
);
/** Longer scripts are not looked through. */
const MAX_SCRIPT = 20_000;

function judgeSed(call: CommandCall): void {
  const read = readArguments(call.args, "e f l expression file line-length");
  const scripts = valuesOf(read, "e expression");
  const isNamed = hasAny(read, "e f expression file");
  const [first, ...rest] = read.operands;
  if (!isNamed && first) scripts.push(first);
  if (read.hasOpenOption) call.effects.unknown.push("an option of it is only known when it runs");
  const isInPlace = hasAny(read, "i in-place");
  if (isInPlace) addTargets(call, "overwrites", isNamed ? read.operands : rest);
  else call.effects.reads = true;
  if (hasAny(read, "f file")) call.effects.executes = true;
  for (const { text } of scripts) {
    // A value in a script may be the end of a substitution and the beginning of anything.
    if (text === undefined) {
      if (!isInPlace) call.effects.unknown.push("its script is only known when it runs");
      else call.effects.executes = true;
    } else if (!isHarmlessSed(text)) call.effects.unknown.push("its script may write or run");
  }
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
    "F v f i assign field-separator file include load l e source",
  );
  call.effects.reads = true;
  if (hasAny(read, "f file i include l load E exec") || read.hasOpenOption)
    call.effects.executes = true;
  if (valuesOf(read, "i include").some(({ text }) => text === "inplace")) {
    addTargets(call, "overwrites", read.operands.slice(1));
  }
  const program = read.operands[0];
  if (!program || hasAny(read, "f file")) return;
  if (program.text === undefined)
    call.effects.unknown.push("its program is only known when it runs");
  else if (!isHarmlessAwk(program.text)) call.effects.unknown.push("its program may write or run");
}

function isHarmlessAwk(program: string): boolean {
  if (program.length > MAX_SCRIPT) return false;
  const bare = program
    .replace(/"(?:[^"\\]|\\[^])*"/g, '""')
    .replace(/(^|[\s~(,{;!&|])\/(?:[^/\\\n]|\\.)*\//g, "$1 ")
    .replaceAll("||", " ");
  return !/\bsystem\s*\(|\||\bgetline\b|@|\bprintf?\b[^;}\n]*>/.test(bare);
}

export const TEXT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ["sed", judgeSed],
  ["gsed", judgeSed],
  ["awk", judgeAwk],
  ["gawk", judgeAwk],
  ["mawk", judgeAwk],
]);
