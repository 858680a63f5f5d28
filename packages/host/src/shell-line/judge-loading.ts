// What a program is told to load: libraries, plug-ins, agents, scripts that run before the program's own.
// The project's own files are the work, unless the line itself has just written or fetched them.

import { addTargets, targetsOf, type CommandCall } from "./command-call.ts";
import { knownField } from "./field.ts";
import { judgeCommandsIn, takeOver } from "./judge-unknown.ts";
import { isFetched } from "./note-fetched.ts";
import { judgeWrittenScript } from "./note-written.ts";

/** Nobody writes there without other rights. */
const SYSTEM =
  /^\/(?:usr|lib|lib32|lib64|bin|sbin|opt|nix|snap|etc|run|dev|System|Library|Applications)(?:\/|$)/;

export interface LoadingOptions {
  /** It is obeyed rather than run: a temporary place is as good as one of the project. */
  isDataAllowed?: boolean;
  /** Names without a slash are looked up by somebody, but not here. */
  isPathOnly?: boolean;
}

export function judgeLoaded(
  call: CommandCall,
  given: string,
  { isDataAllowed = false, isPathOnly = false }: LoadingOptions = {},
): void {
  const { effects, context, walk } = call;
  const value = given.replace(/^file:\/\//, "");
  if (/^(?:https?|ftp):|^data:/.test(value)) {
    effects.downloadsAndExecutes = true;
    return;
  }
  const field = knownField(value.replace(/^~(?=\/|$)/, context.home));
  const isPath = /^[.~/]|\//.test(value);
  const targets = isPath || !isPathOnly || isOfLine(call, value) ? targetsOf(call, field) : [];
  for (const { place, path } of targets) {
    const isFar =
      (place === "outside" && !SYSTEM.test(path ?? "")) ||
      (place === "temporary" && !isDataAllowed);
    if (isFar && /^[.~/]/.test(value)) effects.unknown.push(`it loads ${path}`);
    const own = path === undefined ? [] : writtenBelow(call, path);
    for (const each of own) {
      const content = walk.written.get(each);
      if (typeof content === "object") judgeCommandsIn(call, content.text);
    }
    if (own.some((each) => walk.written.get(each) === "unknown"))
      effects.unknown.push("it loads a file that was just written");
    for (const each of own) judgeWrittenScript(call, knownField(each));
  }
  if (isFetched(call, field) || fetchedBelow(call, targets)) effects.downloadsAndExecutes = true;
}

function isOfLine(call: CommandCall, value: string): boolean {
  return targetsOf(call, knownField(value)).some(
    ({ path }) =>
      path !== undefined && (call.walk.written.has(path) || call.walk.downloaded.has(path)),
  );
}

const CODE =
  /\.(?:py|m?js|cjs|ts|rb|pl|pm|lua|so|dylib|dll|jar|php|el|sh|pth|node|R|ini|gradle|xml)$/;

/** The file itself, or code in the directory. */
function writtenBelow({ walk }: CommandCall, path: string): string[] {
  if (walk.written.size === 0) return [];
  return [...walk.written.keys()].filter(
    (each) => each === path || (each.startsWith(`${path}/`) && CODE.test(each)),
  );
}

function fetchedBelow(
  { walk }: CommandCall,
  targets: readonly { path: string | undefined }[],
): boolean {
  return targets.some(({ path }) =>
    [...walk.downloaded].some((each) => each.startsWith(`${path}/`) && CODE.test(each)),
  );
}

interface LoadingRow {
  /** Variables that hold such options. */
  variables: RegExp;
  /** Programs that take them. */
  programs: RegExp;
  /** Each group is what is loaded. */
  loads?: RegExp;
  /** Each group is where something is written. */
  writes?: RegExp;
  /** Nobody uses them by the way: they run what they are told. */
  runs?: RegExp;
  /** As an option of this program the rest is judged. */
  as?: string;
}

const JAVA: LoadingRow = {
  variables: /JAVA|JVM|JDK|MAVEN|GRADLE|SBT|ANT_/,
  programs: /^(?:java|javac|mvn|mvnw|gradle|gradlew|sbt|ant|kotlin|scala|groovy|lein|clj|jshell)$/,
  loads:
    /-(?:javaagent|agentpath|Xbootclasspath(?:\/[ap])?):([^\s=]+)|-D(?:java\.library\.path|maven\.ext\.class\.path|org\.gradle\.java\.home|java\.security\.policy|java\.ext\.dirs)=(\S+)|-XX:Flags=(\S+)/g,
  writes: /-Xlog\S*file=([^:\s]+)|-XX:(?:LogFile|HeapDumpPath|ErrorFile)=(\S+)|-Xloggc:(\S+)/g,
  runs: /-XX:On(?:Error|OutOfMemoryError)=|-agentlib:jdwp\S*onthrow/,
};

const ROWS: readonly LoadingRow[] = [
  JAVA,
  {
    variables: /^(?:NODE_OPTIONS|BUN_OPTIONS|npm_config_node_options)$/i,
    programs:
      /^(?:node|nodejs|bun|tsx|ts-node|mocha|jest|vitest|nyc|c8|electron|npm|pnpm|npx|yarn|tau)$/,
    loads:
      /(?:^|[\s=])(?:-r|--require|--import|--loader|--experimental-loader|--preload|--globalSetup|--setupFiles|--snapshot-blob|--openssl-config)(?:=|\s+)["']?([^\s"']+)/g,
    writes:
      /--(?:cpu-prof-dir|heap-prof-dir|diagnostic-dir|redirect-warnings|report-directory|report-filename|trace-event-file-pattern|tls-keylog|cpu-prof-name|heapsnapshot-dir)(?:=|\s+)(\S+)/g,
  },
  {
    variables: /^RUBYOPT$/,
    programs: /^(?:ruby|irb|rspec|rake)$/,
    loads: /(?:^|\s)(?:-r|-I|--require(?:=|\s+))\s*([./~]\S*)/g,
  },
  {
    variables: /^PERL5(?:OPT|DB)$/,
    programs: /^$/,
    loads: /(?:^|\s)-[mMId]+\s*([./~]\S*)/g,
    runs: /[;'"]|(?:^|\s)-M-|BEGIN/,
  },
  {
    variables: /^GOFLAGS$/,
    programs: /^go$/,
    loads: /-(?:vettool|overlay|modfile|exec)[= ](\S+)/g,
    runs: /-toolexec/,
  },
  {
    variables: /^(?:GNU)?M(?:AKE)?FLAGS$/,
    programs: /^$/,
    loads: /(?:^|\s)(?:-f|-I|--file=|--include-dir=)\s*(\S+)/g,
    runs: /--eval|\$\(/,
  },
  {
    variables: /^TAR_OPTIONS$/,
    programs: /^(?:tar|gtar|bsdtar)$/,
    runs: /--(?:checkpoint-action=exec|to-command|rsh-command|info-script|new-volume-script)/,
  },
  { variables: /^GREP_OPTIONS$/, programs: /^$/, loads: /(?:-f\s*|--file=)(\S+)/g },
  {
    variables: /^FZF_DEFAULT_OPTS$/,
    programs: /^$/,
    runs: /execute|become|transform|reload|--listen|unix:/,
  },
  { variables: /^FFREPORT$/, programs: /^$/, writes: /file=([^:\s]+)/g },
  {
    variables: /SAN_OPTIONS$/,
    programs: /^$/,
    writes: /log_path=([^:\s]+)/g,
    loads: /suppressions=([^:\s]+)/g,
  },
  {
    variables: /^PYTEST_(?:ADDOPTS|PLUGINS)$/,
    programs: /^(?:pytest|py\.test)$/,
    loads: /(?:^|\s)(?:-c|--config-file|--rootdir|--confcutdir|--pyargs)(?:=|\s+)([./~]\S*)/g,
    writes:
      /--(?:junitxml|junit-xml|basetemp|log-file|cov-report|resultlog|report-log|html|json-report-file)[= ](?:\w+:)?([./~]\S*)/g,
  },
  {
    variables: /RUST(?:DOC)?FLAGS$/,
    programs: /^rustc$/,
    loads: /linker=(\S+)|-Zcodegen-backend=(\S+)|-L\s*(?:\w+=)?(\/tmp\S*)/g,
  },
  {
    variables: /^(?:C|CXX|CPP|LD)FLAGS$/,
    programs: /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)$/,
    loads:
      /-fplugin=(\S+)|-specs=(\S+)|(?:^|\s)-B\s*(\S+)|-fuse-ld=([./]\S+)|-load(?:\s+-Xclang)?\s+(\S+)|-wrapper\s+(\S+)|(?:^|\s)@(\/\S+)/g,
    writes: /-dumpdir\s+(\S+)|-fdump-\S+=(\S+)|-MF\s*(\S+)/g,
  },
  {
    variables: /^MANROFFOPT$|^GROFF/,
    programs: /^(?:groff|troff|pic|nroff)$/,
    runs: /(?:^|\s)-[a-zA-Z]*U/,
  },
  {
    variables: /^$/,
    programs: /^cargo$/,
    loads: /--config[= ]\S*(?:wrapper|linker|runner|rustc|rustdoc)\s*=\s*["']?([^"'\s]+)/g,
    runs: /--config[= ]\s*alias\./,
  },
  {
    variables: /^$/,
    programs:
      /^(?:mypy|pylint|flake8|eslint|prettier|stylelint|pandoc|protoc|clang-tidy|clang|go|terraform|helm|kustomize|hg|gawk|rg|aria2c|yt-dlp|openssl|sqlite3|ctags|sphinx-build|luatex|lualatex)$/,
    loads:
      /--?(?:plugins?|plugin-dir|rulesdir|resolve-plugins-relative-to|load-plugins|filter|lua-filter|pdf-engine|vettool|load|config-locations|hostname-bin|on-download-\w+|post-renderer|engine|options|luaonly)(?:=(?:[\w-]+=)?|\s+)([/~]\S+)|(?:^|\s)-[Ll]\s+(\/\S+\.(?:lua|so))|extensions\.\w+=([/~]\S+)/g,
  },
  { variables: /^(?:VIMINIT|EXINIT|NVIM_)/, programs: /^$/, runs: /./ },
];

/** The options that a variable holds. */
export function judgeLoadingText(call: CommandCall, name: string, value: string): void {
  for (const row of ROWS) if (row.variables.test(name)) judgeRow(call, row, value);
  judgeCommandsIn(call, value);
  if (name === "PYTEST_ADDOPTS" && !value.includes("\n"))
    takeOver(call.effects, call.walk.probeText(call, `pytest ${value}`), true);
}

/** The same options, given to the program itself. */
export function judgeLoadingOptions(call: CommandCall): void {
  const rows = ROWS.filter(({ programs }) => programs.test(call.name));
  if (rows.length === 0) return;
  const value = call.args.map(({ text, prefix }) => text ?? prefix).join(" ");
  for (const row of rows) judgeRow(call, row, value);
}

function judgeRow(call: CommandCall, { loads, writes, runs }: LoadingRow, value: string): void {
  const { effects } = call;
  if (runs?.test(value)) effects.unknown.push("an option of it has a command");
  for (const match of loads ? value.matchAll(loads) : [])
    for (const each of match.slice(1)) if (each) judgeLoaded(call, each, { isPathOnly: true });
  for (const match of writes ? value.matchAll(writes) : [])
    for (const each of match.slice(1))
      if (each)
        addTargets(call, "overwrites", [knownField(each.replace(/^~(?=\/|$)/, call.context.home))]);
}
