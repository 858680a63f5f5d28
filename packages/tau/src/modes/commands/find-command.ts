// Whether a line is a slash command, which one, and what to say if there is none of that name.

import { suggest } from "../../base/suggest.ts";
import type { Feature } from "../../feature-api/feature.ts";
import { offCommand } from "../off-command.ts";
import type { Command } from "./command.ts";

export interface CalledCommand {
  command: Command;
  /** The name that was typed: its own, or an alias. */
  word: string;
  argument: string;
}

const LINE = /^\/([\w:.-]*)(?:\s+([\s\S]*))?$/;

export function findCommand(commands: readonly Command[], line: string): CalledCommand | undefined {
  const match = LINE.exec(line.trim());
  if (!match) return undefined;
  const [, name = "", argument = ""] = match;
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name) === true);
  return command && { command, word: name, argument: argument.trim() };
}

/** A path is not a mistyped command: `/etc/hosts` goes to the model as it is. */
export function looksLikeCommand(line: string): boolean {
  return /^\/[\w:.-]*(?:\s|$)/.test(line.trim());
}

/** `features`: those of the session, whether they are on or not. */
export function unknownCommand(
  commands: readonly Command[],
  line: string,
  features: readonly Feature[] = [],
): string {
  const word = wordOf(line);
  const off = offCommand(features, word);
  if (off !== undefined) return off;
  const near = suggest(
    word,
    commands.map(({ name }) => name),
  );
  const hint = near === undefined ? "/help lists them" : `did you mean /${near}?`;
  return `There is no command /${word}; ${hint}`;
}

/** The name that a line calls, of a command or not. */
export function wordOf(line: string): string {
  return line.trim().slice(1).split(/\s/)[0] ?? "";
}
