// Files that the line has written or fetched, and now gives to a program that obeys them: scripts of
// debuggers, editors and databases, settings, lists of arguments. What is in them is judged as if it stood
// in the line; what came from the network asks.

import { targetsOf, type CommandCall, type WrittenContent } from "./command-call.ts";
import { knownField, type Field } from "./field.ts";
import { judgeCommandsIn, takeOver } from "./judge-unknown.ts";
import { isFetched } from "./note-fetched.ts";

/** They obey the files that these options name. */
const OBEYING =
  /^(?:[gmn]?awk|g?sed|g?make|cmake|ctest|ninja|just|task|gdb|lldb|vim?|nvim|ex|ed|emacs|sqlite3|psql|mysql|mariadb|duckdb|mongosh|mongo|redis-cli|sqlplus|clickhouse(?:-\w+)?|cqlsh|ssh|scp|sftp|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|ld|groff|troff|pandoc|protoc|gradle|gradlew|mvn|ant|go|cargo|npm|pnpm|yarn|node|bun|deno|npx|jest|vitest|mocha|eslint|prettier|webpack|vite|rollup|tsx|ts-node|pytest|pylint|mypy|flake8|sphinx-build|tmux|screen|gnuplot|octave|bc|dc|m4|expect|R|Rscript|ansible-playbook|ansible|docker|podman|kubectl|oc|helm|terraform|foreman|overmind|honcho|crontab|at|batch|xargs|parallel|lftp|ftp|tar|openssl|git|aria2c|perl|ruby|php|lua|python[\d.]*|pip[\d.]*|uv|perf|strace|valgrind|ctags|ffmpeg|socat|haproxy|nginx|supervisord|systemd-run|watchexec|entr|nodemon)$/;
/** What they are told without an option, they obey as well. */
const OBEYING_OPERANDS =
  /^(?:ansible-playbook|crontab|at|batch|expect|gnuplot|octave|bc|m4|groff|troff|sqlplus)$/;
const SCRIPT_OPTION =
  /^(?:-{1,2}(?:[fxSFIulscPrLKqnRt]|es?|init|init-?file|init-?script|file|files?-from|config(?:-?file)?|conf|rc-?file|script\S*|source|load|require|import|loader|plugin\S*|filter|lua-filter|settings|options-file|defaults-(?:extra-)?file|arg-?file|vettool|toolexec|wrapper|linker|shell|command(?:-file)?|ex|batch|eval-file|input|playbook|makefile|justfile|taskfile|procfile|rulesdir|rcfile|compose-file|values|vars?-file|on-\S+|read|exec\S*|script-shell))$/i;
/** They obey settings of every kind, but nothing in these runs. */
const DATA =
  /\.(?:json[5l]?|csv|tsv|txt|md|png|jpe?g|gif|svg|pdf|html?|css|xml|tar|t?[gx]z|zip|gz|bz2|zst|7z|pem|crt|key|log|lock|mp[34]|wav|webm|parquet|db|sqlite3?)$/i;
const DATABASES =
  /^(?:sqlite3|psql|mysql|mariadb|duckdb|mongosh|mongo|redis-cli|sqlplus|clickhouse(?:-\w+)?|cqlsh)$/;
/** Of what nobody knows, these run it. */
const RUNNING =
  /^(?:[gmn]?awk|g?sed|g?make|cmake|ctest|ninja|just|task|gdb|lldb|vim?|nvim|ex|ed|emacs|sqlite3|psql|mysql|mariadb|duckdb|mongosh|mongo|sqlplus|tmux|expect|crontab|at|batch|gradle|gradlew|ant|foreman|overmind|lftp)$/;
/** Files are named in a text as well: `.read x.sql`, `source x`. */
const NAMES_IN_TEXT = /[\w./~-]{1,200}/g;
const MAX_NAMES = 50;

