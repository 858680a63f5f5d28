// `!command`: a command of the user's own in the agent's shell. What came out is shown as it
// comes, and told to the model with the next prompt; `!!` keeps it between the user and the shell.
// A program that wants a person gets a terminal.

import type { Answer } from "@tau/agent/hook-points";
import { userText } from "@tau/ai/message";
import { ToolError } from "@tau/agent/tool";
import type { LinePlace } from "../../feature-api/own-line.ts";
import { beginOwnRun, ranInstead, type OwnRunReport } from "../../session/own-run.ts";
import { noteUserCommand } from "./assess-command.ts";
import {
  parseUserCommand,
  runUserCommand,
  userCommandEnding,
  userCommandMessage,
} from "./user-command.ts";
import { UserError } from "../../user-error.ts";
import { WORKSPACE, type Workspace } from "../workspace.ts";
import { wantsTerminal } from "./interactive-programs.ts";

const SENDER = "shell";
/** A person ends what takes too long; this is only for one who has gone. */
const TERMINAL_TIMEOUT_MS = 24 * 60 * 60 * 1000;

export async function runShellLine({ session, signal }: LinePlace, line: string): Promise<void> {
  const parsed = parseUserCommand(line);
  if (!parsed) throw new UserError("put a command behind the !, as in: !git status");
  const { command, isTold } = parsed;
  const workspace = session.parts.need(WORKSPACE);
  const what = { sign: isTold ? "!" : "!!", tool: "bash", arguments: { command }, isTold };
  const report = beginOwnRun(session, what);
  const own = { command, isTold };
  const instead = await ranInstead(session, { tool: "bash", text: command, isTold }, signal);
  const told = instead
    ? asRun(command, instead, report)
    : wantsTerminal(command)
      ? await inTerminal(workspace, own, report, signal)
      : await inShell(workspace, own, report, signal);
  if (!isTold) return;
  const message = userText(session.hide(told), report.toldAt);
  await session.addToNext(message, { sender: SENDER });
}

/** Somebody else has run it. */
function asRun(
  command: string,
  { output, exitCode }: Answer<"own_run">,
  report: OwnRunReport,
): string {
  const result = { text: output, exitCode, isAborted: false, truncated: false };
  const isError = userCommandEnding(result) !== undefined;
  report.ended({ content: [{ type: "text", text: output }], isError, exitCode });
  return userCommandMessage(command, result);
}

interface OwnCommand {
  command: string;
  isTold: boolean;
}

/** What the model is told of it. */
async function inShell(
  workspace: Workspace,
  { command, isTold }: OwnCommand,
  report: OwnRunReport,
  signal: AbortSignal,
): Promise<string> {
  const result = await runUserCommand(workspace, command, {
    signal,
    onOutput: (text) => report.printed(text),
    isTold,
  }).catch((error: unknown) => {
    if (error instanceof ToolError) {
      return { text: error.message, exitCode: 1, isAborted: false, truncated: false };
    }
    report.ended({ content: [], isError: true });
    throw error;
  });
  const ending = userCommandEnding(result);
  const text = [result.text, ending === undefined ? "" : `[${ending}]`].filter(Boolean).join("\n");
  const { exitCode, artifactId } = result as { exitCode: number | null; artifactId?: string };
  const content = [{ type: "text" as const, text }];
  report.ended({ content, isError: ending !== undefined, exitCode, artifactId });
  return userCommandMessage(command, result);
}

async function inTerminal(
  workspace: Workspace,
  { command, isTold }: OwnCommand,
  report: OwnRunReport,
  signal: AbortSignal,
): Promise<string> {
  const { runForPerson } = await import("./run-in-terminal.ts");
  if (isTold) await noteUserCommand(workspace, command);
  const wanted = { command, timeoutMs: TERMINAL_TIMEOUT_MS };
  const watch = { signal, update: () => {} };
  const done = await runForPerson(workspace, wanted, watch).catch((error: unknown) => {
    report.ended({ content: [], isError: true });
    throw error;
  });
  const { exitCode, signal: killedBy } = done.details;
  const text = done.failure === undefined ? "" : `[${done.failure}]`;
  const content = [{ type: "text" as const, text }];
  report.ended({ content, isError: done.failure !== undefined, exitCode });
  return userCommandMessage(command, {
    text: done.text,
    exitCode,
    isAborted: signal.aborted,
    truncated: false,
    signal: killedBy ?? undefined,
  });
}
