// Paths that stand in the middle of an argument: `type=local,dest=/home/me`, `-Xlog:gc:file=~/x`,
// `%output{/etc/x}`, `--export-marks=~/x`. Nobody has modelled every option of every program, so a
// place of this person or of the machine that is named to a familiar program asks, unless the words
// before it say that it is only read.

import { targetsOf, type CommandCall, type ProgramJudge } from "./command-call.ts";
import { knownField } from "./field.ts";

/** What stands before such a path, and the path: up to where its word ends. */
const PATH =
  /(^|[=:@,;{("'>\]])((?:~|\/(?:home|Users|root|etc|var|srv|mnt|media|Volumes|boot|private))(?=[/,;:)}"'\s]|$)[^,;:)}"'\s]*|(?:\.\.\/)+[^,;:)}"'\s]*)/g;
/** Options, settings and keys by which something is only read or looked for. */
const READ =
  /(?:^|[-_.:;,@{( ])(?:I|L|l|cp|p|i|isystem|iquote|idirafter|include|imacros|classpath|class-?path|module-?path|library[._-]?path|libs?|rpath|rpath-link|javaagent|agentpath|agentlib|bootclasspath\S*|path|prefix-?path|toolchain\w*|sysroot|config\w*|conf|rcfile|settings|schema|tsconfig|project|project-?dir|inventory|input\w*|in|infile|from\w*|from-(?:env-)?file|source\w*|src|file-?list|ignore\w*|exclude\w*|include\w*|key\w*|identity\w*|cert\w*|ca|cacert|ca-?file|ca-?cert\w*|kubeconfig|env-?file|env|python|interpreter|compiler|dictionary|theme|template|fonts?|subtitles|movie|base\w*|compare|against|makefile|root-?dir|rootdir|git-dir|work-tree|exec-path|reference\S*|import-marks\S*|pathspec-from-file|grep|author|committer|format|pretty|message|body|title|notes|description|subject|comment|filter|query|jq|expression|regexp?|pattern|match|search|find|secret|id|sha|hash|salt|label|tag|name|user\w*|owner|home|var|set|set-string|arg|build-?arg|build-?context|cache-from|D|define|X|url|uri|endpoint|addr\w*|host|origin|remote|proxy|socket|unix-socket|sock|listen|bind|upload-file|data(?:-raw|-binary|-urlencode)?|form|header|cookie|resume|vars?-file|values|var-file|plugin\w*|load-path|require|import|loader|preload|extension|style|css|css-file|bibliography|csl|metadata-file|resource-path|syntax-definition|ref|file-prefix-map|ffile-prefix-map|fdebug-prefix-map|fmacro-prefix-map|remap-path-prefix|trimpath)$/i;
/** Settings of CMake for what it looks for. */
const FOUND =
  /^D\w*(?:ROOT|DIR|LIBRARY|LIBRARIES|INCLUDE_DIRS?|PATH|FILE|EXECUTABLE|COMPILER)(?::\w+)?$/;
/** Names that say, whatever else, that something is made there. */
const MADE =
  /(?:out|output|dest\w*|log|dump|prefix|trace|report|save|write|export\S*|target|install\w*|install_?prefix|output_directory|cache-to|error_log|pycache_prefix|save[_-]?path|file-pattern|(?:report|diagnostic|cache|log|temp|tmp|data|prof|result)\w*[_-]?dir\w*)$/i;
const READ_PREFIX = /(?:prefix-?path|prefix-?map|remap-path-prefix|src-prefix|dst-prefix)$/i;

/** Behind these stands a path somewhere else, or text that is told to somebody. */
const TELLING =
  /^(?:-ldflags|-gcflags|-m|-b|-t|-H|-d|-F|-e|-c|-r|-E|-x|--(?:message|body|title|notes|description|subject|comment|header|data\S*|json|form\S*|eval|print|execute|command|jq|template|format|pretty|grep|author|query|expression|filter|env|volume|mount|workdir|entrypoint|label|build-arg|set|set-string|var|values|add-host|tmpfs))$/;
const TELLING_EQUALS =
  /^--define:|^--?(?:ldflags|gcflags|asmflags|var|message|body|title|notes|description|subject|comment|header|data[\w-]*|json|form\S*|eval|print|execute|command|format|pretty|grep|author|query|expression|env|volume|mount|workdir|entrypoint|label|build-arg|add-host|tmpfs|resolve|connect-to)=/;
/** Their colons are between machines, containers or revisions and paths there. */
const ELSEWHERE =
  /^(?:docker|podman|nerdctl|docker-compose|kubectl|oc|helm|ssh|scp|sftp|rsync|mosh|rclone|multipass|limactl|lima|adb|vagrant|kind|k3d|minikube|colima|ansible\S*|gcloud|gsutil|lxc|incus|heroku|fly|flyctl|sshfs|unison|mutagen|act|devcontainer|wslpath|git|http|https|xh|xhs|httpie|curlie|jq|yq|echo|printf|psql|mysql|redis-cli|gh|glab|nginx|caddy|kustomize|terraform|tofu|terragrunt|pulumi|hurl|wrk|ab|hey|k6|oha|rg|grep)$/;
/** What comes after their script is for the script. */
const SCRIPTED =
  /^(?:node|nodejs|deno|bun|python\d?(?:\.\d+)?|pypy\d?|ruby|perl|php|lua|luajit|java|Rscript|tsx|ts-node|julia|elixir|groovy|scala)$/;
const CODE = /^-[a-zA-Z]*[ceEpr]$|^--(?:eval|print|import|require)$/;

/** The arguments that are the program's own, with their places. */
function ownArguments({ name, args }: CommandCall): readonly number[] {
  const own: number[] = [];
  for (let index = 0; index < args.length; index++) {
    const { text = "" } = args[index]!;
    const before = args[index - 1]?.text ?? "";
    if (text === "--") break;
    const isScript =
      SCRIPTED.test(name) &&
      !text.startsWith("-") &&
      (!before.startsWith("-") || /\.\w+$/.test(text));
    if (isScript && !/^\w+=/.test(text) && !/^-(?:d|X|W)$/.test(before)) break;
    if (!(SCRIPTED.test(name) && CODE.test(before))) own.push(index);
  }
  return own;
}

function judgeHiddenPaths(call: CommandCall): void {
  const { name, args, effects, context } = call;
  for (const index of ownArguments(call)) {
    const field = args[index]!;
    const text = field.text ?? field.prefix;
    const before = args[index - 1]?.text ?? "";
    if (name === "git" && !text.startsWith("-")) continue;
    if (!/[=:@,{"'(]/.test(text) || isTold(name, before, text)) continue;
    // Prose, code, and addresses.
    if (/\s\S+\s/.test(text) || text.includes("\n") || /^[a-z][\w+.-]*:\/\//i.test(text)) continue;
    for (const match of text.matchAll(PATH)) {
      const [, separator = "", path = ""] = match;
      if (separator === "") continue;
      const option = text.slice(0, match.index).replace(/^-+/, "");
      const isColon = separator === ":" || separator === "@" || separator === ",";
      if (isColon && ELSEWHERE.test(name)) continue;
      const isMade = MADE.test(option) && !READ_PREFIX.test(option);
      const isListed = !text.startsWith("-") && READ.test(before.replace(/^-+/, ""));
      if (
        !isMade &&
        (isListed || FOUND.test(option) || READ.test(option) || READ.test(lastName(option)))
      )
        continue;
      const place = path.replace(/^~(?=\/|$)/, context.home);
      for (const { place: where, path: found } of targetsOf(call, knownField(place)))
        if (where === "outside" && found !== undefined)
          effects.unknown.push(`it is not known what ${name} does to ${found}`);
    }
  }
}

/** Text for somebody, or for the program's own language; `php -d name=value` is a setting. */
function isTold(name: string, before: string, text: string): boolean {
  if (name === "php" && before === "-d") return false;
  return TELLING.test(before) || TELLING_EQUALS.test(text);
}

/** Of `a:/x` the list that it goes on with. */
function lastName(option: string): string {
  return /([\w.-]+)=[^=]*(?:\/|\.jar)[^=]*$/.exec(option)?.[1] ?? option;
}

/** The same judge, with an eye on what stands in the middle of arguments. */
export function withHiddenPaths(judge: ProgramJudge): ProgramJudge {
  return (call) => {
    const outcome = judge(call);
    judgeHiddenPaths(call);
    return outcome;
  };
}
