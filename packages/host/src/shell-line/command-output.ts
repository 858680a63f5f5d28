// What some commands print, where that can be told: a path, or lines that are paths. It makes
// `rm -rf "$(mktemp -d)"` and `grep -rl x src | xargs sed -i …` judgeable.

import { posix } from "node:path";
import { hasAny, readArguments, valuesOf, type CommandCall } from "./command-call.ts";
import { BRANCH, DIGITS, exactText, knownField, TAG, type Field } from "./field.ts";
import { isChoosing } from "./programs/find-tests.ts";

export interface CommandOutput {
  paths?: readonly Field[];
  value?: Field;
  /** All that it prints. */
  text?: string;
}

/** Options that take a value, of the programs below; elsewhere they would look like paths. */
const GREP_VALUED =
  "e f m A B C d D include exclude exclude-dir regexp file max-count context color";
const RG_VALUED =
  "e f g t T m A B C M j r glob iglob type type-not regexp file max-count max-depth";
/** They give on some of the lines that they get. */
const FILTERS: ReadonlySet<string> = new Set(["head", "tail", "sort", "uniq", "tac"]);

const PASSING: ReadonlySet<string> = new Set([
  ...FILTERS,
  "pv",
  "stdbuf",
  "unbuffer",
  "nl",
  "sponge",
]);

