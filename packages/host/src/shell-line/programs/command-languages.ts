// Options of familiar programs that run a command, load code, or write a file, and the little languages
// that some of them are told what to do in. A row is judged before whatever else is known of a program.

import { addReads, addTargets, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { knownField } from "../field.ts";
import { judgeProgramValue } from "../judge-unknown.ts";
import { judgeCmake } from "./cmake-language.ts";
import {
  judgeConsole,
  judgeErb,
  judgeFsharp,
  judgeOsascript,
  judgePythonModules,
  judgeUvInput,
} from "./console-languages.ts";
import {
  judgeClientCommands,
  judgeDotCommands,
  judgeMongo,
  judgeRedis,
} from "./database-languages.ts";
import { judgeDebugger, judgeEmacs, judgeVim, valuesAfter } from "./editor-languages.ts";
import { judgeCode, languagesOf, OPEN, type LanguageRow } from "./language-row.ts";
import { LOSS_RULES } from "./loss-rules.ts";
import { OPTION_RULES } from "./option-rules.ts";
import { judgeLoaded } from "./run-file.ts";

const ANYWHERE = /^(?:-{1,2}[\w-]+[=:])?(?:https?:\/\/)?(?:0\.0\.0\.0|\[?::\]?)(?::|$)/;

const ROWS: readonly LanguageRow[] = [
  { names: "sqlite3 duckdb litecli", extra: judgeDotCommands },
  {
    names:
      "psql pgcli usql mysql mariadb mycli sqlcmd sqlplus sql isql clickhouse clickhouse-client cockroach-sql trino-cli",
    extra: judgeClientCommands,
  },
  { names: "mongosh mongo", extra: judgeMongo },
  { names: "redis-cli valkey-cli keydb-cli", extra: judgeRedis },
  { names: "memcached-tool", asks: /^(?:flush|flush_all|move|settings)$/ },
  { names: "gdb cgdb rust-gdb lldb rust-lldb arm-none-eabi-gdb", extra: judgeDebugger },
  { names: "vim vi nvim ex ed red view vimdiff gvim", extra: judgeVim },
  { names: "emacs emacsclient", extra: judgeEmacs },
  { names: "cmake", extra: judgeCmake },
  {
    names: "gcc g++ cc c++ clang clang++ gfortran clang-cl emcc",
    loads: /^-{1,2}(?:fplugin|specs|wrapper|fpass-plugin|B|gcc-toolchain|fuse-ld)$/,
    glued: /^-(?:B|fplugin=|-specs=|specs=|fpass-plugin=)([/~.].*)$/s,
    writes:
      /^-(?:dumpdir|dumpbase|fdump-[\w-]+|foptimize-record-file|MF|dependency-file|fprofile-dir|fcrash-diagnostics-dir)$/,
    asks: /^-load$/,
    extra: judgeCompiler,
  },
  { names: "clang-tidy clang-query", asks: /^--?load(?:=|$)/ },
  { names: "ctags ctags-universal", loads: /^--options$/ },
  { names: "protoc buf", extra: judgeProtoc },
  { names: "rustc rustdoc", extra: judgeRustc },
  {
    names: "go",
    loads: /^-{1,2}(?:vettool|toolexec|overlay|modfile)$/,
    runs: /^-{1,2}exec$/,
    extra: judgeAddresses,
  },
  {
    names: "java javaw",
    glued: /^-(?:javaagent|agentpath|Xbootclasspath\/[ap]):([^=,]+)/,
    extra: judgeJava,
  },
  { names: "rg", runs: /^--(?:hostname-bin|pre)$/ },
  { names: "gawk awk mawk", loads: /^(?:-l|--load)$/, extra: judgeAwkLibraries },
  { names: "groff troff nroff pic tbl eqn soelim groffer grops", asks: /^-[a-zA-Z]*U/ },
  { names: "man", runs: /^(?:-P|--pager|-H|--html)$/, extra: judgeManual },
  { names: "gs ghostscript", asks: /^-d(?:NOSAFER|DELAYSAFER)$/, extra: judgePostScript },
  {
    names: "convert magick identify mogrify composite montage",
    asks: /^(?:msl|mvg|ephemeral|https?|ftp|url|caption:@|text|label:@|show|win|x|inline|vid|plt|pango:@):/i,
  },
  { names: "ffmpeg ffplay ffprobe", extra: judgeStreams },
  { names: "blender", python: /^--python-expr$/, loads: /^(?:-P|--python|--python-text)$/ },
  { names: "inkscape", extra: judgeInkscape },
  {
    names: "pandoc",
    loads: /^(?:-F|--filter|-L|--lua-filter|--pdf-engine|-d|--defaults|--data-dir)$/,
  },
  {
    names:
      "pdflatex xelatex lualatex latex tex pdftex latexmk luatex luahbtex context tectonic platex uplatex",
    asks: /^--?(?:shell-escape|enable-write18|write18|socket|enable-pipes)$|^-Z$|^-{1,2}latexoption=.*shell-escape/,
    loads: /^--?(?:lua|luaonly|r)$/,
    extra: judgeLuaTex,
  },
  { names: "make gmake bmake", asks: /^--eval(?:=|$)|^-E/, extra: judgeFileFromInput },
  { names: "ninja samu task go-task just mask", extra: judgeFileFromInput },
  { names: "just", extra: judgeJust },
  { names: "mvn mvnw mvnd", extra: judgeMaven },
  { names: "pylint", python: /^--init-hook$/ },
  {
    names: "nix nix-instantiate nix-build nix-shell nix-env",
    asks: /^allow-unsafe-native-code-during-evaluation$/,
    extra: judgeNix,
  },
  {
    names: "tar bsdtar gtar",
    runs: /^--(?:to-command|rsh-command|info-script|new-volume-script|rmt-command|use-compress-program|use-compress-prog)$|^-[IF]$/,
    extra: judgeTarActions,
  },
  { names: "fzf sk", runs: /^--preview$/, extra: judgeFuzzy },
  { names: "websocat", extra: judgeWebsocket },
  {
    names: "aria2c",
    runs: /^--on-(?:download|bt-download)-\w+$/,
    loads: /^--conf-path$/,
    asks: /^--rpc-listen-all(?:=true)?$/,
  },
  {
    names: "yt-dlp youtube-dl",
    runs: /^--(?:exec|exec-before-download|downloader|external-downloader|netrc-cmd)$/,
    loads: /^--(?:config-locations?|plugin-dirs|ffmpeg-location|load-info-json)$/,
    asks: /^--cookies-from-browser(?:=|$)/,
  },
  { names: "prlimit", extra: judgeLimits },
  { names: "taskset chrt ionice", extra: judgeOtherProcess },
  { names: "perf", loads: /^(?:-s|--script)$/ },
  { names: "erb", extra: judgeErb },
  { names: "osascript", extra: judgeOsascript },
  { names: "php artisan rails rake bin/rails mix", extra: judgeConsole },
  { names: "uv", extra: judgeUvInput },
  { names: "dotnet", extra: judgeFsharp },
  {
    names: "groovy scala scala-cli jbang kotlin nix-shell nix-build nix-env",
    asks: /^https?:\/\//,
  },
  { names: "python python3 python2 pypy pypy3", extra: judgePythonModules },
  {
    names: "node nodejs bun deno tsx ts-node",
    loads: /^(?:--env-file-if-exists|--experimental-loader|--loader|--snapshot-blob)$/,
    writes:
      /^--(?:cpu-prof-dir|heap-prof-dir|diagnostic-dir|redirect-warnings|report-directory|report-dir|report-filename|trace-event-file-pattern|build-snapshot-config|localstorage-file|coverage-dir|test-reporter-destination|disk-cache-dir)$/,
    extra: judgeAddresses,
  },
];

/** Sources on the input, and arguments in a file. */
function judgeCompiler(call: CommandCall): void {
  const { args, effects, input, walk } = call;
  for (const { text = "" } of args) {
    const file = /^@(.+)$/s.exec(text)?.[1];
    if (file === undefined) continue;
    judgeLoaded(call, knownField(file));
    const content = [...walk.written].find(([path]) => path.endsWith(`/${file}`))?.[1];
    if (typeof content === "object") {
      const words = content.text.split(/\s+/).filter((word) => word !== "");
      walk.runArguments(call, [knownField(call.name), ...words.map((word) => knownField(word))]);
    } else if (content === "unknown") effects.unknown.push(OPEN);
  }
  const isFromInput = args.some(({ text }) => text === "-" || text === "/dev/stdin");
  if (!isFromInput || input.text === undefined) return;
  if (
    /\b(?:unlink|remove|rmdir|rename|system|exec\w*|popen|fork|socket|syscall|truncate|fopen|open|kill|ptrace)\s*\(|\basm\b|std::filesystem|ofstream/.test(
      input.text,
    )
  )
    effects.unknown.push(OPEN);
}

function judgeProtoc(call: CommandCall): void {
  for (const { text } of valuesAfter(call.args, /^--plugin$/)) {
    const path = text?.includes("=") ? text.slice(text.indexOf("=") + 1) : text;
    if (path !== undefined && /[/~]/.test(path) && !/node_modules\/|^\$?\(?npm/.test(path))
      judgeCode(call, knownField(path));
  }
}

/** `-C linker=x`, `-Clinker=x`, `--codegen=linker=x` */
function judgeRustc(call: CommandCall): void {
  const values = [
    ...valuesAfter(call.args, /^(?:-C|--codegen|-Z)$/).map(({ text }) => text),
    ...call.args.map(({ text }) => /^-[CZ](.+)$/s.exec(text ?? "")?.[1]),
  ];
  for (const value of values) {
    const program = /^(?:linker|codegen-backend|link-self-contained)=(.+)$/s.exec(value ?? "")?.[1];
    if (program !== undefined && /[/~]/.test(program)) judgeCode(call, knownField(program));
  }
}

/** A port that everybody on the network can reach. */
function judgeAddresses({ args, effects }: CommandCall): void {
  for (const { text } of valuesAfter(args, /^-{1,2}http$/))
    if (ANYWHERE.test(text ?? "")) effects.critical.push("opens this machine to others");
  for (const { text = "" } of args)
    if (/^-{1,2}(?:http|inspect(?:-brk|-wait|-port)?|listen)=/.test(text) && ANYWHERE.test(text))
      effects.critical.push("opens this machine to others");
}

function judgeJava(call: CommandCall): void {
  const { args, effects, input } = call;
  for (const { text = "" } of args) {
    const file =
      /^-Xlog:.*?file=([^:,]+)/.exec(text)?.[1] ??
      /^-XX:(?:LogFile|HeapDumpPath|ErrorFile|FlightRecorderOptions|VMOptionsFile|Flags)=(.+)$/.exec(
        text,
      )?.[1] ??
      /^-Xloggc:(.+)$/.exec(text)?.[1] ??
      /^-XX:StartFlightRecording=.*?filename=([^,]+)/.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
    const command = /^-XX:On(?:OutOfMemory)?Error=(.+)$/s.exec(text)?.[1];
    if (command !== undefined) judgeProgramValue(call, knownField(command));
    const agent = /^-(?:agentpath):([^=,]+)/.exec(text)?.[1];
    if (agent !== undefined) judgeLoaded(call, knownField(agent));
  }
  for (const { text } of valuesAfter(args, /^(?:-cp|-classpath|--class-path)$/))
    if (/https?:\/\//.test(text ?? "")) effects.downloadsAndExecutes = true;
  const isFromInput = args.some(({ text }) => /^(?:-|\/dev\/(?:stdin|fd\/\d+))$/.test(text ?? ""));
  if (
    isFromInput &&
    (input.text === undefined ||
      /\bFiles?\b|Process|Runtime|URL|Socket|HttpClient|reflect|invoke|Class\.forName|delete|Unsafe/.test(
        input.text,
      ))
  )
    effects.unknown.push(OPEN);
}

/** `-i inplace` is one of its own; `-l/x.so`. */
function judgeAwkLibraries(call: CommandCall): void {
  for (const value of valuesAfter(call.args, /^(?:-i|--include)$/))
    if (value.text !== "inplace") judgeCode(call, value);
}

function judgeManual(call: CommandCall): void {
  const isLocal = call.args.some(({ text }) => /^(?:-l|--local-file)$/.test(text ?? ""));
  if (isLocal)
    for (const { text } of call.args)
      if (text?.startsWith("/")) judgeLoaded(call, knownField(text!));
}

function judgePostScript({ args, effects }: CommandCall): void {
  const at = args.findIndex(({ text }) => text === "-c");
  const code =
    at < 0
      ? ""
      : args
          .slice(at + 1)
          .map(({ text, prefix }) => text ?? prefix)
          .join(" ");
  if (
    /deletefile|renamefile|%pipe%|\brun\b|\bfile\b|filenameforall|\.runlibfile|\.putdeviceparams|token\b|\bexec\b|cvx/.test(
      code,
    )
  )
    effects.unknown.push(OPEN);
}

/** Where a film goes to: the last argument may be another machine. */
function judgeStreams(call: CommandCall): void {
  const last = call.args.at(-1);
  const isInput = /^-i$/.test(call.args.at(-2)?.text ?? "");
  const address = last?.text ?? last?.prefix ?? "";
  if (call.name !== "ffmpeg" || isInput) return;
  if (
    /^(?:tcp|udp|rtmps?|rtp|rtsp|https?|ftp|sftp|srt|tls|icecast|tee|sctp):/i.test(address) &&
    !/:\/\/(?:localhost|127\.|\[::1\])/.test(address)
  ) {
    call.effects.network = true;
    call.effects.sends = true;
    call.effects.critical.push("sends what it reads to another machine");
  }
  const inputs = valuesAfter(call.args, /^-i$/).filter(({ text }) => !/^\w+:/.test(text ?? ""));
  addReads(call, inputs);
}

function judgeInkscape(call: CommandCall): void {
  for (const { text } of valuesAfter(call.args, /^(?:--actions|--verb|-a)$/)) {
    for (const action of (text ?? "").split(";")) {
      const file = /^\s*export-filename:(.+)$/.exec(action)?.[1];
      if (file !== undefined) addTargets(call, "overwrites", [knownField(file.trim())]);
      if (/^\s*(?:file-|extension|org\.|py|script)/.test(action)) call.effects.unknown.push(OPEN);
    }
  }
}

function judgeLuaTex(call: CommandCall): void {
  if (!call.args.some(({ text }) => /^--luaonly$/.test(text ?? ""))) return;
  const file = call.args.find(({ text }) => !text?.startsWith("-"));
  if (file) judgeLoaded(call, file);
}

/** `ninja -f /dev/stdin`, `task -t -` */
function judgeFileFromInput(call: CommandCall): void {
  const files = valuesAfter(call.args, /^(?:-f|-t|--file|--makefile|--taskfile|--justfile)$/);
  const isInput = files.some(({ text }) => /^(?:-|\/dev\/(?:stdin|fd\/0))$/.test(text ?? ""));
  if (isInput && call.input.isPresent)
    call.effects.unknown.push("what it does comes from its input");
}

function judgeJust(call: CommandCall): void {
  for (const value of valuesAfter(call.args, /^--shell$/))
    if (!/^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|fi)?sh$|^(?:pwsh|nu)$/.test(value.text ?? ""))
      call.effects.unknown.push(
        `it runs its recipes with ${value.text ?? "what is only known then"}`,
      );
}

function judgeMaven(call: CommandCall): void {
  const defined = (name: string): string | undefined =>
    call.args
      .map(({ text }) => text ?? "")
      .find((text) => text.startsWith(`-D${name}=`))
      ?.slice(name.length + 3);
  const program = defined("exec.executable");
  if (program !== undefined) {
    const line = `${program} ${defined("exec.args") ?? defined("exec.commandlineArgs") ?? ""}`;
    judgeProgramValue(call, knownField(line));
    if (/^(?:rm|mv|dd|sh|bash|shred)$/.test(program))
      call.effects.unknown.push(`it runs ${program}`);
  }
  const path = defined("maven.ext.class.path");
  if (path !== undefined) judgeLoaded(call, knownField(path));
}

/** What it fetches by an address that data are put into leaves with it. */
function judgeNix(call: CommandCall): void {
  const code = call.args.map(({ text, prefix }) => text ?? prefix).join("\n");
  if (/builtins\.(?:exec|importNative)\b/.test(code)) call.effects.unknown.push(OPEN);
  if (/\bfetch\w+/.test(code) && /\$\{|\+|readFile|getEnv/.test(code))
    call.effects.unknown.push("may send what it reads");
}

/** `--checkpoint-action=exec=x`; an archive on another machine. */
function judgeTarActions(call: CommandCall): void {
  const { args, effects } = call;
  for (const value of valuesAfter(args, /^--checkpoint-action$/)) {
    const command = /^exec=(.*)$/s.exec(value.text ?? "")?.[1];
    if (command !== undefined) judgeProgramValue(call, knownField(command));
  }
  const commands = valuesAfter(
    args,
    /^--(?:to-command|checkpoint-action|info-script|new-volume-script)$/,
  );
  if (commands.some(({ text }) => /^(?:exec=)?\S*\/?(?:ba|z|da|k)?sh$/.test(text ?? "")))
    effects.unknown.push("it runs what is in an archive");
  const isRemote = args.some(({ text }) => text?.startsWith("--rsh-command"));
  if (isRemote && args.some(({ text }) => /^[\w.@-]+:/.test(text ?? ""))) {
    effects.network = true;
    effects.critical.push("sends what it reads to another machine");
  }
}

function judgeFuzzy(call: CommandCall): void {
  const { args, effects } = call;
  for (const { text } of valuesAfter(args, /^--bind$/)) {
    const command =
      /(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|transform[\w-]*|preview)[([{:~!@#$%^&*;/|](.*)$/s.exec(
        text ?? "",
      )?.[1];
    if (command !== undefined)
      judgeProgramValue(call, knownField(command.replace(/[)\]}]$/, "").replaceAll("{}", "x")));
  }
  for (const { text = "" } of args)
    if (
      /^--listen(?:-unsafe)?(?:=|$)/.test(text) &&
      !/=(?:localhost|127\.\S*|\d+)$|^--listen$/.test(text)
    )
      effects.critical.push("opens this machine to others");
}

function judgeWebsocket(call: CommandCall): void {
  for (const { text = "" } of call.args) {
    const command = /^(?:sh-c|cmd|exec):(.*)$/s.exec(text)?.[1];
    if (command !== undefined) {
      judgeProgramValue(call, knownField(command));
      call.effects.unknown.push("it lets others run a command");
    }
  }
}

/** Limits of a process that is not its own. */
function judgeLimits({ args, effects }: CommandCall): void {
  const isOther = args.some(({ text }) => /^(?:-p|--pid)(?:=|$|\d)/.test(text ?? ""));
  const isSetting = args.some(
    ({ text }) => /^(?:--[a-z]+=|-[a-z]=?\d)/.test(text ?? "") && !/^--(?:pid|output)=/.test(text!),
  );
  if (isOther && isSetting) effects.critical.push("changes the limits of another process");
}

function judgeOtherProcess({ name, args, effects }: CommandCall): void {
  const texts = args.map(({ text }) => text ?? "?");
  if (!texts.some((text) => /^-[a-z]*p$|^--pid$/.test(text))) return;
  const isSetting =
    name === "ionice"
      ? texts.some((text) => /^-[cn]/.test(text))
      : texts.filter((text) => !text.startsWith("-")).length > 1;
  if (isSetting) effects.unknown.push("it changes how another process runs");
}

/** Each name has all the rows that name it. */
export const COMMAND_LANGUAGES: ReadonlyMap<string, readonly ProgramJudge[]> = languagesOf([
  ...ROWS,
  ...OPTION_RULES,
  ...LOSS_RULES,
]);
