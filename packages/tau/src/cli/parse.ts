// argv → one row of the command table and its arguments, or one sentence on what is wrong.

import { COMMAND } from "../brand.ts";
import { UsageError, usageLine } from "../user-error.ts";
import { COMMANDS, findCommand, GLOBAL_FLAGS, RUN_COMMAND } from "./command-table.ts";
import type { Subcommand, FlagRow, ParsedArgs } from "../feature-api/subcommand.ts";
import { suggest } from "../base/suggest.ts";

/** Of the run itself: an extension may know it. */
export class UnknownFlag extends UsageError {}

export interface ParsedLine {
  command: Subcommand;
  args: ParsedArgs;
}

/** `commands`: those that the first word may name. */
export function parseCommandLine(
  argv: readonly string[],
  commands: readonly Subcommand[] = COMMANDS,
  ofExtensions: readonly FlagRow[] = [],
): ParsedLine {
  const named = argv[0] === undefined ? undefined : findCommand(argv[0], commands);
  const command = named ?? RUN_COMMAND;
  const more = named ? [] : ofExtensions;
  const args = new ArgumentReader(command, more).read(named ? argv.slice(1) : argv);
  if (!named && args.positionals.length === 1) refuseMistypedCommand(argv, commands);
  return { command, args };
}

/**
 * A prompt may be any words, so only a lone word that is one slip away from a command
 * is taken for a typing error. Quoting does not show here; `--` does.
 */
function refuseMistypedCommand(argv: readonly string[], commands: readonly Subcommand[]): void {
  const [word] = argv;
  if (argv.length !== 1 || word === undefined || !/^[a-z-]+$/.test(word)) return;
  const near = suggest(
    word,
    commands.map((command) => command.name),
  );
  if (near !== undefined) {
    throw new UsageError(
      `unknown command "${word}"; did you mean "${near}"? To send it as a prompt: ${COMMAND} -- ${word}`,
      usageLine(RUN_COMMAND),
    );
  }
}

class ArgumentReader {
  #command: Subcommand;
  #flags: readonly FlagRow[];
  #values: Record<string, string | true> = {};
  #repeated: Record<string, string[]> = {};
  #positionals: string[] = [];

  constructor(command: Subcommand, more: readonly FlagRow[]) {
    this.#command = command;
    this.#flags = [...command.flags, ...GLOBAL_FLAGS, ...more];
  }

  read(argv: readonly string[]): ParsedArgs {
    const rest = [...argv];
    for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
      if (arg === "--") {
        this.#positionals.push(...rest);
        break;
      }
      if (arg.startsWith("--")) this.#long(arg.slice(2), rest);
      else if (this.#isShort(arg)) this.#short(arg.slice(1), rest);
      else this.#positionals.push(arg);
    }
    const hasRepeated = Object.keys(this.#repeated).length > 0;
    const repeated = hasRepeated ? this.#repeated : undefined;
    return { flags: this.#values, repeated, positionals: this.#positionals };
  }

  /** A setting may be a number below 0; a digit is a flag only where the command has it. */
  #isShort(arg: string): boolean {
    if (!arg.startsWith("-") || arg.length === 1) return false;
    return !/^-[\d.]/.test(arg) || this.#flags.some(({ short }) => short === arg[1]);
  }

  #long(text: string, rest: string[]): void {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const flag = this.#flags.find((row) => row.name === name);
    if (!flag) throw this.#unknown(`--${name}`);
    const inline = equals < 0 ? undefined : text.slice(equals + 1);
    if (flag.value === undefined && inline !== undefined) {
      throw this.#wrong(`--${name} takes no value`);
    }
    this.#set(flag, inline, rest);
  }

  /** `-pq` is `-p -q`; the value of a short flag is the rest of its word, or the next word. */
  #short(letters: string, rest: string[]): void {
    for (let at = 0; at < letters.length; at++) {
      const flag = this.#flags.find((row) => row.short === letters[at]);
      if (!flag) throw this.#unknown(letters.length > 1 ? `-${letters}` : `-${letters[at]}`);
      if (flag.value !== undefined) {
        const inline = letters.slice(at + 1);
        this.#set(flag, inline === "" ? undefined : inline.replace(/^=/, ""), rest);
        return;
      }
      this.#set(flag, undefined, rest);
    }
  }

  #set(flag: FlagRow, inline: string | undefined, rest: string[]): void {
    if (flag.value === undefined) {
      this.#values[flag.name] = true;
      return;
    }
    const value = inline ?? rest.shift();
    if (value === undefined || (inline === undefined && value === "--")) {
      throw this.#wrong(`--${flag.name} needs a value: --${flag.name} <${flag.value}>`);
    }
    if (flag.choices && !flag.choices.includes(value)) {
      throw this.#wrong(`--${flag.name} takes one of ${flag.choices.join(", ")}, not "${value}"`);
    }
    this.#values[flag.name] = value;
    if (flag.repeats) (this.#repeated[flag.name] ??= []).push(value);
  }

  #unknown(shown: string): UsageError {
    const near = suggest(
      shown,
      this.#flags.map((row) => `--${row.name}`),
    );
    const message = `unknown flag "${shown}"${near ? `; did you mean "${near}"?` : ""}`;
    if (this.#command !== RUN_COMMAND) return this.#wrong(message);
    return new UnknownFlag(message, usageLine(this.#command));
  }

  #wrong(message: string): UsageError {
    return new UsageError(message, usageLine(this.#command));
  }
}