export function outputOf(call: CommandCall): CommandOutput {
  const { name, args, state, input } = call;
  switch (name) {
    case "pwd":
      return state.directories?.length === 1 ? { value: knownField(state.directories[0]!) } : {};
    case "mktemp":
      return mktemp(call);
    case "dirname": {
      const text = args.length === 1 ? args[0]!.text : undefined;
      return text === undefined
        ? {}
        : { value: knownField(posix.dirname(text), args[0]!.isPattern) };
    }
    case "basename": {
      const text = args[0]?.text;
      const suffix = exactText(args[1]) ?? "";
      if (text === undefined || args.length > 2 || text.startsWith("-")) return {};
      return { value: knownField(posix.basename(text, suffix), args[0]!.isPattern) };
    }
    case "which": {
      const name = args.length === 1 ? exactText(args[0]) : undefined;
      return name && /^[\w.+-]+$/.test(name) ? { value: knownField(`/usr/bin/${name}`) } : {};
    }
    case "date":
      return args.every(({ text }) => text !== undefined && !/\/|%[Dxc]/.test(text))
        ? { value: knownField("0*", true) }
        : {};
    case "seq":
      return { paths: [knownField("0*", true)] };
    case "ps":
      return PS_ALL.test(words(args)) && !PS_CHOSEN.test(words(args)) ? EVERY_PROCESS : {};
    case "lsof":
      return /^(?:-[nPlw]+ )*-t$/.test(words(args)) ? EVERY_PROCESS : {};
    case "pidof":
    case "pgrep": {
      if (/(?:^| )(?:-[uU]|--euid|--uid)|^[.*^$]*$/.test(words(args))) return EVERY_PROCESS;
      return /(?:^|[ ^/])tau\b/.test(words(args)) ? { paths: [knownField(OWN_PROCESS)] } : {};
    }
    case "awk":
    case "gawk":
    case "mawk":
      // Without a test it says something of each line.
      return isProcesses(input.paths) && /^\s*(?:NR\s*>\s*\d+\s*)?\{/.test(args[0]?.text ?? "")
        ? EVERY_PROCESS
        : {};
    case "docker":
    case "podman":
    case "nerdctl":
      return isNamedContainer(words(args)) ? { value: knownField(SOME_CONTAINER) } : {};
    case "nproc":
      return { value: DIGITS };
    case "wc":
      return hasAny(readArguments(args), "l c w m") && (input.isPresent || args.length === 1)
        ? { value: DIGITS }
        : {};
    case "echo":
      return echo(args);
    case "printf":
      return printf(args);
    case "find":
      return find(args);
    case "fd":
    case "fdfind":
      // Without a pattern it lists everything.
      return { paths: [isEverything(args) ? EVERYTHING : SOMETHING] };
    case "git":
      if (gitLists(args)) return { paths: [isEverything(args.slice(1)) ? EVERYTHING : SOMETHING] };
      return gitNames(call);
    case "ls":
      return ls(args);
    case "rg": {
      const read = readArguments(args, RG_VALUED);
      if (!hasAny(read, "l files files-with-matches files-without-match")) return {};
      const isPatternGiven = hasAny(read, "e f files regexp file");
      if (hasAny(read, "files") && isEverything(args)) return { paths: [EVERYTHING] };
      return below(isPatternGiven ? read.operands : read.operands.slice(1), input.paths);
    }
    case "grep": {
      const read = readArguments(args, GREP_VALUED);
      if (hasAny(read, "l L files-with-matches files-without-match")) {
        return below(hasAny(read, "e f regexp file") ? read.operands : read.operands.slice(1));
      }
      const isFilter = read.operands.length <= 1 && !hasAny(read, "o n c r R only-matching");
      // What it leaves out by a word are few; what it lets through by one are few as well.
      const isInverse = hasAny(read, "v invert-match");
      if (isProcesses(input.paths) && !isInverse) return {};
      return isFilter && input.paths ? { paths: isInverse ? input.paths : some(input.paths) } : {};
    }
    // What it writes elsewhere it gives on as well.
    case "tee":
      return { text: input.text, paths: input.paths };
    case "cat":
      if (input.text !== undefined && args.length === 0) return { text: input.text };
      return input.paths && args.length === 0 ? { paths: input.paths } : {};
    default:
      if (FILTERS.has(name) && input.paths && readArguments(args, "n c k").operands.length === 0) {
        return { paths: name === "head" || name === "tail" ? some(input.paths) : input.paths };
      }
      // Some of the lines, or all of them: whoever obeys them obeys no others.
      if (PASSING.has(name) && readArguments(args, "n c k").operands.length === 0)
        return { text: input.text };
      return {};
  }
}

/** What `kill` is given if a list of processes is: no file has such a path. */
export const ALL_PROCESSES = "/proc/every-process";
export const OWN_PROCESS = "/proc/tau-itself";
const EVERY_PROCESS: CommandOutput = { paths: [knownField(ALL_PROCESSES)] };
const PS_ALL = /^(?:-[a-zA-Z]*[eA]|-?a?u?x)|^\S* -[a-zA-Z]*[eA]|^(?:-?a?u?x)\b|^-o .* -[eA]/;
const PS_CHOSEN = /(?:^| )(?:-[CpGgst]|--(?:ppid|pid|tty|sid|group))(?: |=|$)/;
/** It has a name for the line, if not for the judge. */
const SOME_CONTAINER = "tau-some-container";

function isProcesses(paths: readonly Field[] | undefined): boolean {
  return paths?.some(({ text }) => text === ALL_PROCESSES) === true;
}

function words(args: readonly Field[]): string {
  return args.map(({ text }) => text ?? "?").join(" ");
}

/** What the line has started itself, or has chosen by a name. */
function isNamedContainer(line: string): boolean {
  if (/^(?:container )?create\b/.test(line)) return true;
  if (/^(?:container )?run\b.* (?:-[a-zA-Z]*d[a-zA-Z]*|--detach)(?: |$)/.test(line)) return true;
  const isIds = /^(?:container )?(?:ps|ls)\b.* (?:-[a-zA-Z]*q[a-zA-Z]*|--quiet)(?: |$)/.test(line);
  return isIds && /(?:-f|--filter)[= ]"?(?:name|ancestor)="?[\w^/.:-]{2,}/.test(line);
}

function echo(given: readonly Field[]): CommandOutput {
  const option = exactText(given[0]);
  if (option !== undefined && /^-[ne]+$/.test(option)) {
    const texts = given.slice(1).map((field) => exactText(field));
    if (texts.includes(undefined)) return {};
    const line = texts.join(" ") + (option.includes("n") ? "" : "\n");
    return { text: option.includes("e") ? unescaped(line) : line };
  }
  return plainEcho(given);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

/** With line breaks, tabs and other characters in the places of their signs; undefined if it is cut. */
function unescaped(text: string): string | undefined {
  if (/(?<!\\)(?:\\\\)*\\c/.test(text)) return undefined;
  return text.replace(
    /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|(0?[0-7]{1,3})|([^]))/gi,
    (whole, hex?: string, unicode?: string, octal?: string, sign?: string) => {
      if (sign !== undefined) return ESCAPES[sign] ?? whole;
      const code =
        octal === undefined ? Number.parseInt(hex ?? unicode!, 16) : Number.parseInt(octal, 8);
      return String.fromCharCode(code);
    },
  );
}

/** Some shells read signs such as `\n` in it, and others do not: whoever obeys it may get either. */
function plainEcho(args: readonly Field[]): CommandOutput {
  const texts = args.map((field) => exactText(field));
  const isOption = /^-[neE]+$/.test(texts[0] ?? "");
  const isValue = args.length === 1 && /^[^\\-]/.test(args[0]!.text ?? "");
  const value = isValue ? args[0] : undefined;
  if (texts.includes(undefined) || isOption) return { value };
  const text = `${texts.join(" ")}\n`;
  const read = unescaped(text) ?? text;
  return { value, text: read === text ? text : text + read };
}

/** More than a line of values is data. */
const MAX_PRINTED = 10_000;

/** `printf FORMAT VALUE…`: the format again and again until there are no values left. */
export function printf(given: readonly Field[]): CommandOutput {
  const args = exactText(given[0]) === "--" ? given.slice(1) : given;
  const [format, ...values] = args.map((field) => exactText(field));
  if (format === undefined || format.startsWith("-") || values.includes(undefined)) return {};
  const plain = unescaped(format);
  if (plain === undefined || /%(?![%sdib])/.test(plain.replaceAll("%%", ""))) return {};
  const rest = values as string[];
  const fill = (): string =>
    plain.replace(/%([%sdib])/g, (_, kind: string) => {
      if (kind === "%") return "%";
      const value = rest.shift() ?? "";
      return kind === "b" ? (unescaped(value) ?? value) : value;
    });
  let text = fill();
  if (!/%[sdib]/.test(plain.replaceAll("%%", ""))) return { text };
  while (rest.length > 0 && text.length < MAX_PRINTED) text += fill();
  return rest.length > 0 ? {} : { text };
}

function mktemp({ args, context }: CommandCall): CommandOutput {
  const read = readArguments(args, "p suffix tmpdir");
  const [temporary] = context.temporary;
  const [template] = read.operands;
  const places = valuesOf(read, "p tmpdir");
  const isHere = places.length === 0 && !read.hasOpenOption && temporary !== undefined;
  if (isHere && read.operands.length === 0)
    return { value: knownField(`${temporary}/tmp.?*`, true) };
  // `mktemp -t name.XXXX`: a name in the temporary directory.
  if (isHere && read.options.has("t") && /^[\w.-]+$/.test(template?.text ?? "/"))
    return { value: knownField(`${temporary}/${template!.text!.replace(/X{3,}.*$/, "")}?*`, true) };
  const isPath = read.operands.length === 1 && places.length === 0 && !read.options.has("t");
  return isPath && template?.text !== undefined
    ? { value: knownField(template.text.replace(/X{3,}/, "?*"), true) }
    : {};
}

function find(given: readonly Field[]): CommandOutput {
  if (given.some(({ text }) => text === "-files0-from" || text === "-follow")) return {};
  const isFollowing = given.some(({ text }) => text === "-L" || text === "-H");
  if (isFollowing) return {};
  const args = given.filter(({ text }) => !/^-(?:P|O\d)$/.test(text ?? ""));
  const end = args.findIndex(({ text }) => text === undefined || /^[-(!,]/.test(text));
  const roots = end < 0 ? args : args.slice(0, end);
  const found = below(roots);
  if (isChoosing(end < 0 ? [] : args.slice(end)) || !found.paths) return found;
  return { paths: [...found.paths, ...(roots.length > 0 ? roots : [knownField(".")])] };
}

/** Names are printed without the directory that was asked for; patterns of files are printed as they are. */
function ls(args: readonly Field[]): CommandOutput {
  const { operands, options } = readArguments(args);
  if (hasAny({ operands, options, values: new Map(), hasOpenOption: false }, "l a R")) return {};
  if (operands.length === 0) return { paths: [EVERYTHING] };
  const isFile = ({ text, isPattern }: Field): boolean =>
    text !== undefined && (options.has("d") || (isPattern && /\*[^/]*\.\w+$/.test(text)));
  return operands.every(isFile) ? { paths: operands } : {};
}

const EVERYTHING = knownField("*", true);
const SOMETHING = knownField("./?*", true);

/** No word, no pattern and no test that chooses. */
function isEverything(args: readonly Field[]): boolean {
  return args.every(({ text }) =>
    /^(?:\.|\*|-0|-z|-H|-I|-a|-c|-t|f|-uu?|--(?:cached|hidden|no-ignore|files|print0|unrestricted|null))$/.test(
      text ?? "?",
    ),
  );
}

/** All but a few: no longer the whole. */
function some(paths: readonly Field[]): Field[] {
  return paths.map((field) => (field === EVERYTHING ? SOMETHING : field));
}

/** Whatever lies below these; below the directory itself if there are none. */
export function below(roots: readonly Field[], otherwise?: readonly Field[]): CommandOutput {
  if (roots.length === 0) return { paths: otherwise ?? [knownField("./?*", true)] };
  if (roots.some(({ text }) => text === undefined)) return {};
  return {
    paths: roots.map(({ text }) => knownField(`${text!.replace(/\/+$/, "")}/?*`, true)),
  };
}

const GIT_COMMIT =
  /^(?:rev-parse(?: --(?:short|verify)(?:=\d+)?)* [\w.~^@{}/-]+|merge-base|hash-object|log (?:-1|-n ?1)\b.*(?:--format|--pretty)=(?:format:)?%[hH])(?: |$)/;
const GIT_COMMITS = /^(?:rev-list|log .*(?:--format|--pretty)=(?:format:)?%[hH])(?: |$)/;
const GIT_BRANCH =
  /^(?:branch --show-current|symbolic-ref(?: --short)? HEAD|rev-parse --abbrev-ref HEAD)$/;

function gitNames({ args, context, state }: CommandCall): CommandOutput {
  const line = args.map(({ text }) => text ?? "?").join(" ");
  if (line === "rev-parse --show-toplevel") {
    const { workspace, exists = () => true } = context;
    const isHere = state.directories?.every(
      (directory) => directory === workspace || directory.startsWith(`${workspace}/`),
    );
    return isHere && exists(posix.join(workspace, ".git")) ? { value: knownField(workspace) } : {};
  }
  if (/--(?:git-dir|git-path|show-cdup|show-prefix|absolute-git-dir|parse-opt|sq-quote)/.test(line))
    return {};
  if (GIT_COMMIT.test(line)) return { value: DIGITS };
  if (GIT_BRANCH.test(line)) return { value: BRANCH };
  if (/^describe(?: |$)/.test(line)) return { value: TAG };
  return GIT_COMMITS.test(line) ? { paths: [DIGITS] } : {};
}

function gitLists(args: readonly Field[]): boolean {
  const texts = args.map(({ text }) => text ?? "");
  if (texts.includes("-C") || texts.includes("..")) return false;
  if (texts[0] === "ls-files") return true;
  if (texts[0] === "grep") return texts.some((text) => /^-[a-z]*l/.test(text));
  return texts[0] === "diff" && texts.includes("--name-only");
}
