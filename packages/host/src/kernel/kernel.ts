// A kernel: cells of one language that share what they define. The process behind it is started
// by the first cell, and anew by the next one when a cell has ended it; a cell that must be
// stopped is interrupted first, so that what the others have set survives.

import { endProcesses, isZombie } from "../process/process-tree.ts";
import { CellClock } from "./cell-clock.ts";
import { CellRun, type CellHandlers } from "./cell-run.ts";
import type { CellError, DoneFrame } from "./kernel-frame.ts";
import { KernelProcess, KernelStartError, type KernelLaunch } from "./kernel-process.ts";

export interface CellOptions extends CellHandlers {
  signal?: AbortSignal;
  /** Of the cell's own work; waiting for what it asked for does not count. */
  timeoutMs: number;
}

export interface CellResult {
  end: "ok" | "error" | "timeout" | "aborted" | "died";
  error?: CellError;
  /** Where an interrupt met the code. */
  place?: string;
  /** How the process ended, where it did. */
  ending?: string;
  /** The process is gone, and with it what cells had defined. */
  isStateLost: boolean;
  durationMs: number;
}

/** A cell came while another one runs: waiting could be waiting for itself. */
export class KernelBusy extends Error {
  override readonly name = "KernelBusy";

  constructor() {
    super("The kernel is busy with another cell: wait until it is done.");
  }
}

/** Asked again after this long, for code that catches the first interrupt by mistake. */
const SECOND_INTERRUPT_MS = 500;
/** Code that has not ended by then is ended with its process. */
const KILL_AFTER_MS = 1400;
/** What a stopped cell started has been interrupted with it; this long it may still clean up. */
const LEFT_OVER_GRACE_MS = 200;

export class Kernel implements AsyncDisposable {
  readonly #launch: () => KernelLaunch | Promise<KernelLaunch>;
  #process: KernelProcess | undefined;
  #isBusy = false;
  #isDisposed = false;
  #lastCell = 0;
  #directory: string | undefined;

  /** `launch` is asked each time a process is started, and may throw `KernelStartError`. */
  constructor(launch: () => KernelLaunch | Promise<KernelLaunch>) {
    this.#launch = launch;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Whether there is anything that cells have defined. */
  get hasState(): boolean {
    return this.#process !== undefined && !this.#process.isGone;
  }

  /** Where the next cell runs, as the last one left it; undefined where kernels start. */
  get directory(): string | undefined {
    return this.hasState ? this.#directory : undefined;
  }

  /** One cell at a time. Throws `KernelBusy`, `KernelStartError`, or what `signal` is aborted with. */
  async run(code: string, options: CellOptions): Promise<CellResult> {
    if (this.#isBusy) throw new KernelBusy();
    this.#isBusy = true;
    try {
      options.signal?.throwIfAborted();
      const process = await this.#ready();
      options.signal?.throwIfAborted();
      return await this.#runCell(process, code, options);
    } finally {
      this.#isBusy = false;
      if (this.#isDisposed) await this.#end();
    }
  }

  /** Forgets everything; the next cell starts from nothing. Throws `KernelBusy`. */
  async reset(): Promise<void> {
    if (this.#isBusy) throw new KernelBusy();
    await this.#end();
  }

  async #end(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    await process?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.#end();
  }

  async #ready(): Promise<KernelProcess> {
    if (this.#process?.isGone) await this.#end();
    this.#process ??= await KernelProcess.start(await this.#launch());
    if (this.#isDisposed) {
      throw new KernelStartError("The session has ended: start a new one to run cells.");
    }
    return this.#process;
  }

  async #runCell(process: KernelProcess, code: string, options: CellOptions): Promise<CellResult> {
    const begun = performance.now();
    const earlier = new Set(process.children());
    let stopped: "timeout" | "aborted" | undefined;
    const timers: ReturnType<typeof setTimeout>[] = [];
    const stop = (reason: "timeout" | "aborted"): void => {
      if (stopped !== undefined) return;
      stopped = reason;
      cell.abortCalls();
      process.interrupt(earlier);
      timers.push(setTimeout(() => process.interrupt(earlier), SECOND_INTERRUPT_MS));
      timers.push(setTimeout(() => process.kill(), KILL_AFTER_MS));
    };
    using clock = new CellClock(options.timeoutMs, () => stop("timeout"));
    const cell = new CellRun({
      id: ++this.#lastCell,
      handlers: options,
      clock,
      send: (frame) => process.send(frame),
    });
    const onAbort = (): void => stop("aborted");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await process.attach(cell);
      if (process.isGone) cell.lost();
      else process.send({ type: "run", id: cell.id, code, interrupts: process.interrupts });
      const done = await cell.finished();
      process.detach();
      this.#directory = done?.cwd;
      for (const timer of timers) clearTimeout(timer);
      // With the state goes whatever cells had left running.
      if (process.isGone) await this.#end();
      else if (stopped !== undefined) await endNewer(process, earlier);
      return this.#result(process, done, stopped, performance.now() - begun);
    } finally {
      process.detach();
      for (const timer of timers) clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  #result(
    process: KernelProcess,
    done: DoneFrame | undefined,
    stopped: "timeout" | "aborted" | undefined,
    durationMs: number,
  ): CellResult {
    const isStateLost = done === undefined;
    const base = { isStateLost, durationMs, ending: isStateLost ? process.ending : undefined };
    const { place, error } = done ?? {};
    if (stopped !== undefined) return { end: stopped, ...base, place, error };
    if (!done) return { end: "died", ...base };
    // An interrupt that nobody here has sent: the code raised it itself.
    if (done.outcome === "interrupted") return { end: "error", ...base, place, error };
    return { end: done.outcome, ...base, error };
  }
}

/** What a stopped cell had started is ended; what runs since earlier cells goes on. */
function endNewer(process: KernelProcess, earlier: ReadonlySet<number>): Promise<void> {
  const find = (): number[] =>
    process.children().filter((pid) => !earlier.has(pid) && !isZombie(pid));
  return endProcesses(find, LEFT_OVER_GRACE_MS);
}
