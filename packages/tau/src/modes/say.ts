// A prompt that comes from elsewhere than the keyboard: of print mode, or of a program at the other end
// of a pipe. One that begins with a slash may be a command, as in the terminal.

import type { SaidMessage } from "@tau/agent/mail";
import type { ActiveEnd, ActiveSession } from "../assembly/active-session.ts";
import type { PromptOptions } from "../session/session.ts";

/** A `UserError` if it calls a command that does not exist, or cannot be run here. */
export async function say(
  active: ActiveSession,
  message: SaidMessage,
  options: PromptOptions = {},
): Promise<ActiveEnd> {
  if (await wasCommand(active, message)) return { reason: "consumed" };
  return active.prompt(message, options);
}

/** Runs it if it is a command. */
export async function wasCommand(active: ActiveSession, message: SaidMessage): Promise<boolean> {
  const [first] = message.content;
  // Nothing of commands is loaded for a prompt that cannot be one.
  if (first?.type !== "text" || !first.text.trimStart().startsWith("/")) return false;
  const { takeCommand } = await import("./commands/take-command.ts");
  return (await takeCommand({ active, by: "anyone" }, first.text)) === "taken";
}
