// A command that the user runs, with `!` in front of it: in the agent's own shell, so that both are
// in one place, and as it is written. Nothing is intercepted, shortened or asked about.

import type { Workspace } from "../workspace.ts";
import { noteUserCommand } from "./assess-command.ts";
import { artifactNote, OutputCollector } from "./collect-output.ts";
import { redactingStream, refuse } from "./run-command.ts";

export interface UserCommandWatch {
  /** Ends the command and what it started; the shell goes on. */
  signal: AbortSignal;
  /** What is new, without control sequences; of a flood the latest. */
  onOutput: (text: string) => void;
  /** Whether the model gets to see what comes out. */
  isTold: boolean;
}

export interface UserCommandResult {
  /** All of it, or where that is too much both ends. */
  text: string;
  /** Null where a signal ended it. */
  exitCode: number | null;
  signal?: string;
  isAborted: boolean;
  truncated: boolean;
  /** Where all of it is, if the text is not all of it. */
  artifactId?: string;
  /** Of the artifact, where it has not all of the output. */
  keptBytes?: number;
}

const STOPPED = { exitCode: null, signal: null, end: "aborted" } as const;

/** Throws a `ToolError` where no shell could be started. */
export async function runUserCommand(
  workspace: Workspace,
  command: string,
  { signal, onOutput, isTold }: UserCommandWatch,
): Promise<UserCommandResult> {
  const { artifacts } = workspace;
  const collector = new OutputCollector({ tool: "bash", artifacts, update: onOutput });
  const redacting = await redactingStream(workspace);
  const push = redacting
    ? (bytes: Buffer) => collector.push(redacting.push(bytes))
    : collector.push;
  workspace.shells.memory.note(command);
  if (isTold) await noteUserCommand(workspace, command);
  const shells = await workspace.shells.open().catch(refuse);
  const result = await shells
    .run(command, { signal, onOutput: push })
    // Stopped before it began.
    .catch((error: unknown) => (signal.aborted ? STOPPED : refuse(error)));
  if (redacting) await collector.push(redacting.end());
  const { text, isCut, artifactId, keptBytes } = await collector.finish();
  return {
    text: text.replace(/\n+$/, ""),
    exitCode: result.exitCode,
    isAborted: result.end === "aborted",
    truncated: isCut,
    signal: result.signal === null ? undefined : result.signal,
    artifactId,
    keptBytes,
  };
}

/** How it ended, in words; undefined where it ended well. */
export function userCommandEnding(result: UserCommandResult): string | undefined {
  if (result.isAborted) return "stopped by the user";
  if (result.signal !== undefined) return `killed by ${result.signal}`;
  return result.exitCode === 0 ? undefined : `exit code ${result.exitCode}`;
}

/** What the model is told of it: what was run and what was to be seen. */
export function userCommandMessage(command: string, result: UserCommandResult): string {
  const ending = userCommandEnding(result);
  return [
    "[the user ran this in your shell]",
    `$ ${command}`,
    result.text || "(no output)",
    artifactNote(result),
    ending === undefined ? "" : `[${ending}]`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** `!command`, or `!!command` for what the model is not to know; undefined for everything else. */
export function parseUserCommand(line: string): { command: string; isTold: boolean } | undefined {
  const match = /^\s*(!!?)\s*(\S[\s\S]*)$/.exec(line);
  return match ? { command: match[2]!.trimEnd(), isTold: match[1] === "!" } : undefined;
}
