// One command to its end: its output within bounds, how it ended, and where the shell is now.

import { ToolError } from "@tau/agent/tool";
import type { CommandPlace } from "@tau/host/shell/shell-driver";
import { ShellStartError, type ShellResult } from "@tau/host/shell/shell-session";
import { UserError } from "../../user-error.ts";
import type { Workspace } from "../workspace.ts";
import { artifactNote, OutputCollector, type CollectedOutput } from "./collect-output.ts";

export interface WantedCommand extends CommandPlace {
  command: string;
  /** What was done to it, for the model. */
  notes?: readonly string[];
  timeoutMs: number;
  /** Heard when it has its shell, with the directory that it runs in; a rejection keeps it from running. */
  begin?: (directory: string) => Promise<void>;
}

export interface FinishedCommand {
  text: string;
  /** In words; undefined where it ended well. */
  failure: string | undefined;
  details: {
    exitCode: number | null;
    signal: string | null;
    cwd: string;
    artifactId?: string;
  };
}

export interface CommandWatch {
  signal: AbortSignal;
  update: (text: string) => void;
  /** From when it aborts the command goes on beside those that follow it. */
  aside?: AbortSignal;
}

/** Throws a `ToolError` where no shell could be started. */
export async function runCommand(
  workspace: Workspace,
  { command, timeoutMs, notes = [], ...place }: WantedCommand,
  { signal, update, aside }: CommandWatch,
): Promise<FinishedCommand> {
  const collector = new OutputCollector({ tool: "bash", artifacts: workspace.artifacts, update });
  const redacting = await redactingStream(workspace);
  const onOutput = redacting
    ? (bytes: Buffer) => collector.push(redacting.push(bytes))
    : collector.push;
  const options = { ...place, signal, timeoutMs, onOutput, aside };
  const before = await workspace.shells.directory();
  const result = await workspace.shells
    .open()
    .then((shells) => shells.run(command, options))
    .catch(refuse);
  if (redacting) await collector.push(redacting.end());
  const output = await collector.finish();
  const short = await shorter(workspace, command, output);
  const { artifactId } = short;
  const failure = failureOf(result, timeoutMs / 1000);
  if (failure !== undefined) workspace.confinement?.noteFailure(result.missedNetwork);
  const own = [
    workspace.confinement?.takeNote(),
    workspace.shells.takeNote(),
    workspace.shells.takeRcNote(),
  ];
  const moved = await movedNote(workspace, before);
  const said = [...notes, ...own].filter((note) => note !== undefined);
  return {
    text: [...said.map((note) => `[${note}]`), textFor(short), endedNote(result, workspace), moved]
      .filter(Boolean)
      .join("\n"),
    failure,
    details: {
      exitCode: result.exitCode,
      signal: result.signal,
      cwd: result.cwd,
      artifactId,
    },
  };
}

/** A server that is asked next would not answer, and nothing would say why. */
function endedNote({ endedWith = [] }: ShellResult, { jobs }: Workspace): string {
  if (endedWith.length === 0) return "";
  const named = endedWith.slice(0, NAMED_PROCESSES);
  const names = named.map(({ pid, name }) => (name === undefined ? `${pid}` : `${pid} ${name}`));
  if (named.length < endedWith.length) names.push(`${endedWith.length - named.length} more`);
  const how = jobs.settings.enabled ? "; async keeps a process running" : "";
  return `[ended with the call: ${names.join(", ")}${how}]`;
}

/** More are parts of the same. */
const NAMED_PROCESSES = 4;

/** Other tools stay in the session's directory: whoever moves the shell is told. */
async function movedNote({ shells, files }: Workspace, before: string): Promise<string> {
  const now = await shells.directory();
  if (now === before) return "";
  const shown = files.shown(now);
  return `[now in ${shown === "." ? "the project's directory" : shown.replace(/\/?$/, "/")}]`;
}

/** For what kept a command from running at all. */
export function refuse(error: unknown): never {
  if (error instanceof ShellStartError) {
    throw new ToolError(`bash did not start: ${error.message}`);
  }
  // A sandbox is wanted and cannot be had: nothing runs without it.
  if (error instanceof UserError) throw new ToolError(`Not run: ${error.message}`);
  throw error;
}

export async function redactingStream({ redactor }: Workspace) {
  if (!redactor) return undefined;
  const { RedactingStream } = await import("../../base/redacting-stream.ts");
  return new RedactingStream(redactor);
}

/** Without what only tells of progress; the raw output is kept. */
async function shorter(
  workspace: Workspace,
  command: string,
  output: CollectedOutput,
): Promise<CollectedOutput> {
  if (!workspace.shells.settings.minimizeOutput) return output;
  const { minimizeOutput } = await import("./minimize-output.ts");
  const text = minimizeOutput(command, output.text);
  if (text === undefined) return output;
  if (output.artifactId !== undefined) return { ...output, text };
  const kept = await (await workspace.artifacts()).write("bash", output.text);
  // Where the raw output cannot be kept, nothing is left out.
  return kept.ok ? { ...output, text, artifactId: kept.id } : output;
}

export function withFailure(text: string, failure: string): string {
  return [text, `[${failure}]`].filter(Boolean).join("\n");
}

export function textFor(output: CollectedOutput): string {
  return [output.text.replace(/\n+$/, ""), artifactNote(output)].filter(Boolean).join("\n");
}

const DEAF =
  "the shell carried out no commands any more, perhaps because of a DEBUG trap, and was started anew: it is as it was before this command";

function failureOf(result: ShellResult, timeoutSeconds: number): string | undefined {
  if (result.end === "aborted") return "aborted";
  if (result.end === "timeout") return `timed out after ${timeoutSeconds} s`;
  if (result.end === "deaf") return DEAF;
  if (result.signal !== null) return `killed by ${result.signal}`;
  return result.exitCode === 0 ? undefined : `exit code ${result.exitCode}`;
}
