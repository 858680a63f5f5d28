// Commands that go on behind the conversation: those that were meant to, and those that turned
// out to take longer than anyone wants to wait.

import { textOutput, ToolError, type ToolOutput } from "@tau/agent/tool";
import { JobFailed, type JobContext } from "../../jobs/job.ts";
import { TooManyJobs } from "../../jobs/job-manager.ts";
import type { Workspace } from "../workspace.ts";
import {
  runCommand,
  withFailure,
  type FinishedCommand,
  type WantedCommand,
} from "./run-command.ts";

const LABEL_CHARACTERS = 60;
/** Of what was printed before it became a job: more than anybody is shown of a job. */
const MAX_SEEN_CHARACTERS = 4096;
/** Before its time is over a command is worth leaving; after it there is nothing to leave. */
const LEAST_LEFT_MS = 1000;

export function startJob(workspace: Workspace, wanted: WantedCommand): ToolOutput {
  return begin(workspace, wanted.command, ({ signal, printed }) =>
    runCommand(workspace, wanted, { signal, update: printed, aside: AbortSignal.abort() }),
  );
}

/** Undefined where commands are waited for to their end. */
export function backgroundAfterMs(
  { shells, jobs }: Workspace,
  timeoutMs: number,
): number | undefined {
  if (!jobs.settings.enabled || !shells.settings["autoBackground.enabled"]) return undefined;
  return Math.min(shells.settings["autoBackground.thresholdMs"], timeoutMs - LEAST_LEFT_MS);
}

/** Waits for a while; what is not done by then becomes a job, with nothing of it lost. */
export async function runOrLeave(
  workspace: Workspace,
  wanted: WantedCommand,
  options: { signal: AbortSignal; update: (text: string) => void; afterMs: number },
): Promise<FinishedCommand | { started: ToolOutput }> {
  const own = new AbortController();
  const onAbort = (): void => own.abort();
  options.signal.addEventListener("abort", onAbort, { once: true });
  let seen = "";
  let told = options.update;
  const update = (text: string): void => {
    seen = (seen + text).slice(-MAX_SEEN_CHARACTERS);
    told(text);
  };
  const leaving = new AbortController();
  const watch = { signal: own.signal, update, aside: leaving.signal };
  const running = runCommand(workspace, wanted, watch);
  // Its failure is for whoever awaits it, here or as a job.
  running.catch(() => {});
  const timer = Promise.withResolvers<"late">();
  const timeout = setTimeout(() => timer.resolve("late"), options.afterMs);
  try {
    const first = await Promise.race([running, timer.promise]);
    if (first !== "late") return first;
    // It is running already: where no job may be had, it is waited for after all.
    if (!workspace.jobs.hasRoom) return await running;
  } finally {
    clearTimeout(timeout);
    options.signal.removeEventListener("abort", onAbort);
  }
  leaving.abort();
  const started = begin(workspace, wanted.command, ({ signal, printed }) => {
    printed(seen);
    told = printed;
    signal.addEventListener("abort", () => own.abort(), { once: true });
    return running;
  });
  return { started };
}

function begin(
  workspace: Workspace,
  command: string,
  work: (context: JobContext) => Promise<FinishedCommand>,
): ToolOutput {
  try {
    const job = workspace.jobs.start("bash", labelOf(command), async (context) => {
      const { text, failure } = await work(context).catch(failJob);
      if (failure !== undefined) throw new JobFailed(withFailure(text, failure));
      return text || "(no output)";
    });
    const text = `It continues as job ${job.id}. You will be told when it ends; do something else meanwhile, or wait with the job tool.`;
    return textOutput(text, { jobId: job.id });
  } catch (error) {
    if (error instanceof TooManyJobs) throw new ToolError(error.message);
    throw error;
  }
}

/** What kept it from running is how the job ended. */
function failJob(error: unknown): never {
  throw error instanceof ToolError ? new JobFailed(error.message) : error;
}

function labelOf(command: string): string {
  const line = command.trim().split("\n")[0]!;
  return line.length > LABEL_CHARACTERS ? `${line.slice(0, LABEL_CHARACTERS - 1)}…` : line;
}
