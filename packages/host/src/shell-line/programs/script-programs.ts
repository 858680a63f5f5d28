// Programs that run scripts: shells, whose scripts are looked through, and other languages, whose
// scripts are only searched for the words of what must not go by unasked.

import {
  addReads,
  addTargets,
  readArguments,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { judgeOutputs, judgeTails } from "../judge-unknown.ts";
import { noteCode, noteOpenCode, noteWords } from "../note-code.ts";
import { closedNameOf, judgeClosedCommand, noteClosedCode } from "../closed-code/judge-closed.ts";
import { sameOutcome, type Outcome } from "../shell-state.ts";
import { judgeDatabaseReset } from "./database-reset.ts";
import { judgeZsh, withoutQualifiers } from "./other-shells.ts";
import { judgeFile, judgeInput, runScript } from "./run-file.ts";
import { judgeRunner } from "./run-inner.ts";
import { INSTALLS } from "./tool-row.ts";

const SHELLS = "sh bash zsh dash ksh ash".split(" ");
const LANGUAGES =
  `python python2 python3 pypy pypy3 node nodejs deno bun ruby perl php lua Rscript julia
  osascript tclsh expect groovy scala elixir ts-node tsx guile sbcl racket runghc irb raku luajit R erl jshell`.split(
    /\s+/,
  );
const INLINE =
  /^(?:-[a-zA-Z]*[ceE]|--eval|-eval|--execute|--print|-p|-r|eval|--import|--require|-Command)$/;
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
      if (text.startsWith("--") && args[index + 1]) judgeFile(call, args[index + 1]!);
      index++;
    } else if (/^-[a-zA-Z]*c/.test(text)) {
      isCommand = true;
      // zsh takes what follows, whatever it begins with.
      if (call.name === "zsh" && /^-\s/.test(args[index + 1]?.text ?? "")) {
        index++;
        break;
      }
    } else if (/^-[a-zA-Z]*s$/.test(text)) isInput = true;
    else if (/^-[a-zA-Z]*i|^-[a-zA-Z]*l|^--(?:login|interactive)/.test(text))
      effects.executes = true;
  }
  const [first, ...rest] = args.slice(index);
  if (call.name === "zsh") {
    judgeZsh(call, isCommand ? (first?.text ?? "") : (input.text ?? ""));
    const isInteractive = args.some(({ text }) =>
      /^(?:-[a-zA-Z]*i[a-zA-Z]*|--interactive)$/.test(text ?? ""),
    );
    if (isInteractive) effects.unknown.push("it obeys start-up files that nobody has read");
  }
  if (isCommand) {
    runScript(
      { ...call, state: { ...call.state, variables: exported(call) } },
      call.name === "zsh" && first ? withoutQualifiers(first) : first,
      rest.slice(1),
    );
  } else if (first && exactText(first) !== "-" && !isInput) judgeFile(call, first);
  else judgeInput(call, input);
  return sameOutcome(call.state);
}

/** A new shell has only what is exported; of what the line sets nobody knows whether it is. */
function exported({ state }: CommandCall): ReadonlyMap<string, Field> {
  return new Map([...state.variables].filter(([name]) => name === "HOME"));
}

