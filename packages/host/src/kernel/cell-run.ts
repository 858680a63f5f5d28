// One cell while it runs: puts what it prints and what it displays back into one order, answers
// what it asks, and knows when it is over. The stream of output and the messages come by two
// ways, and either may be ahead.

import type { CellClock } from "./cell-clock.ts";
import type { DoneFrame, HostFrame, KernelCall, KernelFrame, MimeBundle } from "./kernel-frame.ts";

export interface CellHandlers {
  /**
   * What was printed, on either stream, in the order it was written. The bytes are the callee's
   * for the call only; a promise holds the kernel up until it resolves.
   */
  onOutput(bytes: Buffer): void | Promise<void>;
  /** Comes between the output before and after it. */
  onDisplay?(bundle: MimeBundle): void | Promise<void>;
  /** What a helper has done. */
  onStatus?(event: Readonly<Record<string, unknown>>): void;
  /** What a helper asks for. A rejection is raised in the cell, with the error's message. */
  onCall?(call: KernelCall, signal: AbortSignal): Promise<unknown>;
}

/** How long nothing comes before the last output of a cell that is done is given up. */
const OUTPUT_WAIT_MS = 2000;
const OUTPUT_POLL_MS = 250;

export class CellRun {
  readonly id: number;
  readonly #handlers: CellHandlers;
  readonly #clock: CellClock;
  readonly #send: (frame: HostFrame) => void;
  readonly #calls = new AbortController();
  readonly #displays = new Map<number, PromiseWithResolvers<MimeBundle | undefined>>();
  readonly #done = Promise.withResolvers<DoneFrame | undefined>();
  readonly #ended = Promise.withResolvers<void>();
  #isOver = false;
  #isMarkedEnded = false;
  #heardAt = 0;
  /** What a handler threw: the cell runs to its end all the same, and then it comes out. */
  #bug: { error: unknown } | undefined;

  constructor(options: {
    id: number;
    handlers: CellHandlers;
    clock: CellClock;
    send: (frame: HostFrame) => void;
  }) {
    this.id = options.id;
    this.#handlers = options.handlers;
    this.#clock = options.clock;
    this.#send = options.send;
  }

  /** How it ended, when all of its output has been handed on; undefined where its kernel died. */
  async finished(): Promise<DoneFrame | undefined> {
    const done = await this.#done.promise;
    if (done && !done.isUnmarked) await this.#lastOutput();
    this.#isOver = true;
    this.abortCalls();
    for (const display of this.#displays.values()) display.resolve(undefined);
    if (this.#bug) throw this.#bug.error;
    return done;
  }

  /** The kernel is gone; nothing more will come. */
  lost(): void {
    this.#done.resolve(undefined);
    this.#markEnded();
    for (const display of this.#displays.values()) display.resolve(undefined);
  }

  /** Whatever it waits for is refused, which lets it end by itself. */
  abortCalls(): void {
    this.#calls.abort(new Error("The cell was stopped."));
  }

  output(bytes: Buffer): void | Promise<void> {
    this.#heardAt = performance.now();
    return this.#handle(() => this.#handlers.onOutput(bytes));
  }

  async marker(fields: string): Promise<void> {
    const [kind, number] = fields.trim().split(" ");
    if (kind === "end" && Number(number) === this.id) this.#markEnded();
    if (kind !== "display" || this.#isOver) return;
    const bundle = await this.#display(Number(number)).promise;
    this.#displays.delete(Number(number));
    if (bundle) await this.#handle(() => this.#handlers.onDisplay?.(bundle));
  }

  frame(frame: KernelFrame): void {
    if (frame.type === "display") this.#display(frame.number).resolve(frame.bundle);
    else if (frame.type === "status") {
      void this.#handle(() => this.#handlers.onStatus?.(frame.event));
    } else if (frame.type === "call") void this.#answer(frame.id, frame.call);
    else if (frame.type === "done" && frame.id === this.id) this.#done.resolve(frame);
  }

  #handle(call: () => void | Promise<void>): void | Promise<void> {
    if (this.#isOver || this.#bug) return undefined;
    const failed = (error: unknown): void => {
      this.#bug ??= { error };
    };
    try {
      const held = call();
      return held instanceof Promise ? held.catch(failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  #markEnded(): void {
    this.#isMarkedEnded = true;
    this.#ended.resolve();
  }

  async #lastOutput(): Promise<void> {
    this.#heardAt = performance.now();
    while (!this.#isMarkedEnded && performance.now() - this.#heardAt < OUTPUT_WAIT_MS) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, OUTPUT_POLL_MS);
      await Promise.race([this.#ended.promise, promise]);
      clearTimeout(timer);
    }
  }

  #display(number: number): PromiseWithResolvers<MimeBundle | undefined> {
    let display = this.#displays.get(number);
    if (!display) {
      display = Promise.withResolvers();
      this.#displays.set(number, display);
    }
    return display;
  }

  async #answer(id: number, call: KernelCall): Promise<void> {
    using _ = this.#clock.pause();
    const { signal } = this.#calls;
    const stopped = Promise.withResolvers<never>();
    const onAbort = (): void => stopped.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const { onCall } = this.#handlers;
      // Where nobody is to be asked, nobody minds.
      if (!onCall && call.kind === "touch")
        return this.#send({ type: "reply", id, ok: true, value: null });
      if (!onCall) throw new Error("Nothing can be asked for here: do it in the cell itself.");
      const value = await Promise.race([stopped.promise, onCall(call, signal)]);
      this.#send({ type: "reply", id, ok: true, value: value ?? null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#send({ type: "reply", id, ok: false, error: message });
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}
