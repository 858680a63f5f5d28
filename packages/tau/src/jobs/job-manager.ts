// The jobs of one agent: starts them, watches them end, and sees to it that each result reaches
// the model once, either because it asked or because it was told. Whichever comes first counts.

import type { JobSettings } from "./settings.ts";
import { JobFailed, type JobKind, type JobSnapshot, type JobStatus, type JobWork } from "./job.ts";

/** Of what a job has printed so far: a screen of it, for whoever looks. */
const MAX_PRINTED_CHARACTERS = 4096;
/** How long a finished job can still be asked about. */
const RETENTION_MS = 5 * 60 * 1000;

export interface JobManagerOptions {
  settings: JobSettings;
  retentionMs?: number;
  now?: () => number;
}

interface Job {
  id: string;
  own: OwnJob;
  type: JobKind;
  label: string;
  status: JobStatus;
  startedAt: number;
  endedAt?: number;
  /** The end of what it has printed. */
  printed: string;
  resultText?: string;
  errorText?: string;
  controller: AbortController;
  done: Promise<void>;
  /** The model knows how it ended: set once, before it is told. */
  isReported: boolean;
  /** Calls that wait for it: one of them will report it. */
  watchers: number;
  eviction?: ReturnType<typeof setTimeout>;
}

/** For jobs that have a name, and a way of their own to tell of their end. */
export interface OwnJob {
  id?: string;
  /** Instead of `onEnd`. */
  deliver?: (job: JobSnapshot) => Promise<void>;
  /** It is over, and whoever is to be told of it was, or will be by who asked. */
  over?: () => void;
}

export type CancelOutcome = "cancelled" | "not_found" | "already_completed";

export class TooManyJobs extends Error {
  override readonly name = "TooManyJobs";
}

export class JobManager implements AsyncDisposable {
  readonly settings: JobSettings;
  /** Told of a job that ended while nobody asked; set by whoever has a conversation. */
  onEnd: (job: JobSnapshot) => void | Promise<void> = () => {};
  readonly #options: JobManagerOptions;
  readonly #jobs = new Map<string, Job>();
  readonly #counts = new Map<JobKind, number>();

  constructor(options: JobManagerOptions) {
    this.#options = options;
    this.settings = options.settings;
  }

  /** Throws `TooManyJobs`. */
  start(type: JobKind, label: string, work: JobWork, own: OwnJob = {}): JobSnapshot {
    // Agents have a queue of their own: what waits there costs nothing here.
    if (type !== "task" && !this.hasRoom) {
      throw new TooManyJobs(
        `${this.runningOf(type)} jobs are running, the maximum; wait for one or cancel one.`,
      );
    }
    const count = (this.#counts.get(type) ?? 0) + 1;
    this.#counts.set(type, count);
    const job: Job = {
      id: own.id ?? `${type}-${count}`,
      own,
      type,
      label,
      status: "running",
      startedAt: this.#now(),
      printed: "",
      controller: new AbortController(),
      done: Promise.resolve(),
      isReported: false,
      watchers: 0,
    };
    this.#jobs.set(job.id, job);
    job.done = this.#run(job, work);
    return this.#snapshot(job);
  }

  /** How many are still at work. */
  get running(): number {
    return this.runningOf("bash") + this.runningOf("task");
  }

  runningOf(kind: JobKind): number {
    let count = 0;
    for (const { status, type } of this.#jobs.values()) {
      if (status === "running" && type === kind) count += 1;
    }
    return count;
  }

  /** Whether one more command may be started. */
  get hasRoom(): boolean {
    return this.runningOf("bash") < this.settings.maxJobs;
  }

  list(): JobSnapshot[] {
    return [...this.#jobs.values()].map((job) => this.#snapshot(job));
  }

  get(id: string): JobSnapshot | undefined {
    const job = this.#jobs.get(id);
    return job && this.#snapshot(job);
  }

  /** The end of what came out of it: in the end its result, until then what it has printed. */
  outputOf(id: string): string {
    const { resultText, errorText, printed = "" } = this.#jobs.get(id) ?? {};
    return errorText ?? resultText ?? printed;
  }

  cancel(id: string): CancelOutcome {
    const job = this.#jobs.get(id);
    if (!job) return "not_found";
    if (job.status !== "running") return "already_completed";
    // Who cancelled it knows how it ended.
    job.isReported = true;
    this.#end(job, "cancelled");
    job.controller.abort();
    return "cancelled";
  }

  /**
   * Resolves when one of them has ended, the time is over or the signal aborts. While it waits,
   * nothing is delivered for them; the caller reports with `report`.
   */
  async waitForAny(
    ids: readonly string[],
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<void> {
    const jobs = ids.flatMap((id) => this.#jobs.get(id) ?? []);
    for (const job of jobs) job.watchers++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
    options.signal.addEventListener("abort", () => stop(), { once: true });
    if (options.signal.aborted) stop();
    try {
      timer = setTimeout(stop, options.timeoutMs);
      await Promise.race([stopped, ...jobs.map((job) => job.done)]);
    } finally {
      clearTimeout(timer);
      stop();
      for (const job of jobs) job.watchers--;
    }
  }

  /** What the caller is about to tell the model: nobody else will. */
  report(ids: readonly string[]): JobSnapshot[] {
    return ids.flatMap((id) => {
      const job = this.#jobs.get(id);
      if (!job) return [];
      if (job.status !== "running") job.isReported = true;
      return [this.#snapshot(job)];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const jobs = [...this.#jobs.values()];
    for (const job of jobs) {
      clearTimeout(job.eviction);
      job.isReported = true;
      if (job.status === "running") this.#end(job, "cancelled");
      job.controller.abort();
    }
    await Promise.all(jobs.map((job) => job.done));
    for (const job of jobs) clearTimeout(job.eviction);
    this.#jobs.clear();
  }

  async #run(job: Job, work: JobWork): Promise<void> {
    try {
      job.resultText = await work({
        id: job.id,
        signal: job.controller.signal,
        printed: (text) => {
          job.printed = (job.printed + text).slice(-MAX_PRINTED_CHARACTERS);
        },
      });
      this.#end(job, "completed");
    } catch (error) {
      job.errorText = error instanceof Error ? error.message : String(error);
      this.#end(job, "failed");
      // A bug is one; a failed command is a result.
      if (!(error instanceof JobFailed) && !job.controller.signal.aborted) {
        job.errorText = `The job failed: ${job.errorText}`;
      }
    }
    await this.#deliver(job);
    job.own.over?.();
  }

  #end(job: Job, status: JobStatus): void {
    if (job.status !== "running") return;
    job.status = status;
    job.endedAt = this.#now();
    job.eviction = setTimeout(
      () => this.#jobs.delete(job.id),
      this.#options.retentionMs ?? RETENTION_MS,
    );
    job.eviction.unref();
  }

  async #deliver(job: Job): Promise<void> {
    if (job.status === "running" || job.isReported || job.watchers > 0) return;
    job.isReported = true;
    await (job.own.deliver ?? this.onEnd)(this.#snapshot(job));
  }

  #snapshot(job: Job): JobSnapshot {
    const { id, type, status, label, startedAt, endedAt, resultText, errorText } = job;
    return {
      id,
      type,
      status,
      label,
      durationMs: (endedAt ?? this.#now()) - startedAt,
      resultText,
      errorText,
    };
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}