function judgeLanguage(call: CommandCall): void {
  const { args, effects, input, name } = call;
  if (args.length === 1 && /^(?:--version|-V|-v|--help|-h)$/.test(args[0]!.text ?? "")) {
    effects.reads = true;
    return;
  }
  effects.executes = true;
  judgeDatabaseReset(call);
  // `-e`, `-ne`, `-c`, `--eval=…`: one-letter options may stand together, the last has the code.
  const codes = args.flatMap((field, index) => {
    const text = field.text ?? "";
    const equals = /^--(?:eval|print|execute)=(.*)$/s.exec(text)?.[1];
    if (equals !== undefined) return [knownField(equals)];
    const glued = /^-[a-zA-Z]*[ceE](\S.*)$/s.exec(text)?.[1];
    if (glued !== undefined && /[\s(;]/.test(glued)) return [knownField(glued)];
    // `--import data:text/javascript,…`: a module in an address is code as well.
    const inAddress = /^(?:--?[\w-]+=)?data:[^,]*,(.*)$/s.exec(text)?.[1];
    if (inAddress !== undefined) return [knownField(decoded(inAddress))];
    return INLINE.test(text) && args[index + 1] ? [args[index + 1]!] : [];
  });
  const closed = closedNameOf(name);
  if (closed) {
    judgeClosedLanguage(call, closed);
    return;
  }
  const file = args.find(({ text }) => text === undefined || !text.startsWith("-"));
  for (const code of codes) judgeCode(call, code);
  if (codes.length === 0 && file) judgeFile(call, file);
  // `python3 -i x.py`: behind its script, whatever flows in is code.
  const goesOn = args.some(({ text }) =>
    /^(?:-[a-zA-Z]*i[a-zA-Z]*|--interactive)$/.test(text ?? ""),
  );
  const readsInput =
    goesOn || (codes.length === 0 && (!file || args.some(({ text }) => text === "-")));
  if (readsInput && input.isDownload) effects.downloadsAndExecutes = true;
  if (readsInput && input.text !== undefined) noteCode(call, input.text);
  if (/^(?:python|pypy)/.test(name)) judgeModule(call);
  if (name === "bun" || name === "deno") judgeRuntime(call);
}

function decoded(text: string): string {
  return /%[0-9a-f]{2}/i.test(text) ? unescape(text) : text;
}

/** Runtimes that are package managers as well. */
function judgeRuntime(call: CommandCall): void {
  const words = call.args.map(({ text }) => text ?? "").filter((text) => !text.startsWith("-"));
  const isGlobal = call.args.some(({ text }) => /^-[a-zA-Z]*g|^--global$/.test(text ?? ""));
  if (/^(?:add|i|install|remove|rm|update|link)$/.test(words[0] ?? "") && isGlobal)
    call.effects.critical.push(INSTALLS);
  if (/^x$/.test(words[0] ?? "")) judgeRunner(call, readArguments(call.args).operands.slice(1));
  if (/^(?:publish|deploy)$/.test(words[0] ?? ""))
    call.effects.critical.push("publishes to everybody");
  if (words.some((word) => /^https?:\/\//.test(word))) call.effects.downloadsAndExecutes = true;
  judgeTails(call, call.args);
  judgeOutputs(call);
}

/** `python -m http.server -d ~` gives away what is there. */
function judgeModule(call: CommandCall): void {
  const { args, effects } = call;
  const at = args.findIndex(({ text }) => text === "-m");
  const module = args[at + 1]?.text;
  if (at < 0 || module === undefined) return;
  const rest = args.slice(at + 2);
  if (/^(?:http\.server|SimpleHTTPServer|pyftpdlib|smtpd|webbrowser|twisted)$/.test(module)) {
    effects.network = true;
    effects.sends = true;
    const here = knownField(".");
    addReads(call, [here, ...rest.filter(({ text }) => !text?.startsWith("-"))], { isDeep: true });
  }
  if (module === "timeit") for (const { text } of rest) noteCode(call, text ?? "");
  // `-e archive directory`
  if (/^(?:zipfile|tarfile)$/.test(module) && /^(?:-e|--extract)$/.test(rest[0]?.text ?? ""))
    addTargets(call, "overwrites", rest.slice(2));
  const name = /^(?:pip|uv|poetry|twine|black|isort|ruff|pdm|hatch|flit)$/.test(module);
  if (name) call.walk.runArguments(call, [knownField(module), ...rest]);
  else judgeOtherModule(call, module, rest);
}

/** Modules that unpack, or that run what they are given. */
function judgeOtherModule(call: CommandCall, module: string, rest: readonly Field[]): void {
  const { operands, options } = readArguments(
    rest,
    "e extract c create s setup n number r repeat u unit",
  );
  if (/^(?:zipfile|tarfile|shutil|gzip)$/.test(module))
    addTargets(call, "overwrites", operands.slice(-1));
  else if (/^(?:timeit|cProfile|profile|pdb|trace|code|runpy)$/.test(module)) {
    for (const { text } of rest) if (text !== undefined && /[\s(]/.test(text)) noteCode(call, text);
  } else if (call.walk.isProgram(module))
    call.walk.runArguments(call, [knownField(module), ...rest]);
  if (module === "tarfile" && options.has("e")) addTargets(call, "overwrites", [...rest].slice(-1));
}

function judgeCode(call: CommandCall, code: Field): void {
  if (code.isDownload) call.effects.downloadsAndExecutes = true;
  else if (code.text !== undefined) {
    // `perl -MLWP::Simple -e …`: what is loaded is part of it.
    const loaded = call.args.filter(({ text }) => /^-[Mr]./.test(text ?? ""));
    noteCode(call, [...loaded.map(({ text }) => text), code.text].join("\n"));
    if (call.name === "osascript" && /\btell\b|do shell script/.test(code.text))
      call.effects.unknown.push("its script drives other programs");
  } else noteOpenCode(call, code);
}

/** Perl, Ruby, PHP and Lua: their code is read by its tokens. */
function judgeClosedLanguage(
  call: CommandCall,
  name: NonNullable<ReturnType<typeof closedNameOf>>,
): void {
  const { effects, input } = call;
  const command = judgeClosedCommand(call, name);
  const { codes, operands } = command;
  for (const code of codes) {
    if (code.isDownload) effects.downloadsAndExecutes = true;
    else if (code.text === undefined) noteOpenCode(call, code);
    else {
      const loaded = command.modules.map((module) => `-M${module}`);
      noteWords(call, [...loaded, code.text].join("\n"), { isRead: true });
      noteClosedCode(call, name, code.text, command);
    }
  }
  if (command.isInPlace) addTargets(call, "overwrites", operands);
  const isOwnInput = operands.length === 0 || operands[0]!.text === "-";
  if (codes.length > 0) return;
  const isOnlyAsking = operands.length === 0 && call.args.length > 0;
  const opened = call.walk.written.get(operands[0]?.text ?? "");
  if (operands[0]?.text?.startsWith("/dev/fd/") && typeof opened === "object")
    noteClosedCode(call, name, opened.text, command);
  else if (operands[0] && !isOwnInput) judgeFile(call, operands[0]);
  else if (input.isDownload) effects.downloadsAndExecutes = true;
  else if (input.text !== undefined) {
    noteWords(call, input.text, { isRead: true });
    noteClosedCode(call, name, input.text, command);
  } else if (input.isPresent && !isOnlyAsking)
    effects.unknown.push("its script comes from elsewhere");
}

export const SCRIPT_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map<string, ProgramJudge>([
  ...SHELLS.map((name) => [name, judgeShell] as const),
  ...LANGUAGES.map((name) => [name, judgeLanguage] as const),
]);
