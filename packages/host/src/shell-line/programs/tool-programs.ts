// Tools with subcommands: package managers, containers, clusters, clouds. One row says which of
// their options take a value, so that the subcommand is found behind them, which subcommands only
// look, and which do what nobody can undo or send something to others.

import {
  addTargets,
  readArguments,
  targetsOf,
  valuesOf,
  type CommandCall,
  type ProgramJudge,
} from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import {
  judgeCommandsIn,
  judgeOutputs,
  judgePrintedFiles,
  judgeTails,
  judgeTextOf,
  judgeGuardedOperands,
} from "../judge-unknown.ts";
import { judgeOutsidePaths } from "../judge-outside.ts";
import { tellsAboutSubcommand } from "../self-description.ts";
import { CLUSTER_TOOLS } from "./cluster-tools.ts";
import { MACHINE_TOOLS } from "./machine-tools.ts";
import { PACKAGE_TOOLS } from "./package-tools.ts";
import { judgeDatabaseReset } from "./database-reset.ts";
import { judgeLosses, judgePlugins } from "./losing-words.ts";
import { judgeInner, judgeRunner, judgeStarter } from "./run-inner.ts";
import { judgeFile } from "./run-file.ts";
import { changesElsewhere, isEmulated, opensToEverybody } from "./pointed-elsewhere.ts";
import { CLOUD, INSTALLS, PUBLISHES, TRIAL, type ToolRow } from "./tool-row.ts";

/** With these it asks somebody else, or obeys another file. */
const LEADING_ELSEWHERE =
  /^(?:H|s|c|log|proxy|python|prefix|C|dir|token|registry|server|host|context|.*config.*|.*-url|.*cache.*)$/;
const LOCAL = /^(?:run|test|t|build|check|clippy|fmt|vet|exec|x|start|lint|compile)\b/;
const VERSION = /^(?:--version|-V|-v|--help|-h|version)$/;
/** With `--dry-run` these change nothing at all. */
const TRYING = /^(?:kubectl|oc|helm)$/;
/** A letter that means something else to them. */
const TALKATIVE = /^(?:just|task|tmux|yarn)$/;
/** They copy between a store and this machine. */
const COPYING = /^(?:aws|gsutil|gcloud|rclone|s3cmd|mc|az)$/;
/** What flows into them may be commands. */
const SCRIPTED = /^(?:make|just|docker|podman|nerdctl|kubectl|npx|bunx)$/;
/** Behind them a program is named, or a file that is run. */
const RUNNING = /^(?:run|exec|x|dlx|call)$/;

function judgeTool(row: ToolRow): ProgramJudge {
  return (call) => {
    const { args, effects, name } = call;
    const line = args.map((field) => exactText(field) ?? "?").join(" ");
    const isVersion = args.length === 1 && VERSION.test(line);
    const isTelling = isVersion && !(line === "-v" && TALKATIVE.test(name));
    if (isTelling || (!row.isRunner && tellsAboutSubcommand(args))) {
      effects.reads = true;
      return;
    }
    const forms = wordForms(args, row.globals);
    const isEmulator = COPYING.test(name) && isEmulated(call);
    const isTrial = args.some(({ text }) => TRIAL.test(text ?? ""));
    const found = row.critical?.filter(
      ([pattern, reason]) =>
        !(isTrial && (reason === PUBLISHES || TRYING.test(name))) &&
        !(isEmulator && reason === CLOUD) &&
        !isOwnPlace(call, reason) &&
        forms.some((form) => pattern.test(form)),
    );
    const [words] = forms as [string];
    const isLooking = row.looks?.test(words) === true || row.looks?.test(line) === true;
    if (isLooking && (!found || found.length === 0) && hasOnlyFlags(args, row)) {
      effects.reads = true;
      if (/^(?:gh|kubectl|helm|docker|podman|nerdctl)$/.test(name)) noteOpenWords(call);
      return;
    }
    for (const [, reason] of found ?? []) effects.critical.push(reason);
    effects.executes = true;
    if (row.sends && !isEmulator && forms.some((form) => row.sends!.test(form)))
      effects.sends = true;
    const elsewhere = changesElsewhere(call, words);
    if (elsewhere !== undefined) effects.critical.push(elsewhere);
    if (COPYING.test(name) && !isEmulator && opensToEverybody(call))
      effects.critical.push("opens something to everybody");
    if (name === "uv" && /^venv\b/.test(words))
      addTargets(call, "overwrites", readArguments(args, row.globals).operands.slice(1));
    if (found?.some(([, reason]) => reason === PUBLISHES)) effects.sends = true;
    if (!row.isLocal && !LOCAL.test(words)) effects.network = true;
    addTargets(
      call,
      "overwrites",
      valuesOf(readArguments(args, `${row.globals ?? ""} ${row.writes ?? "-"}`), row.writes ?? "-"),
    );
    judgeOutputs(call);
    if (call.name === "tmux") judgeGuardedOperands(call);
    if (COPYING.test(call.name) && /\b(?:cp|sync|mv|copy|rsync|mount|bisync|invoke)\b/.test(words))
      judgeCopied(call, isEmulator);
    judgePackage(call, row, words);
    if (
      name === "go" &&
      /^run\b/.test(words) &&
      args.some(({ text }) => /^[\w.-]+\.[\w-]+\/.*@/.test(text ?? ""))
    )
      effects.downloadsAndExecutes = true;
    if (row.isHere) judgeOutsidePaths(call, { readsOperands: true });
    if (row.isShared && !isEmulator)
      judgeLosses(call, "what others rely on", { isShared: true, isClosed: row.isClosed });
    judgeDatabaseReset(call);
    judgePrintedFiles(call);
    judgePlugins(call);
    if (row.isContainer) judgeMounts(call);
    judgeRunning(call, row.isHere === true);
  };
}

