// Commands that code starts, as lines for the judge of command lines. What is not known in them
// becomes a variable that nobody has set.

import { quote } from "./code-acts.ts";
import type { CodeReader } from "./code-reader.ts";
import { exactly, optionsOf, partsOf, sourceOf, type Args, type Value } from "./code-value.ts";

const OPEN = '"$tau_open"';
const UNSEEN = "it runs a command that is only known when it runs";
const BARE_SHELL =
  /^'?(?:\/\S*\/)?(?:sh|bash|zsh|dash|ksh|fish|python3?|node|bun|perl|ruby|php)'?(?:\s+'?(?:-i|-s|-)'?)*$/;
const END = "END_OF_CODE_INPUT";

/** What is said beside a command: where it runs, what it is fed, what is set for it. */
export interface CommandSetting {
  directory?: Value;
  input?: Value;
  environment?: Value;
  /** Runs in place of the first word. */
  executable?: Value;
  /** A shell reads it, whatever it is. */
  isShell?: boolean;
}

/** A command as a list of words, or as a line. */
export function runCommand(
  reader: CodeReader,
  value: Value | undefined,
  setting: CommandSetting = {},
): void {
  if (value === undefined) {
    reader.acts.unknown(UNSEEN);
    return;
  }
  for (const option of optionsOf(value)) {
    const line = option.kind === "list" ? wordsOf(option, setting) : lineOf(option);
    // Whoever starts a shell without a word means to talk to it.
    const isTalk = setting.input === undefined || exactly(setting.input) === undefined;
    if (line !== undefined && isTalk && BARE_SHELL.test(line)) reader.acts.unknown(UNSEEN);
    if (line === undefined) reader.acts.unknown(UNSEEN);
    else reader.acts.command(settled(line, setting));
  }
}

function wordsOf(
  { items, isOpen }: Extract<Value, { kind: "list" }>,
  { isShell, executable }: CommandSetting,
): string | undefined {
  const [given, ...rest] = items;
  const program = executable ?? given;
  if (program === undefined) return undefined;
  const options = optionsOf(program);
  const name = exactly(options.find((each) => exactly(each) !== undefined));
  if (name === undefined || options.some((each) => sourceOf(each) !== "hidden")) return undefined;
  if (isShell) return [name, ...rest.map(wordOf)].join(" ");
  return [quote(name), ...rest.map(wordOf), isOpen ? OPEN : ""].filter(Boolean).join(" ");
}

export function wordOf(value: Value): string {
  const exact = exactly(value);
  if (exact !== undefined) return quote(exact);
  return partsOf(value)
    .map((part) => (typeof part === "string" ? quote(part) : part.source === "number" ? "0" : OPEN))
    .join("");
}

/** A line that a shell reads; undefined if too little of it is known. */
function lineOf(value: Value): string | undefined {
  if (value.kind === "made" && value.target) return quote(exactly(value) ?? "");
  if (value.kind !== "text") return undefined;
  const [first] = value.parts;
  if (typeof first !== "string") return undefined;
  let line = "";
  for (const part of value.parts) {
    if (typeof part === "string") line += part;
    else if (part.source === "hidden" || part.source === "web") return undefined;
    else line += isInQuotes(line) ? `'${OPEN}'` : OPEN;
  }
  return line;
}

function isInQuotes(line: string): boolean {
  return (line.match(/'/g)?.length ?? 0) % 2 === 1;
}

function settled(line: string, { directory, input, environment }: CommandSetting): string {
  const text = input && exactly(input);
  const fed =
    input === undefined
      ? line
      : text === undefined
        ? `cat ${OPEN} | ${line}`
        : `${line} <<'${END}'\n${text}\n${END}`;
  const assigned = assignments(environment) + fed;
  if (
    directory === undefined ||
    (directory.kind === "unknown" &&
      directory.source === "data" &&
      exactly(directory) === undefined)
  )
    return directory === undefined ? assigned : `cd ${OPEN} && ${assigned}`;
  const at = exactly(directory);
  return `cd ${at === undefined ? wordOf(directory) : quote(at)} && ${assigned}`;
}

/** More are an environment that somebody else has made. */
const MAX_VARIABLES = 20;

function assignments(environment: Value | undefined): string {
  if (environment?.kind !== "record" || environment.entries.size > MAX_VARIABLES) return "";
  return [...environment.entries]
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value]) => `${name}=${wordOf(value)} `)
    .join("");
}

/** `$`rm ${x}``: what is put in is one word, a list of them, or as it stands if it is said to be raw. */
export function runTemplate(
  reader: CodeReader,
  values: readonly Value[],
  isInserted: readonly boolean[],
): void {
  const parts = values.map((value, at) => {
    if (!isInserted[at]) return exactly(value) ?? OPEN;
    const raw = value.kind === "record" ? value.entries.get("raw") : undefined;
    if (raw) return exactly(raw) ?? OPEN;
    return value.kind === "list" ? value.items.map(wordOf).join(" ") : wordOf(value);
  });
  reader.acts.command(parts.join(""));
}

/** What Python's `subprocess` is told by name. */
export function settingOf({ named }: Args): CommandSetting {
  const directory = named.get("cwd");
  const shell = named.get("shell");
  return {
    directory: directory && isNone(directory) ? undefined : directory,
    input: named.get("input") ?? named.get("stdin"),
    environment: named.get("env"),
    executable: named.get("executable"),
    isShell: shell !== undefined && !isFalse(shell),
  };
}

function isNone(value: Value): boolean {
  return value.kind === "known" && value.name === "None";
}

function isFalse(value: Value): boolean {
  return value.kind === "known" && value.name === "False";
}
