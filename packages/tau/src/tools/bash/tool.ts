// The bash tool: one command, its output, its exit code.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import type { Environment } from "@tau/ai/environment";
import { secretVariables } from "@tau/ai/provider-row";
import { PROVIDERS } from "@tau/ai/providers";
import type { CommandResult, RunCommandOptions } from "@tau/host/run-command";
import {
  description,
  maxValue,
  minValue,
  nonEmpty,
  number,
  optional,
  pipe,
  strictObject,
  string,
} from "valibot";
import prompt from "./prompt.md" with { type: "text" };

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3600;
/** More than the tool table lets through, so that it has both ends to choose from. */
const KEPT_OUTPUT_BYTES = 256 * 1024;

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
});

export function createBashTool(options: { cwd: string; env: Environment }): Tool {
  const env = childEnvironment(options.env);
  return defineTool({
    name: "bash",
    description: prompt.trim(),
    parameters,
    tier: "exec",
    concurrency: "exclusive",
    async execute({ command, timeout = DEFAULT_TIMEOUT_S }, { signal, update }) {
      const result = await start(command, {
        cwd: options.cwd,
        env,
        signal,
        timeoutMs: timeout * 1000,
        maxOutputBytes: KEPT_OUTPUT_BYTES,
        onOutput: update,
      });
      const details = { exitCode: result.exitCode, signal: result.signal };
      const failure = failureOf(result, timeout);
      const output = result.output.replace(/\n+$/, "");
      if (failure === undefined) return textOutput(output || "(no output)", details);
      throw new ToolError(failure, [
        { type: "text", text: [output, `[${failure}]`].filter(Boolean).join("\n") },
      ]);
    },
  });
}

async function start(command: string, options: RunCommandOptions): Promise<CommandResult> {
  const { CommandStartError, runCommand } = await import("@tau/host/run-command");
  try {
    return await runCommand(command, options);
  } catch (error) {
    if (error instanceof CommandStartError)
      throw new ToolError(`bash did not start: ${error.message}`);
    throw error;
  }
}

function failureOf(result: CommandResult, timeoutSeconds: number): string | undefined {
  if (result.end === "aborted") return "aborted";
  if (result.end === "timeout") return `timed out after ${timeoutSeconds} s`;
  if (result.signal !== null) return `killed by ${result.signal}`;
  return result.exitCode === 0 ? undefined : `exit code ${result.exitCode}`;
}

/** Tokens that the user's own tools (glab, huggingface-cli) live on as well. */
const SHARED: ReadonlySet<string> = new Set(["GITLAB_TOKEN", "HF_TOKEN", "HUGGINGFACE_HUB_TOKEN"]);

/** A command has no business with the keys that Tau talks to models with. */
function childEnvironment(env: Environment): Record<string, string | undefined> {
  const secret = new Set(PROVIDERS.flatMap(secretVariables));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !secret.has(name) || SHARED.has(name)),
  );
}
