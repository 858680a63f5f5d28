// What a row says of a program's options and its little language, and how it is judged.

import { addTargets, type CommandCall, type ProgramJudge } from "../command-call.ts";
import { exactText, knownField, type Field } from "../field.ts";
import { judgeProgramValue } from "../judge-unknown.ts";
import { noteCode } from "../note-code.ts";
import { valuesAfter } from "./editor-languages.ts";
import { judgeLoaded } from "./run-file.ts";

export interface LanguageRow {
  names: string;
  /** Options whose value is a command. */
  runs?: RegExp;
  /** Options whose value is a file of code, or a program. */
  loads?: RegExp;
  /** The same in one word; the first group is the file. */
  glued?: RegExp;
  writes?: RegExp;
  /** Options whose value is Python, or JavaScript. */
  python?: RegExp;
  javascript?: RegExp;
  /** Options whose value is a line for a shell. */
  lines?: RegExp;
  /** With such words the paths that follow are written over. */
  changes?: RegExp;
  /** Words with which something is lost or given away, and why; without options, and with them. */
  critical?: readonly (readonly [pattern: RegExp, reason: string])[];
  /** Arguments that ask as such. */
  asks?: RegExp;
  extra?: (call: CommandCall) => void;
}

export const OPEN = "its script may delete, write or run something";

function judgeRow(row: LanguageRow): ProgramJudge {
  return (call) => {
    const { args, effects } = call;
    if (row.runs)
      for (const value of valuesAfter(args, row.runs)) {
        judgeProgramValue(call, value);
        if (/^[/~]\S*$/.test(value.text ?? "") && !/^\/(?:usr\/)?s?bin\//.test(value.text!))
          judgeCode(call, value);
      }
    if (row.loads) for (const value of valuesAfter(args, row.loads)) judgeCode(call, value);
    if (row.writes) addTargets(call, "overwrites", valuesAfter(args, row.writes));
    judgeScripts(call, row);
    if (row.changes) judgeChanged(call, row.changes);
    const words = args.map((field) => exactText(field) ?? "?");
    const forms = [words.filter((word) => !word.startsWith("-")), words];
    for (const [pattern, reason] of row.critical ?? [])
      if (forms.some((form) => pattern.test(form.join(" ")))) effects.critical.push(reason);
    for (const field of args) {
      const text = field.text ?? field.prefix;
      const glued = row.glued?.exec(text)?.[1];
      if (glued !== undefined) judgeCode(call, knownField(glued));
      if (row.asks?.test(text))
        effects.unknown.push(`its argument ${text.split("=")[0]} may run or delete something`);
    }
    row.extra?.(call);
  };
}

/** A bare name is a program or a plugin that is installed. */
export function judgeCode(call: CommandCall, field: Field): void {
  const text = (field.text ?? field.prefix).replace(/^~(?=\/)/, call.context.home);
  if (field.text !== undefined && /^[\w.+-]+$/.test(text) && !/\.(?:so|dylib|dll)$/.test(text)) {
    if (/\.\w+$/.test(text)) judgeLoaded(call, field);
    return;
  }
  const [path] = text.split(",");
  judgeLoaded(call, field.text === undefined ? field : { ...field, text: path, prefix: path! });
}

function judgeScripts(call: CommandCall, { python, javascript, lines }: LanguageRow): void {
  const { args, effects, walk } = call;
  const each = (option: RegExp | undefined, judge: (text: string) => void): void => {
    for (const { text } of option ? valuesAfter(args, option) : []) {
      if (text === undefined) effects.unknown.push("its script is only known when it runs");
      else judge(text);
    }
  };
  each(python, (text) => noteCode({ ...call, name: "python3" }, text));
  each(javascript, (text) => noteCode({ ...call, name: "node" }, text));
  each(lines, (text) => void walk.runText(call, text));
}

/** `terraform fmt ~/x`: whatever stands after the word and is a path. */
function judgeChanged(call: CommandCall, word: RegExp): void {
  const at = call.args.findIndex(({ text }) => word.test(text ?? ""));
  if (at < 0) return;
  const operands = call.args.slice(at + 1).filter(({ prefix }) => !prefix.startsWith("-"));
  const told = operands.filter(({ text }) => text !== undefined);
  addTargets(call, "overwrites", told.map(withoutDots));
}

/** `go fmt ./...` */
function withoutDots(field: Field): Field {
  const text = field.text?.replace(/\/?\.\.\.$/, "");
  return text === undefined || text === field.text ? field : knownField(text === "" ? "." : text);
}

/** Each name has all the rows that name it. */
export function languagesOf(
  rows: readonly LanguageRow[],
): ReadonlyMap<string, readonly ProgramJudge[]> {
  const found = new Map<string, readonly ProgramJudge[]>();
  for (const row of rows)
    for (const name of row.names.trim().split(/\s+/))
      found.set(name, [...(found.get(name) ?? []), judgeRow(row)]);
  return found;
}
