// The job tool: waits for background work, ends it, or looks what there is.

import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { array, boolean, optional, strictObject, string } from "valibot";
import type { JobSnapshot } from "../../jobs/job.ts";
import type { CancelOutcome, JobManager } from "../../jobs/job-manager.ts";
import { outputTail } from "./output-tail.ts";
import prompt from "./prompt.md" with { type: "text" };

const PROGRESS_MS = 500;

const parameters = strictObject({
  poll: optional(array(string())),
  cancel: optional(array(string())),
  list: optional(boolean()),
});

export function createJobTool(jobs: JobManager, options: { pollWaitMs: number }): Tool {
  return defineTool({
    name: "job",
    description: prompt.trim(),
    parameters,
    tier: "read",
    concurrency: "shared",
    // Asking the same again and waiting is what it is for.
    polls: true,
    async execute({ poll, cancel = [], list = false }, { signal, update }) {
      if (list && (poll || cancel.length > 0)) {
        throw new ToolError("list goes alone: leave out poll and cancel.");
      }
      if (list) return listing(jobs.list());
      const cancelled = cancel.map((id) => ({ id, status: jobs.cancel(id) }));
      if (poll === undefined && cancel.length > 0) return result(jobs, cancel, cancelled);
      const watched = poll?.filter((id) => jobs.get(id)) ?? running(jobs);
      if (watched.length === 0 && cancelled.length === 0) {
        const none = poll ? `No jobs are called ${poll.join(", ")}.` : "No job is running.";
        return textOutput(none, { jobs: [] });
      }
      if (watched.every((id) => jobs.get(id)?.status === "running")) {
        const tell = () => update(summary(jobs, watched), "replace");
        const timer = setInterval(tell, PROGRESS_MS);
        try {
          await jobs.waitForAny(watched, { timeoutMs: options.pollWaitMs, signal });
        } finally {
          clearInterval(timer);
        }
      }
      return result(jobs, [...cancel, ...watched], cancelled);
    },
  });
}

/** A row each; what they have said is asked for with poll. */
function listing(jobs: readonly JobSnapshot[]) {
  const rows = jobs.map(headline);
  return textOutput(rows.join("\n") || "There are no jobs.", { jobs });
}

function running(jobs: JobManager): string[] {
  return jobs
    .list()
    .filter(({ status }) => status === "running")
    .map(({ id }) => id);
}

function summary(jobs: JobManager, ids: readonly string[]): string {
  return ids
    .flatMap((id) => jobs.get(id) ?? [])
    .map(headline)
    .join("\n");
}

function result(
  manager: JobManager,
  ids: readonly string[],
  cancelled: readonly { id: string; status: CancelOutcome }[],
) {
  const jobs = [...new Map(manager.report(ids).map((job) => [job.id, job])).values()];
  const ended = jobs.filter(({ status }) => status === "completed" || status === "failed");
  const going = jobs.filter(({ status }) => status === "running");
  const sections = [
    section(
      "Cancelled",
      cancelled.map(({ id, status }) => `${id}: ${WORDS[status]}`),
    ),
    section("Ended", ended.map(whole)),
    section(
      "Still running",
      // What a server or a watcher has said so far is why it was started.
      going.map((job) =>
        [headline(job), outputTail(manager.outputOf(job.id))].filter(Boolean).join("\n"),
      ),
    ),
  ].filter(Boolean);
  const text = sections.join("\n\n") || "There are no jobs.";
  return textOutput(text, { jobs, cancelled: cancelled.length > 0 ? cancelled : undefined });
}

const WORDS: Record<CancelOutcome, string> = {
  cancelled: "cancelled",
  not_found: "there is no such job",
  already_completed: "it had already ended",
};

function section(title: string, rows: readonly string[]): string {
  return rows.length === 0 ? "" : `## ${title} (${rows.length})\n${rows.join("\n")}`;
}

function headline({ id, label, durationMs, status }: JobSnapshot): string {
  return `${id} (${status}, ${(durationMs / 1000).toFixed(1)} s): ${label}`;
}

function whole(job: JobSnapshot): string {
  return [headline(job), job.resultText, job.errorText].filter(Boolean).join("\n");
}
