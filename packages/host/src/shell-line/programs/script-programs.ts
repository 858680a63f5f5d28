// Programs that run scripts: shells, whose scripts are looked through, and other languages, whose
// scripts are only searched for the words of what must not go by unasked.

import { readArguments, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText, type Field } from "../field.ts";
import { placePath } from "../place-path.ts";
import { sameOutcome, type Outcome } from "../shell-state.ts";

const SHELLS = "sh bash zsh dash ksh ash fish".split(" ");
const LANGUAGES =
  `python python2 python3 pypy pypy3 node nodejs deno bun ruby perl php lua Rscript julia
  osascript tclsh groovy scala elixir ts-node tsx`.split(/\s+/);
const INLINE = /^(?:-[a-zA-Z]*[ceE]|--eval|--execute|--print|-p|-r|eval)$/;
const FETCHING =
  /urlopen|urlretrieve|urllib|requests\.get|httpx|fetch\(|LWP::|Net::HTTP|open-uri|https?\.get|file_get_contents\(\s*['"]http/;
const RUNNING =
  /\bexec\b|\beval\b|\bsystem\b|subprocess|popen|spawn|child_process|execSync|Function\(/i;
const DELETING =
  /rmtree|os\.(?:remove|unlink|rmdir|removedirs|rename|truncate)|\.unlink\(|\brm\s+-[a-z]*[rf]|rmSync|unlinkSync|fs\.(?:rm|unlink|rmdir)|promises\.(?:rm|unlink)|FileUtils\.rm|File\.(?:delete|unlink)|\bunlink\b|Deno\.remove/;

function judgeShell(call: CommandCall): Outcome | void {
  const { args, effects, input } = call;
  let index = 0;
  let isCommand = false;
  let isInput = false;
  for (; index < args.length; index++) {
    const text = args[index]!.text;
    if (text === undefined || !/^[-+]./.test(text)) break;
    if (text === "--version" || text === "--help") return undefined;
    if (text === "--") {
      index++;
      break;
    }
    if (/^--(?:rcfile|init-file)$/.test(text) || /^[-+][a-z]*[oO]$/.test(text)) {
      if (text.startsWith("--")) effects.executes = true;
      index++;
    } else if (/^-[a-zA-Z]*c/.test(text)) isCommand = true;
    else if (/^-[a-zA-Z]*s$/.test(text)) isInput = true;
    else if (/^-[a-zA-Z]*i|^-[a-zA-Z]*l|^--(?:login|interactive)/.test(text))
      effects.executes = true;
  }
  const [first, ...rest] = args.slice(index);
  if (isCommand) {
    runScript(
      { ...call, state: { ...call.state, variables: exported(call) } },
      first,
      rest.slice(1),
    );
  } else if (first && exactText(first) !== "-" && !isInput) judgeFile(call, first);
  else if (input.isDownload) effects.downloadsAndExecutes = true;
  else if (input.text !== undefined) {
    call.walk.runText(
      { ...call, input: { ...input, text: undefined, isPresent: false } },
      input.text,
      [],
    );
  } else if (input.isPresent) effects.unknown.push("its script comes from elsewhere");
  return sameOutcome(call.state);
}

/** A new shell has only what is exported; of what the line sets nobody knows whether it is. */
function exported({ state }: CommandCall): ReadonlyMap<string, Field> {
  return new Map([...state.variables].filter(([name]) => name === "HOME"));
}

export function runScript(
  call: CommandCall,
  script: Field | undefined,
  positional?: readonly Field[],
): Outcome {
  const { effects } = call;
  const text = exactText(script);
  if (text !== undefined) return call.walk.runText(call, text, positional);
  if (script?.isDownload) effects.downloadsAndExecutes = true;
  else if (script) effects.unknown.push("its script is only known when it runs");
  return sameOutcome({ directories: undefined, variables: new Map(), positional: undefined });
}

/** A script in a file: it may do anything, and must not have come with this line. */
export function judgeFile(call: CommandCall, file: Field): void {
  call.effects.executes = true;
  if (file.isDownload) call.effects.downloadsAndExecutes = true;
  for (const { path } of placePath(file, call.state, call.context)) {
    if (path !== undefined && call.walk.downloaded.has(path))
      call.effects.downloadsAndExecutes = true;
  }
}

function judgeLanguage(call: CommandCall): void {
  const { args, effects, input, name } = call;
  if (args.length === 1 && /^(?:--version|-V|-v|--help|-h)$/.test(args[0]!.text ?? "")) {
    effects.reads = true;
    return;
  }
  effects.executes = true;
  const inlineAt = args.findIndex(({ text }) => INLINE.test(text ?? ""));
  const file = args.find(({ text }) => text === undefined || !text.startsWith("-"));
  if (inlineAt >= 0) judgeCode(call, args[inlineAt + 1]);
  else if (file) judgeFile(call, file);
  const readsInput = inlineAt < 0 && (!file || args.some(({ text }) => text === "-"));
  if (readsInput && input.isDownload) effects.downloadsAndExecutes = true;
  if (readsInput && input.text !== undefined) judgeText(call, input.text);
  if (name === "perl") judgePerlInPlace(call);
}

function judgeCode(call: CommandCall, code: Field | undefined): void {
  if (code?.isDownload) call.effects.downloadsAndExecutes = true;
  if (code?.text !== undefined) judgeText(call, code.text);
}

function judgeText({ effects }: CommandCall, text: string): void {
  if (FETCHING.test(text) && RUNNING.test(text)) effects.downloadsAndExecutes = true;
  else if (FETCHING.test(text)) {
    effects.network = true;
    effects.downloads = true;
  }
  if (DELETING.test(text)) effects.unknown.push("its script deletes files");
}

function judgePerlInPlace(call: CommandCall): void {
  if (!call.args.some(({ text }) => /^-[a-zA-Z0-9]*i/.test(text ?? ""))) return;
  const read = readArguments(call.args, "e E I M");
  const files = read.options.has("e") ? read.operands : read.operands.slice(1);
  call.effects.overwrites.push(
    ...files.flatMap((field) => placePath(field, call.state, call.context)),
  );
}

export const SCRIPT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...SHELLS.map((name) => [name, judgeShell] as const),
  ...LANGUAGES.map((name) => [name, judgeLanguage] as const),
]);
