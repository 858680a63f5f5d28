// Work that goes on behind a conversation: a command, a task. It has an id, a state and, in the
// end, a result that is told to the model exactly once.

export type JobKind = "bash" | "task";

/** `cancelled` stays, whatever the work says afterwards. */
export type JobStatus = "running" | "completed" | "failed" | "cancelled";

export interface JobSnapshot {
  id: string;
  type: JobKind;
  status: JobStatus;
  /** What it does, in a few words. */
  label: string;
  durationMs: number;
  resultText?: string;
  errorText?: string;
}

/** A failure that belongs to the result: the job ended, and not well. */
export class JobFailed extends Error {
  override readonly name = "JobFailed";
}

export interface JobContext {
  id: string;
  signal: AbortSignal;
  /** What it prints on the way, as it comes. */
  printed(text: string): void;
}

export type JobWork = (context: JobContext) => Promise<string>;
