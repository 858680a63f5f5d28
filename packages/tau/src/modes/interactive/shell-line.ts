// `!command`: a command of the user's own in the agent's shell. What came out is shown as it
// comes, and told to the model with the next prompt; `!!` keeps it between the user and the shell.
// A program that wants a person gets a terminal.

import { userText, type ToolCallBlock } from "@tau/ai/message";
import { ToolError } from "@tau/agent/tool";
import {
  parseUserCommand,
  runUserCommand,
  userCommandEnding,
  userCommandMessage,
} from "../../tools/bash/user-command.ts";
import { UserError } from "../../user-error.ts";
import type { AppContext } from "./app-context.ts";
import { makeCall } from "./blocks/make-block.ts";
import type { ToolBlock } from "./blocks/tool-block.ts";
import { wantsTerminal } from "./interactive-programs.ts";

const SENDER = "shell";
/** A person ends what takes too long; this is only for one who has gone. */
const TERMINAL_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export async function runShellLine(app: AppContext, line: string): Promise<void> {
  const parsed = parseUserCommand(line);
  if (!parsed) throw new UserError("put a command behind the !, as in: !git status");
  const { command, isTold } = parsed;
  const controller = new AbortController();
  using _scope = app.cancels.push("stops the command", () => controller.abort());
  const told = wantsTerminal(command)
    ? await inTerminal(app, command, controller.signal)
    : await inShell(app, command, controller.signal);
  app.changedFiles();
  if (isTold) await tell(app, told);
}

/** What the model is told of it. */
async function inShell(app: AppContext, command: string, signal: AbortSignal): Promise<string> {
  const { surface, active } = app;
  const call = callOf(command);
  const block = blockFor(app, call);
  const result = await runUserCommand(active.workspace, command, {
    signal,
    onOutput: (text) => {
      block.update(text, "append");
      surface.requestRender();
    },
  }).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    return { text: error.message, exitCode: 1, isAborted: false, truncated: false };
  });
  const ending = userCommandEnding(result);
  const text = [result.text, ending === undefined ? "" : `[${ending}]`].filter(Boolean).join("\n");
  finish(block, call, { text, isError: ending !== undefined });
  surface.requestRender();
  return userCommandMessage(command, result);
}

async function inTerminal(app: AppContext, command: string, signal: AbortSignal): Promise<string> {
  const { runForPerson } = await import("../../tools/bash/run-in-terminal.ts");
  const call = callOf(command);
  const block = blockFor(app, call);
  const wanted = { command, timeoutMs: TERMINAL_TIMEOUT_MS };
  const done = await runForPerson(app.active.workspace, wanted, { signal, update: () => {} });
  const { exitCode, signal: killedBy } = done.details;
  const ending = done.failure === undefined ? "" : `[${done.failure}]`;
  finish(block, call, { text: ending, isError: done.failure !== undefined });
  app.surface.requestRender();
  return userCommandMessage(command, {
    text: done.text,
    exitCode,
    isAborted: signal.aborted,
    truncated: false,
    ...(killedBy === null ? {} : { signal: killedBy }),
  });
}

function callOf(command: string): ToolCallBlock {
  return { type: "toolCall", id: crypto.randomUUID(), name: "bash", arguments: { command } };
}

function blockFor(app: AppContext, call: ToolCallBlock): ToolBlock {
  const block = makeCall(app, { name: "bash", sign: "!" });
  block.start(call);
  app.surface.append(block, "call");
  return block;
}

function finish(
  block: ToolBlock,
  call: ToolCallBlock,
  { text, isError }: { text: string; isError: boolean },
): void {
  block.finish({
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text }],
    isError,
    timestamp: Date.now(),
  });
}

async function tell(app: AppContext, text: string): Promise<void> {
  const { session } = app.active;
  const told = session.hide(text);
  app.alreadyShown(told);
  await session.addToNext(userText(told), { sender: SENDER });
}
