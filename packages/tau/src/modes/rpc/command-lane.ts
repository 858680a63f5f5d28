// The order in which commands are carried out: one after the other as they came, so that a client may
// send several without waiting. How many wait is bounded, and work that waits can be dropped.

export interface LaneTask {
  /** Weighs on what may wait. */
  bytes: number;
  /** An abort drops it while it waits, and tells it while it is on. */
  isWork: boolean;
  /** `beside`: the next one does not wait for it. */
  order: "in_turn" | "beside";
  run(signal: AbortSignal): Promise<void>;
  /** Instead of being run. */
  drop(): void;
}

/** More than this is a client that does not listen. */
const MAX_WAITING_TASKS = 256;
/** A few prompts full of images. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export class CommandLane {
  readonly #running = new Map<LaneTask, AbortController>();
  #waiting: LaneTask[] = [];
  #waitingBytes = 0;
  #isDraining = false;
  #idle: PromiseWithResolvers<void> | undefined;

  /** False where no more may wait. */
  push(task: LaneTask): boolean {
    const isFull =
      this.#waiting.length >= MAX_WAITING_TASKS ||
      (this.#waiting.length > 0 && this.#waitingBytes + task.bytes > MAX_WAITING_BYTES);
    if (isFull) return false;
    this.#waiting.push(task);
    this.#waitingBytes += task.bytes;
    void this.#drain();
    return true;
  }

  /** Work that waits is dropped, work that is on is told. */
  dropWork(): void {
    const dropped = this.#waiting.filter(({ isWork }) => isWork);
    this.#waiting = this.#waiting.filter(({ isWork }) => !isWork);
    for (const task of dropped) {
      this.#waitingBytes -= task.bytes;
      task.drop();
    }
    for (const [{ isWork }, controller] of this.#running) if (isWork) controller.abort();
  }

  /** Nothing waits and nothing is on. */
  async whenIdle(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#idle ??= Promise.withResolvers();
      await this.#idle.promise;
    }
  }

  async #drain(): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (let task = this.#waiting.shift(); task; task = this.#waiting.shift()) {
      this.#waitingBytes -= task.bytes;
      const done = this.#start(task);
      if (task.order === "in_turn") await done;
    }
    this.#isDraining = false;
    this.#tellIdle();
  }

  async #start(task: LaneTask): Promise<void> {
    const controller = new AbortController();
    this.#running.set(task, controller);
    await task.run(controller.signal);
    this.#running.delete(task);
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#waiting.length > 0 || this.#running.size > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
