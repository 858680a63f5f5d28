// The bash tool: one command in a shell that goes on, its output, its exit code.

import { defineTool, textOutput, ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import type { CommandPlace } from "@tau/host/shell/shell-driver";
import {
  boolean,
  description,
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
import type { CommandParams } from "./assess-command.ts";
import { COLLECTED_LIMITS } from "./collect-output.ts";
import { JudgedCommands } from "./judged-commands.ts";
import { CommandPreparer } from "./prepare-command.ts";
import { backgroundAfterMs, runOrLeave, startJob } from "./run-as-job.ts";
import { runCommand, withFailure, type FinishedCommand } from "./run-command.ts";
import prompt from "./prompt.md" with { type: "text" };
import { statIfThere } from "../../resources/stat-if-there.ts";

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 3600;

const entries = {
  command: pipe(string(), nonEmpty(), description("The command line")),
  timeout: optional(
    pipe(
      number(),
      description(`Seconds, up to ${MAX_TIMEOUT_S}; ${DEFAULT_TIMEOUT_S} if not given`),
    ),
  ),
  cwd: optional(pipe(string(), description("Directory for this command only"))),
  env: optional(
    pipe(
      record(pipe(string(), regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not a variable name")), string()),
      description("Variables for this command only"),
    ),
  ),
  pty: optional(
    pipe(
      boolean(),
      description("In a terminal that the user sees and types into, if there is one"),
    ),
  ),
};

/** What the description says of it, for sessions that have jobs. */
const HOW_TO_LEAVE = ": leave servers and watchers running with `async`";

const parameters = strictObject(entries);

const withJobs = strictObject({
  ...entries,
  async: optional(pipe(boolean(), description("Leave it running as a job and go on"))),
});

export function createBashTool(workspace: Workspace): Tool {
  const { settings: jobSettings } = workspace.jobs;
  const judged = new JudgedCommands(workspace);
  const preparer = new CommandPreparer(workspace);
  return defineTool({
    name: "bash",
    description: jobSettings.enabled ? prompt.trim() : prompt.trim().replace(HOW_TO_LEAVE, ""),
    parameters: jobSettings.enabled ? withJobs : parameters,
    tier: "exec",
    concurrency: "shared",
    limits: COLLECTED_LIMITS,
    assess: (params) => judged.assess(params as CommandParams),
    async execute(params, { signal, update }) {
      const isForTerminal = params.pty && !("async" in params && params.async);
      const { timeout: wished = isForTerminal ? MAX_TIMEOUT_S : DEFAULT_TIMEOUT_S } = params;
      const timeout = Math.min(Math.max(wished, 1), MAX_TIMEOUT_S);
      const place = await placeOf(workspace, params);
      const prepared = await preparer.prepare(params.command);
      const begin = (directory: string): Promise<void> => judged.begin(params, directory);
      const wanted = { ...place, ...prepared, timeoutMs: timeout * 1000, begin };
      if ("async" in params && params.async) return startJob(workspace, wanted);
      if (isForTerminal) {
        const { runForPerson } = await import("./run-in-terminal.ts");
        return output(await runForPerson(workspace, wanted, { signal, update }));
      }
      const after = backgroundAfterMs(workspace, wanted.timeoutMs);
      const finished =
        after === undefined
          ? await runCommand(workspace, wanted, { signal, update })
          : await runOrLeave(workspace, wanted, { signal, update, afterMs: after });
      return "started" in finished ? finished.started : output(finished);
    },
  });
}

function output({ text, failure, details }: FinishedCommand): ToolOutput {
  const { artifactId } = details;
  if (failure === undefined) {
    const whole = artifactId === undefined ? {} : { artifactId };
    return { ...textOutput(text || "(no output)", details), ...whole };
  }
  const content = [{ type: "text" as const, text: withFailure(text, failure) }];
  throw new ToolError(failure, content, artifactId, details);
}

async function placeOf(
  workspace: Workspace,
  { cwd, env }: { cwd?: string | undefined; env?: Record<string, string> | undefined },
): Promise<CommandPlace> {
  return {
    cwd: cwd === undefined ? undefined : await existing(workspace, cwd),
    env,
  };
}

async function existing(workspace: Workspace, cwd: string): Promise<string> {
  const path = workspace.files.resolve(cwd);
  const found = await statIfThere(path);
  if (!found) throw new ToolError(`The directory ${cwd} does not exist.`);
  if (!found.isDirectory()) throw new ToolError(`${cwd} is a file, not a directory.`);
  return path;
}
