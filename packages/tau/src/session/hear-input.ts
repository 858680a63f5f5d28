// What the user says, before it is written down anywhere: the handlers of `input` hide secrets in it,
// fill in commands, or take it for themselves. A message into a running turn is the user's as much as
// a prompt is.

import { HookCalls } from "@tau/agent/hook-calls";
import type { Hooks } from "@tau/agent/hooks";
import type { SaidMessage } from "@tau/agent/mail";
import type { Mailbox, PostOptions } from "@tau/agent/mailbox";
import { textOf } from "@tau/ai/message";
import type { Session } from "./session.ts";
import { runAsCommand } from "./session-command.ts";
import type { SessionEvent } from "./session-event.ts";

export interface InputPorts {
  hooks: Hooks;
  emit: (event: SessionEvent) => void;
  mailbox: Mailbox;
}

/** Undefined where a handler consumed it. */
export async function hearInput(
  { hooks, emit, mailbox }: InputPorts,
  message: SaidMessage,
  { source = "user", signal }: { source?: string | undefined; signal: AbortSignal },
): Promise<SaidMessage | undefined> {
  const calls = new HookCalls(hooks, { signal, emit });
  const heard = calls.has("input") ? await calls.input(message, source) : message;
  // Whoever says something goes on with what they had said before.
  if (heard) mailbox.letGo();
  return heard;
}

/**
 * Only the user's words are heard: what other parts of Tau post is their own. Secrets are in neither:
 * a command that the user ran, or code, has them too.
 */
export async function postHeard(
  session: Session,
  message: SaidMessage,
  { typed: words, ...options }: PostOptions & { typed?: string | undefined },
): Promise<string | undefined> {
  const { mailbox, hide } = session;
  const { sender = "user" } = options;
  const { signal } = new AbortController();
  if (sender === "user" && (await runAsCommand(session, message))) return undefined;
  const heard = sender === "user" ? await hearInput(session, message, { signal }) : hide(message);
  if (!heard) return undefined;
  if (sender === "user") session.typed.note(heard, words ?? textOf(message));
  return mailbox.post(heard, { isDurable: true, ...options });
}