export function judgeGivenFiles(call: CommandCall): void {
  const { walk, context, name, effects } = call;
  const isFresh =
    walk.written.size > 0 ||
    walk.downloaded.size > 0 ||
    walk.unpacked.size > 0 ||
    (context.downloaded?.size ?? 0) > 0;
  if (!isFresh || !OBEYING.test(name)) return;
  for (const file of givenFiles(call)) {
    if (DATA.test(file.text ?? "") && !/^(?:sh|crontab|at)$/.test(name)) continue;
    if (isFetched(call, file)) {
      effects.downloadsAndExecutes = true;
      continue;
    }
    for (const { path } of targetsOf(call, file)) {
      const content = path === undefined ? undefined : walk.written.get(path);
      if (content !== undefined) judgeContent(call, content, file);
    }
  }
}

/** Each file that stands where a program looks for something to obey. */
function givenFiles({ args, name }: CommandCall): Field[] {
  return args.flatMap((field, index): Field[] => {
    const text = field.text ?? "";
    if (text === "" || field.isPattern) return [];
    if (/\s|\(/.test(text))
      return (text.match(NAMES_IN_TEXT) ?? []).slice(0, MAX_NAMES).map((each) => knownField(each));
    const assigned = /^(-{1,2}[\w-]+|[\w.-]+)=(.+)$/s.exec(text);
    if (assigned) {
      const isScript =
        SCRIPT_OPTION.test(assigned[1]!) ||
        !assigned[1]!.startsWith("-") ||
        /^-{1,2}(?:vettool|fplugin|specs)$/.test(assigned[1]!);
      return isScript ? [knownField(assigned[2]!.replace(/^.*=/, ""))] : [];
    }
    if (text.startsWith("@")) return [knownField(text.slice(1))];
    const glued = /^-[a-zA-Z]((?:[./~]|\w+[./]).*)$/s.exec(text)?.[1];
    if (glued !== undefined) return [knownField(glued)];
    if (text.startsWith("-") || text.startsWith("+")) return [];
    const before = args[index - 1]?.text ?? "";
    const isScript = SCRIPT_OPTION.test(before) || /^(?:source|source-file|load)$/.test(before);
    return isScript || OBEYING_OPERANDS.test(name) ? [field] : [];
  });
}

const OPEN = "it obeys a file that was just written, and what is in it cannot be told";

function judgeContent(call: CommandCall, content: WrittenContent, file: Field): void {
  const { name, effects, walk, args } = call;
  if (content === "unknown") {
    if (RUNNING.test(name)) effects.unknown.push(OPEN);
    return;
  }
  const { text } = content;
  // Many of these languages have a word before a command of the shell.
  const commands = text.replace(
    /^[ \t]*(?:\.?(?:shell|system)\b|\\?!|\w+Command\b=?|Match exec)[ \t]*/gim,
    "",
  );
  judgeCommandsIn(call, commands);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const probe = (more: readonly string[]): void => {
    const fields = [name, ...more].map((each) => knownField(each));
    takeOver(effects, walk.probeArguments(call, fields), true);
  };
  if (DATABASES.test(name)) {
    const input = { paths: undefined, isDownload: false, text, isPresent: true };
    const rest = args.filter(
      (each) => each !== file && !/^(?:-f|-init|--file|--init)$/.test(each.text ?? ""),
    );
    takeOver(effects, walk.probeArguments({ ...call, input }, [knownField(name), ...rest]), true);
  } else if (/^(?:gdb|lldb)$/.test(name))
    probe(["-batch", ...lines.flatMap((line) => [name === "gdb" ? "-ex" : "-o", line])]);
  else if (/^(?:vim?|nvim|ex)$/.test(name))
    probe(["-es", ...lines.flatMap((line) => ["-c", line])]);
  else if (name === "emacs") probe(["--batch", "--eval", text]);
  else if (args.some((each) => each.text === `@${file.text}`)) probe(text.split(/\s+/));
  else if (
    /^(?:ssh|scp|sftp)$/.test(name) &&
    /^\s*(?:Proxy|Local|Remote|KnownHosts)Command\b|^\s*Match\b.*\bexec\b|^\s*(?:PKCS11|SecurityKey)Provider\b/im.test(
      text,
    )
  )
    effects.unknown.push("the settings that were just written have a command");
}