/** `npx package`, `pnpm dlx package`, `uv tool run package` */
function judgePackage(call: CommandCall, row: ToolRow, words: string): void {
  const { operands } = readArguments(call.args, row.globals);
  const verbs = row.runs?.exec(words)?.[0].split(" ").length;
  if (row.isRunner) judgeRunner(call, operands);
  else if (verbs !== undefined && /^(?:init|create)\b/.test(words)) judgeStarter(call, operands[1]);
  else if (verbs !== undefined) judgeRunner(call, operands.slice(verbs));
}

/** What is sent for a question may be more than a question. */
function noteOpenWords({ args, effects }: CommandCall): void {
  if (args.some(({ text }) => text === undefined)) effects.network = true;
}

function hasOnlyFlags(args: readonly Field[], { flags, globals = "" }: ToolRow): boolean {
  return args.every((field, index) => {
    const text = exactText(field);
    if (text === undefined) return !field.isMany && field.prefix !== "";
    if (!text.startsWith("-")) return true;
    const isGlobal = globals.split(" ").includes(text.replace(/^-+/, "").split("=")[0]!);
    return (
      flags?.test(text) === true ||
      (isGlobal && !LEADING_ELSEWHERE.test(text.replace(/^-+/, "").split("=")[0]!)) ||
      (index === 0 && flags === undefined)
    );
  });
}

/**
 * The words that are not options, with known values left out; then the same with every word left
 * out that stands behind an option nobody knows; each with its options behind the words.
 */
function wordForms(args: readonly Field[], globals = ""): string[] {
  const { operands } = readArguments(args, globals);
  const texts = (fields: readonly Field[]): string =>
    fields.map((field) => exactText(field) ?? "?").join(" ");
  const isOption = (field: Field | undefined): boolean => field?.text?.startsWith("-") === true;
  const options = args.filter((field, index) => isOption(field) || isOption(args[index - 1]));
  const bare = operands.filter((field) => {
    const before = args[args.indexOf(field) - 1];
    return !isOption(before) || before!.text!.includes("=") || before!.text === "--";
  });
  const all = args.filter((field) => !isOption(field));
  return [operands, bare, all]
    .flatMap((fields) => [texts(fields), `${texts(fields)} ${texts(options)}`])
    .concat(texts(args));
}

/** `cargo install --root ./x`, `GOBIN=$PWD/bin go install`, `pip install --target x`: into the project. */
function isOwnPlace(call: CommandCall, reason: string): boolean {
  if (reason !== INSTALLS || !/^(?:cargo|go|pip|gem|uv)$/.test(call.name)) return false;
  const variable = { cargo: "CARGO_INSTALL_ROOT", go: "GOBIN" }[call.name] ?? "";
  const set = call.environment.get(variable) ?? call.state.variables.get(variable);
  const option = { cargo: "root", gem: "install-dir" }[call.name] ?? "target";
  const told = valuesOf(readArguments(call.args, `${option} t i`), option);
  const places = told.length > 0 || call.name === "go" ? told : [];
  const all = [...places, ...(set && told.length === 0 ? [set] : [])];
  return (
    all.length > 0 &&
    all.every((field) =>
      targetsOf(call, field).every(({ place }) => place === "inside" || place === "temporary"),
    )
  );
}

