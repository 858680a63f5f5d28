// `/jobs`: what runs in the background, and the way to stop it.

import type { JobManager } from "../../jobs/job-manager.ts";
import type { SessionCommand } from "../../session/session-command.ts";
import { UserError } from "../../user-error.ts";
import { seconds } from "../render/seconds.ts";
import { outputTail } from "./output-tail.ts";
import { WORKSPACE } from "../workspace.ts";

export const JOBS_COMMAND: SessionCommand = {
  name: "jobs",
  argument: "[stop ID]",
  help: "list background jobs, or stop one",
  when: "any",
  complete: ({ session }) =>
    session.parts
      .need(WORKSPACE)
      .jobs.list()
      .filter(({ status }) => status === "running")
      .map(({ id }) => `stop ${id}`),
  run: async ({ session }, argument) => {
    const { jobs } = session.parts.need(WORKSPACE);
    const wanted = /^stop\s+(\S+)$/.exec(argument)?.[1];
    if (wanted === undefined) return listed(jobs);
    const said = stopped(jobs, wanted);
    const { id, label, status, durationMs } = jobs.get(wanted)!;
    // For the log: what says it to people is the command.
    if (status === "cancelled") {
      session.emit({ type: "job_end", id, label: session.hide(label), status, durationMs });
    }
    return said;
  },
};

function stopped(jobs: JobManager, id: string): string {
  const outcome = jobs.cancel(id);
  if (outcome === "not_found") throw new UserError(`there is no job ${id}; see /jobs`);
  return outcome === "cancelled" ? `${id} was stopped.` : `${id} has already ended.`;
}

function listed(jobs: JobManager): string {
  const rows = jobs.list();
  if (rows.length === 0) return "There are no background jobs.";
  const width = Math.max(...rows.map(({ id }) => id.length));
  return rows
    .flatMap(({ id, status, durationMs, label }) => [
      `${id.padEnd(width)}  ${status.padEnd(9)}  ${seconds(durationMs).padStart(7)}  ${label}`,
      outputTail(jobs.outputOf(id)),
    ])
    .filter((row) => row !== "")
    .join("\n");
}
