// Jobs that a log tells the beginning of and not the end: their process was killed, and they with it.

import type { SessionEntry } from "../../session/entry.ts";

export interface UnendedJob {
  id: string;
  /** What it ran, as far as the log has it. */
  label: string;
}

/** Ids begin anew with every process: the order of the entries counts. */
export function unendedJobs(entries: Iterable<SessionEntry>): UnendedJob[] {
  const open = new Map<string, UnendedJob>();
  const commands = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type === "event" && entry.event.type === "job_end") {
      open.delete(String(entry.event.id));
    }
    if (entry.type !== "message") continue;
    const { message, ran } = entry;
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        const { command } = block.arguments;
        if (typeof command === "string") commands.set(block.id, command.trim().split("\n")[0]!);
      }
    }
    if (message.role !== "toolResult") continue;
    const details = (ran?.details ?? {}) as { jobId?: unknown; jobs?: unknown };
    const { jobId: id, jobs } = details;
    if (typeof id === "string") {
      open.set(id, { id, label: commands.get(message.toolCallId) ?? "" });
    }
    // Who asked was told of the end then.
    if (Array.isArray(jobs)) {
      for (const job of jobs as readonly { id?: unknown; status?: unknown }[]) {
        if (job.status !== "running") open.delete(String(job.id));
      }
    }
  }
  return [...open.values()];
}