function judgeCopied(call: CommandCall, isEmulator: boolean): void {
  if (!isEmulator) judgeWhole(call);
  const target = call.args.findLast(({ text }) => !text?.startsWith("-"));
  const isLocal = target && !/^[\w-]+:/.test(target.text ?? target.prefix);
  if (isLocal && target.text !== undefined) addTargets(call, "overwrites", [target]);
}

/** `aws s3 sync . s3://…`: the whole project, with what nobody else is to see. */
function judgeWhole(call: CommandCall): void {
  const { args, effects } = call;
  const places = args.filter(({ text }) => /^(?:\.{1,2}|[~/.].*)$/.test(text ?? ""));
  const isSparing = args.some(({ text }) => /\.env|\.\*/.test(text ?? ""));
  const isRemote = args.some(({ prefix }) => /^[\w-]+:/.test(prefix));
  if (!isRemote || isSparing) return;
  const isAll = places.some((field) =>
    targetsOf(call, field).some(({ place, isRoot }) => place === "inside" && isRoot),
  );
  // The first place is the source.
  const first = args.find(({ prefix }) => /^(?:[\w-]+:|[~/.])/.test(prefix));
  if (isAll && first && !/^[\w-]+:/.test(first.prefix)) {
    effects.sends = true;
    effects.readsSecrets.push("the whole project, with the secrets that may be in it");
  }
}

/** A directory that is guarded, or all of home, in the hands of a container. */
function judgeMounts(call: CommandCall): void {
  const { home, guards } = call.context;
  const read = readArguments(call.args, "v volume mount");
  for (const { text, prefix } of valuesOf(read, "v volume mount")) {
    const whole = text ?? prefix;
    const source = /(?:^|,)(?:source|src)=([^,]+)/.exec(whole)?.[1] ?? whole.split(":")[0]!;
    if (!source.startsWith("/") || /:ro\b|,readonly|,ro\b/.test(whole)) continue;
    const isHome =
      source.replace(/\/+$/, "") === home || home.startsWith(`${source.replace(/\/+$/, "")}/`);
    if (isHome || guards?.(source) !== undefined)
      call.effects.critical.push(`gives a container ${source}`);
    else if (!CACHE.test(source) && isOutside(call, source))
      call.effects.unknown.push(`it gives a container ${source}`);
  }
}

/** What is in them comes again by itself. */
const CACHE =
  /\/(?:\.cache|\.m2|\.npm|\.gradle|\.cargo\/registry|\.pnpm-store|\.yarn|go\/pkg|\.nuget|\.ivy2)(?:\/|$)/;

function isOutside(call: CommandCall, path: string): boolean {
  return targetsOf(call, knownField(path)).some(({ place }) => place === "outside");
}

/** `npx x`, `uv run x`, `docker exec c x`: the command, in whatever form it is given. */
function judgeRunning(call: CommandCall, isHere: boolean): void {
  const { args } = call;
  judgeTails(call, args);
  judgeInner(call, { isHere });
  const { text } = call.input;
  if (text !== undefined && SCRIPTED.test(call.name)) judgeCommandsIn(call, text);
  for (const field of args) if (/\s/.test(field.text ?? "")) judgeRunText(call, field);
  const at = args.findIndex(({ text }) => RUNNING.test(text ?? ""));
  const file = at >= 0 ? args.slice(at + 1).find(({ text }) => !text?.startsWith("-")) : undefined;
  if (file && /^(?:bun|deno|uv|go|cargo)$/.test(call.name)) judgeFile(call, file);
}

/** Messages and descriptions are no commands. */
function judgeRunText(call: CommandCall, field: Field): void {
  const before = call.args[call.args.indexOf(field) - 1]?.text ?? "";
  const isShort =
    /^-[mbtdn]$/.test(before) && /^(?:gh|glab|npm|pnpm|yarn|docker|podman|helm)$/.test(call.name);
  if (
    isShort ||
    /^--(?:message|body|title|notes|description|subject|comment|tag|label)$/.test(before)
  )
    return;
  if (/^--(?:message|body|title|notes|description)=/.test(field.text ?? "")) return;
  judgeTextOf(call, field);
}

export const TOOL_PROGRAMS: ReadonlyMap<string, ProgramJudge> = new Map(
  Object.entries({ ...PACKAGE_TOOLS, ...CLUSTER_TOOLS, ...MACHINE_TOOLS }).map(
    ([name, row]) => [name, judgeTool(row)] as const,
  ),
);
