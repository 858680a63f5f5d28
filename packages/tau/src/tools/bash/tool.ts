// The bash tool: one command in a shell that goes on, its output, its exit code.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { ShellStartError, type RunOptions, type ShellResult } from "@tau/host/shell/shell-session";
import { stat } from "node:fs/promises";
import {
  description,
  maxValue,
  minValue,
  nonEmpty,
  number,
  optional,
  pipe,
  record,
  regex,
  strictObject,
  string,
} from "valibot";
import type { Workspace } from "../workspace.ts";
import { OutputCollector, type CollectedOutput } from "./collect-output.ts";
import prompt from "./prompt.md" with { type: "text" };

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3600;

const parameters = strictObject({
  command: pipe(string(), nonEmpty(), description("The command line")),
  timeout: optional(
    pipe(
      number(),
      minValue(1),
      maxValue(MAX_TIMEOUT_S),
      description(`Seconds; ${DEFAULT_TIMEOUT_S}`),
    ),
  ),
  cwd: optional(pipe(string(), description("Directory for this command only"))),
  env: optional(
    pipe(
      record(pipe(string(), regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "no name of a variable")), string()),
      description("Variables for this command only"),
    ),
  ),
});

export function createBashTool(workspace: Workspace): Tool {
  return defineTool({
    name: "bash",
    description: prompt.trim(),
    parameters,
    tier: "exec",
    concurrency: "shared",
    async execute({ command, timeout = DEFAULT_TIMEOUT_S, cwd, env }, { signal, update }) {
      const collector = new OutputCollector({ artifacts: workspace.artifacts, update });
      const result = await run(workspace, command, {
        signal,
        timeoutMs: timeout * 1000,
        onOutput: collector.push,
        ...(cwd === undefined ? {} : { cwd: await existing(workspace, cwd) }),
        ...(env === undefined ? {} : { env }),
      });
      const output = await collector.finish();
      const { exitCode, signal: killedBy } = result;
      const { artifactId } = output;
      const details = {
        exitCode,
        signal: killedBy,
        cwd: result.cwd,
        ...(artifactId === undefined ? {} : { artifactId }),
      };
      const failure = failureOf(result, timeout);
      const text = textFor(output);
      if (failure === undefined) return textOutput(text || "(no output)", details);
      throw new ToolError(failure, [
        { type: "text", text: [text, `[${failure}]`].filter(Boolean).join("\n") },
      ]);
    },
  });
}

async function run(
  workspace: Workspace,
  command: string,
  options: RunOptions,
): Promise<ShellResult> {
  try {
    return await (await workspace.shells()).run(command, options);
  } catch (error) {
    if (error instanceof ShellStartError) {
      throw new ToolError(`bash did not start: ${error.message}`);
    }
    throw error;
  }
}

async function existing(workspace: Workspace, cwd: string): Promise<string> {
  const path = workspace.resolve(cwd);
  const found = await stat(path).catch((error: unknown) => {
    if (typeof (error as { code?: unknown }).code === "string") return undefined;
    throw error;
  });
  if (!found) throw new ToolError(`The directory ${cwd} does not exist.`);
  if (!found.isDirectory()) throw new ToolError(`${cwd} is a file, not a directory.`);
  return path;
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
