// One command to its end: its output within bounds, how it ended, and where the shell is now.

import { ToolError } from "@tau/agent/tool";
import type { CommandPlace } from "@tau/host/shell/bash-driver";
import { ShellStartError, type ShellResult } from "@tau/host/shell/shell-session";
import type { Workspace } from "../workspace.ts";
import { OutputCollector, type CollectedOutput } from "./collect-output.ts";

export interface WantedCommand extends CommandPlace {
  command: string;
  timeoutMs: number;
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

/** Throws a `ToolError` where no shell could be started. */
export async function runCommand(
  workspace: Workspace,
  { command, timeoutMs, ...place }: WantedCommand,
  { signal, update }: { signal: AbortSignal; update: (text: string) => void },
): Promise<FinishedCommand> {
  const collector = new OutputCollector({ artifacts: workspace.artifacts, update });
  const options = { ...place, signal, timeoutMs, onOutput: collector.push };
  const result = await (await workspace.shells()).run(command, options).catch((error: unknown) => {
    if (!(error instanceof ShellStartError)) throw error;
    throw new ToolError(`bash did not start: ${error.message}`);
  });
  const output = await collector.finish();
  const { artifactId } = output;
  return {
    text: textFor(output),
    failure: failureOf(result, timeoutMs / 1000),
    details: {
      exitCode: result.exitCode,
      signal: result.signal,
      cwd: result.cwd,
      ...(artifactId === undefined ? {} : { artifactId }),
    },
  };
}

export function withFailure(text: string, failure: string): string {
  return [text, `[${failure}]`].filter(Boolean).join("\n");
}

function textFor({ text, artifactId }: CollectedOutput): string {
  const output = text.replace(/\n+$/, "");
  return artifactId === undefined
    ? output
    : `${output}\n[the whole output: artifact://${artifactId}]`;
}

function failureOf(result: ShellResult, timeoutSeconds: number): string | undefined {
  if (result.end === "aborted") return "aborted";
  if (result.end === "timeout") return `timed out after ${timeoutSeconds} s`;
  if (result.signal !== null) return `killed by ${result.signal}`;
  return result.exitCode === 0 ? undefined : `exit code ${result.exitCode}`;
}
