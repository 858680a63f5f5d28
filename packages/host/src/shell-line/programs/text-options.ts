// Options of editors and of tools for text and tables that write files, or run code in the middle of a table.

import { addTargets, type CommandCall } from "../command-call.ts";
import { knownField, type Field } from "../field.ts";
import { fileText } from "../note-written.ts";
import { valuesAfter } from "./editor-languages.ts";

const OPEN = "its script may run, load or write something";

/** `-V9file` writes a log. */
export function judgeVerbose(call: CommandCall): void {
  for (const { text = "" } of call.args) {
    const file = /^-V\d*(\D.*)$/s.exec(text)?.[1];
    if (file !== undefined) addTargets(call, "overwrites", [knownField(file)]);
  }
}

/** Orders on its input: `save FILE`, `write FILE`. */
export function judgeXmlShell(call: CommandCall): void {
  const { args, input, effects } = call;
  if (!args.some(({ text }) => text === "--shell")) return;
  const orders = input.text ?? fileText(call, input.file);
  if (orders === undefined && input.isPresent) effects.unknown.push(OPEN);
  for (const [, file] of (orders ?? "").matchAll(/^\s*(?:save|write|cd)\s+(\S+)/gm))
    addTargets(call, "overwrites", [knownField(file!)]);
}

/** `yq -s EXPRESSION` writes a file of the name that the expression gives. */
export function judgeSplitExpression(call: CommandCall): void {
  for (const { text, prefix } of valuesAfter(call.args, /^(?:-s|--split-exp)$/)) {
    const path = /["']((?:\/|~|\.\.)[^"']*)/.exec(text ?? prefix)?.[1];
    if (path !== undefined) addTargets(call, "overwrites", [knownField(`${path}x`)]);
    else if (text === undefined) call.effects.unknown.push(OPEN);
  }
}

export function judgeMiller(call: CommandCall): void {
  const texts = call.args.map(({ text }) => text ?? "");
  if (!texts.includes("-I")) return;
  addTargets(call, "overwrites", known(valuesAfter(call.args, /^--from$/)));
  const paths = call.args.filter(({ text }) => /^(?:\/|~|\.\.)/.test(text ?? ""));
  addTargets(call, "overwrites", paths);
}

/** Lua in the middle of a table. */
export function judgeLuau(call: CommandCall): void {
  if (!call.args.some(({ text }) => /^(?:luau|py|foreach)$/.test(text ?? ""))) return;
  const isDoing = call.args.some(({ text, prefix }) =>
    /\b(?:os|io|require|load\w*|dofile|debug|subprocess|open|import)\b/.test(text ?? prefix),
  );
  if (isDoing || call.args.some(({ text }) => /^foreach$/.test(text ?? "")))
    call.effects.unknown.push(OPEN);
}

export function judgeXmake(call: CommandCall): void {
  if (!/^(?:lua|l)$/.test(call.args[0]?.text ?? "")) return;
  const code = valuesAfter(call.args, /^(?:-c|--command)$/);
  if (code.length > 0) call.effects.unknown.push(OPEN);
}

function known(fields: readonly Field[]): Field[] {
  return fields.filter(({ text }) => text !== undefined);
}
