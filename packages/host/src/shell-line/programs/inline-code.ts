// Interpreters whose languages nobody has modelled: R, Erlang, Haskell, Emacs, Tcl, Java's shell and the
// like. Code on the command line or on their input is searched for words by which any language deletes,
// writes, runs or fetches; with one of them somebody is asked. Files of the project are their work.

import { addTargets, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import { judgeCommandsIn, judgeStranger, judgeTextOf } from "../judge-unknown.ts";
import { noteCode } from "../note-code.ts";
import { judgeFile } from "./run-file.ts";

interface Interpreter {
  /** Options that have the code after them. */
  code?: RegExp;
  /** Without any code it reads it from its input. */
  readsInput?: boolean;
  /** Options whose values hide what they say. */
  hides?: RegExp;
}

/** By such words files are lost or written, programs run, and things fetched, in one language or another. */
const DOING =
  /delet|remov|unlink|erase|rmdir|rmtree|\brm\b|renam|\bmove|truncat|overwrit|\bcopy|\bsystem\b|\bshell|exec|spawn|popen|subprocess|process|\bcmd\b|os:cmd|open_port|\brun[-_]?(?:process|command|shell|program)|callProcess|readProcess|ProcessBuilder|Runtime|\bwrite|writ(?:e|ing)[-_A-Z(.]|save|dump|sink|output|chmod|mkdir|symlink|download|\burl|http|socket|connect|Invoke-|Start-|Set-|New-Item|Out-File|Add-|Clear-|Stop-|base64|eval|source\s*\(|readRDS|load\s*\(|unsafe|foreign|ccall|dlopen|ffi/i;
/** Words that reach a function by a name which is put together, and libraries that reach the machine. */
const REACHING =
  /\bapply\s*\(|\bget\s*\(|do\.call|match\.fun|getFromNamespace|getattr|\bmget\b|Reflect|Class\.forName|invoke|\.\s*call\s*\(|metaClass|File\.(?:rm|cp|ren|ln|mk)\w*|Path\.(?:expand|wildcard)|Port\.|Node\.(?:spawn|connect)|Mix\.|:os\.|:file\.|:erlang\.|:httpc|:gen_tcp|System\.(?:cmd|shell|halt|put_env|stop)|Code\.|FileManager|Pipe\(\)|\[\s*open\s|\bopen\s+\S+\s+[wa]|interp\b|\bexec\b|\bsource\b|\bpackage require\b|file\s+(?:delete|rename|copy|mkdir|link)|\bKernel\.|Files?\.(?:Delete|Write|Move|Copy|Append|Create)\w*|Directory\.\w+|\bunlink\b|getClass|ScriptEngine|\bimport java\.(?:net|nio|lang\.reflect)|\bopen\s*\([^)]*,\s*["'][wa]|rm\s*\(|with-open|spit\b|slurp\s+"http|clojure\.java\.(?:shell|io)|\bsh\b|:import|unsafePerformIO|withFile|appendFile|\(load\b|\(delete|\(open-output|\(system|dlsym|Libdl|@eval|Meta\.parse|\binclude\s*\(|pipeline\s*\(|\bnet:|URLSession|file:(?:delete|write|open)|os:cmd|list_to_atom|binary_to_term|\bfile\s*=\s*["']|\bdput\s*\(|\bfile\s*\([^)]*,\s*["'][wa]|\b(?:pdf|png|jpeg|svg|tiff|bmp|postscript|cairo_pdf)\s*\(\s*["'](?:\/|~|\.\.)|\bun(?:tar|zip)\s*\(|install_(?:github|git|gitlab|url|bitbucket|svn|version)|\bcp\s*\(|\bmv\s*\(|getfield\s*\(|Symbol\s*\(|\bgetproperty\s*\(|\bBase\.|Core\.eval|con\s*=|\bcat\s*\([^)]*,\s*["'](?:\/|~)/;
/** What languages have in common with words of doing, but is only looking. */
const LOOKING =
  /System\.(?:out|err)\.print\w*|System\.(?:version|otp_release|build_info|schedulers\w*|monotonic_time|os_time|system_time|cwd!?|user_home|nanoTime|currentTimeMillis|getProperty)\b|system\.time|Sys\.(?:time|Date|info)|\.libPaths|Process(?:Info|\.myPid)|IO\.(?:puts|inspect|write)\b|write(?:ln|-line|Line)?\s*\(\s*["']|\bwrite(?:ln)?\b(?=\s*["'\d])|Console\.Write(?:Line)?|install\.packages\(|\bggsave\(\s*["'][\w.][^"']*["']|write\.csv\([^()"']*,\s*["'][\w][^"'/]*["']/g;

/** What people type to look at a package or to run its tests. */
const USUAL =
  /^\s*(?:(?!devtools::install_|devtools::release)(?:devtools|testthat|lintr|styler|roxygen2|pkgdown|covr|usethis|rcmdcheck)::[\w.]+\([^()]*\)|(?:print|cat(?![^;]*\b(?:file|append|con)\s*=)|message|sessionInfo|packageVersion|version|R\.version\S*)\b[^;]*|halt\(\)\.?|main|:q|:t .*|[\d\s+*/().-]+)\s*;?\s*$/;

const INTERPRETERS: Readonly<Record<string, Interpreter>> = {
  R: { code: /^-e$/, readsInput: true },
  Rscript: { code: /^-e$/ },
  littler: { code: /^-e$/ },
  erl: { code: /^-(?:eval|run|s)$/ },
  ghc: { code: /^-e$/ },
  ghci: { code: /^-e$/, readsInput: true },
  runghc: { code: /^-e$/, readsInput: true },
  runhaskell: { code: /^-e$/, readsInput: true },
  emacs: { code: /^--?(?:eval|execute|funcall|f|l|load)$/ },
  emacsclient: { code: /^(?:-e|--eval)$/ },
  tclsh: { readsInput: true },
  wish: { readsInput: true },
  expect: { code: /^-c$/, readsInput: true },
  jshell: { readsInput: true },
  octave: { code: /^--eval$/, readsInput: true },
  "octave-cli": { code: /^--eval$/, readsInput: true },
  matlab: { code: /^-(?:batch|r)$/ },
  julia: { code: /^-(?:e|E)$|^--(?:eval|print)$/, readsInput: true },
  sbcl: { code: /^--(?:eval|load)$/, readsInput: true },
  clisp: { code: /^-x$/, readsInput: true },
  ecl: { code: /^--?eval$/, readsInput: true },
  guile: { code: /^-c$/, readsInput: true },
  racket: { code: /^-e$/, readsInput: true },
  swipl: { code: /^-[gt]$/, readsInput: true },
  gnuplot: { code: /^-e$/, readsInput: true },
  maxima: { code: /^(?:-r|--run-string|--batch-string)$/, readsInput: true },
  clojure: { code: /^(?:-e|--eval|-M)$/, readsInput: true },
  clj: { code: /^(?:-e|--eval)$/, readsInput: true },
  bb: { code: /^(?:-e|--eval)$/ },
  ocaml: { code: /^-e$/, readsInput: true },
  utop: { readsInput: true },
  csi: { code: /^(?:-e|--eval)$/, readsInput: true },
  fsi: { code: /^--exec$/, readsInput: true },
  elixir: { code: /^(?:-e|--eval)$/, readsInput: true },
  swift: { code: /^-e$/, readsInput: true },
  kotlinc: { code: /^-e(?:xpression)?$/, readsInput: true },
  "scala-cli": { code: /^(?:-e|--execute-script-snippet|--execute-scala-snippet)$/ },
  crystal: { code: /^eval$/ },
  iex: { code: /^(?:-e|--eval)$/ },
  gst: { readsInput: true },
  pry: { code: /^-e$/, readsInput: true },
  psysh: { readsInput: true },
  amm: { code: /^(?:-c|--code)$/, readsInput: true },
  groovy: { code: /^-e$/ },
  scala: { code: /^-e$/ },
  kotlin: { code: /^-e(?:xpression)?$/ },
  jrunscript: { code: /^-e$/, readsInput: true },
  jjs: { readsInput: true },
  cscript: { readsInput: true },
  hy: { code: /^-c$/, readsInput: true },
};

function judgeInterpreter({ code, readsInput, hides }: Interpreter): ProgramJudge {
  return (call) => {
    const { args, effects, input } = call;
    const codes = args.flatMap((field, index) => {
      const text = field.text ?? field.prefix;
      const equals = /^(-{1,2}[\w-]+)=(.*)$/s.exec(text);
      if (equals && code?.test(equals[1]!)) return [knownField(equals[2]!)];
      return code?.test(args[index - 1]?.text ?? "") ? [field] : [];
    });
    judgeStranger(call);
    judgeOutsidePaths(
      { ...call, args: args.filter((field) => !codes.includes(field)) },
      { readsOperands: true },
    );
    if (args.some(({ text }) => hides?.test(text ?? "")))
      effects.unknown.push("its script hides what it does");
    for (const each of codes) judgeForeignCode(call, each);
    const file = args.find((field) => !field.text?.startsWith("-") && !codes.includes(field));
    if (file) judgeFile(call, file);
    const hasFile = args.some(({ text }) => text !== undefined && !text.startsWith("-"));
    if (readsInput && input.text !== undefined && DOING.test(input.text.replace(LOOKING, " ")))
      judgeForeignCode(call, knownField(input.text));
    if (!readsInput || codes.length > 0 || (hasFile && !args.some(({ text }) => text === "-")))
      return;
    if (input.isDownload) effects.downloadsAndExecutes = true;
    else if (input.text !== undefined) judgeForeignCode(call, knownField(input.text));
    else if (input.isPresent) effects.unknown.push("its script comes from elsewhere");
  };
}

export function judgeForeignCode(call: CommandCall, field: Field): void {
  const { effects } = call;
  const code = exactText(field);
  if (field.isDownload) effects.downloadsAndExecutes = true;
  if (code === undefined) {
    effects.unknown.push("its script is only known when it runs");
    return;
  }
  noteCode(call, code);
  judgeTextOf(call, field);
  judgeCommandsIn(call, code);
  const doing = code.replace(LOOKING, " ");
  if (USUAL.test(code) || (!DOING.test(doing) && !REACHING.test(doing))) return;
  effects.unknown.push("its script may delete, write or run something");
  for (const [, path] of code.matchAll(/["']((?:\/|~\/|\.\.\/)[^"']+)["']/g))
    addTargets(call, "writes", [knownField(path!.replace(/^~(?=\/)/, call.context.home))]);
}

export const INTERPRETER_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries(INTERPRETERS).map(([name, row]) => [name, judgeInterpreter(row)] as const),
);
