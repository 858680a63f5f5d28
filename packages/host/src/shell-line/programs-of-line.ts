// The programs that a line runs one after another, with their arguments as written: those that
// stand in it openly, without what substitutions and functions run. Programs that only run another
// one are looked through.

import {
  literalText,
  type Sequence,
  type ShellCommand,
  type ShellLine,
  type SimpleCommand,
} from "./syntax-tree.ts";

export interface ProgramUse {
  name: string;
  /** Undefined where a value decides. */
  args: (string | undefined)[];
  command: SimpleCommand;
}

/** With a value behind them where the pattern says so. */
const WRAPPERS: ReadonlyMap<string, RegExp> = new Map([
  ["env", /^(?:-[uC])$/],
  ["command", /^$/],
  ["exec", /^-a$/],
  ["nohup", /^$/],
  ["time", /^-[fo]$/],
  ["nice", /^-n$/],
  ["stdbuf", /^-[ioe]$/],
  ["timeout", /^-[ks]$/],
  ["sudo", /^-[ugp]$/],
]);

export function programsOfLine({ body }: ShellLine): ProgramUse[] {
  const found: ProgramUse[] = [];
  visitSequence(body, found);
  return found;
}

function visitSequence({ items }: Sequence, found: ProgramUse[]): void {
  for (const { command } of items) visit(command, found);
}

function visit(command: ShellCommand, found: ProgramUse[]): void {
  switch (command.type) {
    case "simple": {
      const use = programOf(command);
      if (use) found.push(use);
      return;
    }
    case "pipeline":
      for (const each of command.commands) visit(each, found);
      return;
    case "and-or":
      visit(command.first, found);
      for (const each of command.rest) visit(each.command, found);
      return;
    case "group":
    case "for":
    case "arithmetic-for":
      visitSequence(command.body, found);
      return;
    case "loop":
      visitSequence(command.condition, found);
      visitSequence(command.body, found);
      return;
    case "if":
      for (const { condition, body } of command.branches) {
        visitSequence(condition, found);
        visitSequence(body, found);
      }
      if (command.otherwise) visitSequence(command.otherwise, found);
      return;
    case "case":
      for (const { body } of command.clauses) visitSequence(body, found);
  }
}

/** Undefined where the name is no plain text. */
export function programOf(command: SimpleCommand): ProgramUse | undefined {
  const texts = command.words.map(literalText);
  let at = 0;
  for (;;) {
    const path = texts[at];
    if (path === undefined) return undefined;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const valued = WRAPPERS.get(name);
    if (!valued || at + 1 >= texts.length) return { name, args: texts.slice(at + 1), command };
    at++;
    for (; at < texts.length; at++) {
      const text = texts[at];
      if (text === undefined) return undefined;
      if (valued.test(text)) at++;
      else if (!text.startsWith("-") && !/^[A-Za-z_]\w*=/.test(text)) break;
    }
    // The time that `timeout` gives.
    if (name === "timeout") at++;
  }
}
