// Which run an event belongs to. A prompt has its run's id before the run begins, so that its
// acknowledgement can name it; a run that begins by itself gets one then. Every id that was given out
// has exactly one `agent_end`, whatever came of the prompt.

import type { ActiveEnd } from "../../assembly/active-session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import type { OutgoingEvent } from "./frame-writer.ts";
import type { RpcFailure, RunEndEvent } from "./protocol.ts";

export class Runs {
  readonly #emit: (event: OutgoingEvent) => void;
  #count = 0;
  #current: string | undefined;
  /** Whose start was told, and whose end was not. */
  #running: string | undefined;
  /** Prompts that have not come back yet, and whether their end has been told. */
  readonly #prompts = new Map<string, { isEnded: boolean }>();

  constructor(emit: (event: OutgoingEvent) => void) {
    this.#emit = emit;
  }

  get current(): string | undefined {
    return this.#current;
  }

  /**
   * A prompt was taken and is not over: it may be on its way into another session. One whose end was
   * told is over, though the last of it may still be on its way to the disk.
   */
  get isPrompting(): boolean {
    return [...this.#prompts.values()].some(({ isEnded }) => !isEnded);
  }

  /** For a prompt that is about to begin; nothing else runs. */
  begin(): string {
    const id = this.#next();
    this.#prompts.set(id, { isEnded: false });
    return id;
  }

  /** The prompt has come back, with or without a run. */
  settle(id: string, result: { end: ActiveEnd } | { error: RpcFailure }): void {
    const prompt = this.#prompts.get(id);
    this.#prompts.delete(id);
    // A message that waited has begun a run under its name: that run's end is the end.
    const hasRun = this.#running === id;
    if (!prompt?.isEnded && !hasRun) {
      const end: ActiveEnd = "end" in result ? result.end : { reason: "failed" };
      const told: RunEndEvent = { type: "agent_end", end, ...result };
      this.#emit({ ...told, runId: id });
      this.#over(id);
    } else if ("error" in result) {
      // The end is told before it is known why, or by a run that is another's.
      this.#emit({ type: "run_error", runId: id, error: result.error });
    }
  }

  /** The id that goes with the event. */
  follow(event: SessionEvent): string | undefined {
    if (event.type === "agent_start") this.#running = this.#current ??= this.#next();
    const id = this.#current;
    if (event.type === "agent_end" && id !== undefined) this.#over(id);
    return id;
  }

  /** The session is another one: a run that had just begun by itself in the old one is not heard any more. */
  leave(): void {
    const id = this.#current;
    if (id === undefined || this.#prompts.has(id)) return;
    this.#emit({ type: "agent_end", end: { reason: "aborted" }, runId: id });
    this.#over(id);
  }

  #next(): string {
    this.#current = `run_${++this.#count}`;
    return this.#current;
  }

  #over(id: string): void {
    const prompt = this.#prompts.get(id);
    if (prompt) prompt.isEnded = true;
    if (this.#running === id) this.#running = undefined;
    if (this.#current === id) this.#current = undefined;
  }
}
