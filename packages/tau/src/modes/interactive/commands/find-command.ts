// From a line that begins with a slash to what it does.

import { suggest } from "../../../base/suggest.ts";
import { UserError } from "../../../user-error.ts";
import type { Feature } from "../../../feature-api/feature.ts";
import { offCommand } from "../../off-command.ts";
import type { AppContext } from "../app-context.ts";
import { UserBlock } from "../blocks/user-block.ts";
import type { AppCommand } from "./app-command.ts";

export interface CalledCommand {
  command: AppCommand;
  argument: string;
}

const LINE = /^\/([\w:.-]*)(?:\s+([\s\S]*))?$/;

export function findCommand(
  commands: readonly AppCommand[],
  line: string,
): CalledCommand | undefined {
  const match = LINE.exec(line.trim());
  if (!match) return undefined;
  const [, name = "", argument = ""] = match;
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name) === true);
  return command && { command, argument: argument.trim() };
}

/** A path is no mistyped command: `/etc/hosts` goes to the model as it is. */
export function looksLikeCommand(line: string): boolean {
  return /^\/[\w:.-]*(?:\s|$)/.test(line);
}

/** `features`: those of the session, whether they are on or not. */
export function unknownCommand(
  commands: readonly AppCommand[],
  line: string,
  features: readonly Feature[] = [],
): string {
  const [word = ""] = line.slice(1).split(/\s+/);
  const off = offCommand(features, word);
  if (off !== undefined) return off;
  const near = suggest(
    word,
    commands.map(({ name }) => name),
  );
  const hint = near === undefined ? "/help lists them" : `did you mean /${near}?`;
  return `There is no command /${word}; ${hint}`;
}

export async function runCommand(app: AppContext, called: CalledCommand): Promise<void> {
  const { surface, active } = app;
  const { command, argument } = called;
  try {
    if (command.when !== "any" && active.session.isBusy) {
      throw new UserError(`/${command.name} works once the answer is done; Esc interrupts it`);
    }
    const said = await command.run(app, argument);
    if (said === undefined || said === "") return;
    echo(app, called);
    surface.note(said);
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    echo(app, called);
    surface.note(error.message, "error");
  }
}

/** What is answered is shown, as what was said to the model is. */
function echo({ surface }: AppContext, { command, argument }: CalledCommand): void {
  const text = `/${command.name} ${argument}`.trim();
  surface.append(new UserBlock({ text, theme: surface.theme, signToken: "muted" }));
}

/** Refusals that say themselves what to do. */
function isExpected(error: Error): boolean {
  return (
    error instanceof UserError ||
    ["ChangeRefused", "OperationRefused", "SessionBusy", "SessionLocked", "NotASession"].includes(
      error.name,
    ) ||
    error.name === "StorageError"
  );
}
