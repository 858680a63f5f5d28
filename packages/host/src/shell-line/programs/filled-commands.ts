// Programs that run a command line for each of many values, with places in it for them: GNU
// parallel quotes what it fills in, hyperfine does not.

import { posix } from "node:path";
import { addTargets, hasAny, readArguments, valuesOf, type CommandCall } from "../command-call.ts";
import { unknownField, type Field } from "../field.ts";
import { judgeCommandsIn, judgeTails, judgeTextOf } from "../judge-unknown.ts";
import { NO_INPUT } from "../no-input.ts";
import { fileText } from "../note-written.ts";
import { withVariable } from "../shell-state.ts";
import { judgeXargs } from "./xargs-program.ts";

const PARALLEL_VALUED =
  "j jobs n N L a arg-file C colsep delay timeout retries joblog results S sshlogin tmpdir workdir wd P";

/** The places of parallel: the value, without its ending, its name, its directory, the third of many. */
const PLACES: Readonly<Record<string, (path: string) => string>> = {
  "{}": (path) => path,
  "{.}": withoutEnding,
  "{/}": (path) => posix.basename(path),
  "{//}": (path) => posix.dirname(path),
  "{/.}": (path) => withoutEnding(posix.basename(path)),
};
/** These and all others: one of several values, or a program of its own. */
const ANY_PLACE = /\{[^\s{}]*\}/g;

/** Its words are joined with blanks and given to a shell for each value, which it quotes. */
export function judgeParallel(call: CommandCall): void {
  call.effects.executes = true;
  const at = call.args.findIndex(({ text }) => text?.startsWith(":::") === true);
  const before = at < 0 ? call.args : call.args.slice(0, at);
  const read = readArguments(before, PARALLEL_VALUED, { endsAtOperand: true });
  const { operands } = read;
  addTargets(call, "overwrites", valuesOf(read, "results joblog"));
  const line = operands.every(({ text, isPattern }) => text !== undefined && !isPattern)
    ? operands.map(({ text }) => text).join(" ")
    : undefined;
  if (line !== undefined && line !== "") {
    const isFile = hasAny(read, "a arg-file");
    const values = isFile ? [unknownField()] : valuesOfParallel(call, at);
    for (const value of values) runFilled(call, line, value);
  } else judgeXargs(call);
  judgeTails(call, before);
  for (const word of before) judgeTextOf(call, word);
  if (line === "") judgeLines(call, at, valuesOf(read, "a arg-file"));
  if (call.input.text !== undefined) judgeCommandsIn(call, call.input.text);
}

/** Without a command the values are commands: behind `:::`, in files, or on the input. */
function judgeLines(call: CommandCall, at: number, files: readonly Field[]): void {
  const { args, input, effects } = call;
  const marks = at < 0 ? [] : args.slice(at);
  const run = (text: string | undefined): void => {
    if (text === undefined) effects.unknown.push("its commands come from elsewhere");
    else call.walk.runText({ ...call, input: NO_INPUT }, text);
  };
  const isListed = marks[0]?.text?.startsWith("::::") === true;
  for (const field of marks.filter(({ text }) => !text?.startsWith(":::")))
    run(isListed ? fileText(call, field) : field.text);
  for (const file of files) run(fileText(call, file));
  if (at >= 0 || files.length > 0) return;
  if (input.isDownload) effects.downloadsAndExecutes = true;
  else if (input.isPresent) run(input.text ?? fileText(call, input.file));
}

/** `::: a b`, or what flows in; from a file they are unknown, and from several lists they are mixed. */
function valuesOfParallel(call: CommandCall, at: number): readonly Field[] {
  if (at < 0) return call.input.paths ?? [unknownField()];
  const lists = call.args.filter(({ text }) => text?.startsWith(":::") === true);
  return lists.length === 1 && lists[0]!.text === ":::"
    ? call.args.slice(at + 1)
    : [unknownField()];
}

function runFilled(call: CommandCall, line: string, value: Field): void {
  let { state } = call;
  let count = 0;
  const place = (given: Field): string => {
    const name = `__place${count++}`;
    state = withVariable(state, name, given);
    return `"$${name}"`;
  };
  const isNamed = line.search(ANY_PLACE) >= 0;
  const filled = (isNamed ? line : `${line} {}`).replace(ANY_PLACE, (found) => {
    const change = PLACES[found.replace(/^\{1(?=[./}])/, "{")];
    const isKnown = change !== undefined && value.text !== undefined;
    return place(isKnown ? { ...value, ...textOf(change(value.text!)) } : unknownField());
  });
  call.walk.runText({ ...call, state }, filled);
}

function textOf(text: string): Pick<Field, "text" | "prefix"> {
  return { text, prefix: text };
}

function withoutEnding(path: string): string {
  return path.slice(0, path.length - posix.extname(path).length);
}

const HYPERFINE_VALUED =
  "p prepare s setup c cleanup n command-name w warmup r runs m M export-json export-markdown export-csv S shell style output input time-unit reference min-runs max-runs D parameter-step-size";
/** More lines than these are not worth the time. */
const MAX_LINES = 50;

/** `-L x a,b 'run {x}'`: each value stands in each line as it is. */
export function judgeHyperfine(call: CommandCall): void {
  call.effects.executes = true;
  const parameters = new Map<string, readonly string[] | undefined>();
  const args = [...call.args];
  for (let at = 0; at < args.length; at++) {
    const option = args[at]!.text ?? "";
    const isScan = /^(?:-P|--parameter-scan)$/.test(option);
    if (!isScan && !/^(?:-L|--parameter-list)$/.test(option)) continue;
    const [, name, values] = args.splice(at--, isScan ? 4 : 3);
    parameters.set(name?.text ?? "", isScan ? ["0"] : exactList(values));
  }
  const read = readArguments(args, HYPERFINE_VALUED);
  addTargets(call, "overwrites", valuesOf(read, "export-json export-markdown export-csv"));
  for (const { text } of [...valuesOf(read, "p prepare s setup c cleanup"), ...read.operands]) {
    const lines = text === undefined ? undefined : filledLines(text, parameters);
    if (lines === undefined) call.effects.unknown.push("its command is only known when it runs");
    for (const line of lines ?? []) call.walk.runText(call, line);
  }
}

function exactList(values: Field | undefined): readonly string[] | undefined {
  return values?.isPattern ? undefined : values?.text?.split(",");
}

function filledLines(
  text: string,
  parameters: ReadonlyMap<string, readonly string[] | undefined>,
): string[] | undefined {
  let lines = [text];
  for (const [name, values] of parameters) {
    const place = `{${name}}`;
    if (!text.includes(place)) continue;
    if (values === undefined || lines.length * values.length > MAX_LINES) return undefined;
    lines = lines.flatMap((line) => values.map((value) => line.replaceAll(place, value)));
  }
  return lines;
}
