// A command of a session's: a line that begins with a slash and is not for the model. It is defined
// once, by whoever brings it, and works on every front-end: terminal, plain lines, print mode, RPC.

import type { SaidMessage } from "@tau/agent/mail";
import { UserError } from "../user-error.ts";
import type { Session } from "./session.ts";

export interface CommandPlace {
  readonly session: Session;
  /** Has a person change a text in an editor; absent if nobody sits at a terminal. */
  editText?(text: string): Promise<string | undefined>;
}

export interface SessionCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What follows the name, for help and completion. */
  readonly argument?: string;
  readonly help: string;
  /**
   * `person`: only if somebody types it. A prompt may come from anywhere (a chat that is passed on, a
   * script's input) and must not widen what may be done.
   */
  readonly from?: "anyone" | "person";
  /** `idle`, the default: it waits until nothing runs. */
  readonly when?: "idle" | "any";
  /** It takes its time, and others tell of things meanwhile: its line stands before those. */
  readonly isLong?: true;
  /** Offers for what follows the name. */
  complete?(place: CommandPlace, typed: string): readonly string[] | Promise<readonly string[]>;
  /** What to say when it is done; a `UserError` if it cannot be done. */
  run(place: CommandPlace, argument: string): Promise<string | undefined>;
}

/** A colon for what belongs together: `/plan:approve`. */
const LINE = /^\/([\w.:-]+)(?:\s+([\s\S]*))?$/;

export interface CalledCommand {
  command: SessionCommand;
  argument: string;
}

/** Undefined if the line calls none of these. */
export function findSessionCommand(
  commands: readonly SessionCommand[],
  line: string,
): CalledCommand | undefined {
  const [, name, argument = ""] = LINE.exec(line.trim()) ?? [];
  if (name === undefined) return undefined;
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name));
  return command && { command, argument: argument.trim() };
}

/** A prompt that is a command of the session's: runs it and says what it says. False if it is not one. */
export async function runAsCommand(session: Session, message: SaidMessage): Promise<boolean> {
  const [block, ...more] = message.content;
  if (message.role !== "user" || block?.type !== "text" || more.length > 0) return false;
  const called = findSessionCommand(session.commands, block.text);
  if (!called || called.command.from === "person") return false;
  const { command, argument } = called;
  const { name, isLong } = command;
  await tellCommand({ session }, { name, line: block.text.trim(), isLong }, async () => {
    if (command.when !== "any" && session.isBusy) {
      throw new UserError(`/${name} works once the answer is done`);
    }
    return command.run({ session }, argument);
  });
  return true;
}

export interface GivenCommand extends Pick<SessionCommand, "name" | "isLong"> {
  /** As it was given. */
  line: string;
}

/**
 * Runs a command, and has the session tell its line and what it says: both are seen by everybody who
 * watches, and when the session is resumed. What leads into another session is told there.
 */
export async function tellCommand(
  place: { readonly session: Session },
  { name, line, isLong }: GivenCommand,
  run: () => Promise<string | undefined>,
): Promise<void> {
  // What it says may repeat what was hidden elsewhere: the label of a job, a value that it read.
  const begin = ({ emit, hide }: Session): void =>
    emit({ type: "command_start", name, line: hide(line) });
  const tell = (text: string, isError?: true): void => {
    const { session } = place;
    if (text !== "" && !isLong) begin(session);
    session.emit({ type: "command_output", name, text: session.hide(text), isError });
  };
  if (isLong) begin(place.session);
  try {
    tell((await run()) ?? "");
  } catch (error) {
    if (isRefusal(error)) tell(error.message, true);
    throw error;
  }
}

/** Of modules that are loaded only when they are needed. */
const REFUSALS: ReadonlySet<string> = new Set([
  "ChangeRefused",
  "OperationRefused",
  "SessionBusy",
  "SessionLocked",
  "NotASession",
  "StorageError",
]);

/** Failures that say themselves what to do. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof UserError || (error instanceof Error && REFUSALS.has(error.name));
}
