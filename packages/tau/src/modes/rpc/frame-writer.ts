// Everything that goes out, in order, one JSON object a line. A client that reads slowly never
// blocks the process: what waits for it is merged where it can be (streamed text, the output of
// commands), and whoever produces more asks for room first, so that a run waits for its reader
// instead of filling the memory.

import type { RpcResponse } from "./protocol.ts";

/** Resolves once the bytes are with the operating system; false if nobody reads any more. */
export type WriteBytes = (text: string) => Promise<boolean>;

/** Unwritten characters from which on somebody waits for the reader. */
const WAITING_CHARACTERS = {
  /** Runs and most commands. */
  full: 8 * 1024 * 1024,
  /** Everything, also hearing that the client wants to stop or has left. */
  flooded: 64 * 1024 * 1024,
} as const;
/** Frames of one write: enough to save calls, little enough to number late. */
const CHUNK_CHARACTERS = 64 * 1024;
/** Of one command's output, what waits at most; the end of it is what counts. */
export const MAX_WAITING_UPDATE = 256 * 1024;

export interface OutgoingEvent {
  type: string;
  runId?: string;
  [field: string]: unknown;
}

interface Waiting {
  /** What can still grow is made to JSON only when it is written. */
  content: { json: string } | { event: OutgoingEvent };
  isNumbered: boolean;
  size: number;
}

export class FrameWriter {
  readonly #write: WriteBytes;
  readonly #onGone: () => void;
  readonly #roomWanted = new Set<() => void>();
  #waiting: Waiting[] = [];
  /** What can still grow, by what it is about. */
  readonly #growing = new Map<string, Waiting>();
  #size = 0;
  #seq = 0;
  #writing: Promise<void> | undefined;
  #isGone = false;

  /** `onGone` is called once when nobody reads any more. */
  constructor(write: WriteBytes, onGone: () => void) {
    this.#write = write;
    this.#onGone = onGone;
  }

  respond(response: RpcResponse): void {
    this.#add({ json: JSON.stringify(response) }, { isNumbered: false });
  }

  event(event: OutgoingEvent): void {
    const key = growthKey(event);
    const earlier = key === undefined ? undefined : this.#growing.get(key);
    if (earlier) return this.#grow(earlier, event);
    // What comes behind another event must not slip in front of it.
    if (key === undefined) this.#growing.clear();
    const content = key === undefined ? { json: jsonOf(event) } : { event };
    const waiting = this.#add(content, { isNumbered: true });
    if (key !== undefined && waiting) this.#growing.set(key, waiting);
  }

  /** Resolves when more may be produced, when it is aborted, or when nobody reads any more. */
  async whenNot(what: keyof typeof WAITING_CHARACTERS, signal?: AbortSignal): Promise<void> {
    while (this.#size > WAITING_CHARACTERS[what] && !this.#isGone) {
      if (signal?.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      this.#roomWanted.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
      await promise;
      this.#roomWanted.delete(wake);
      signal?.removeEventListener("abort", wake);
    }
  }

  /** Everything is with the operating system, or nobody reads any more. */
  async flush(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #add(content: Waiting["content"], { isNumbered }: { isNumbered: boolean }): Waiting | undefined {
    if (this.#isGone) return undefined;
    const size = "json" in content ? content.json.length : growthOf(content.event).length;
    const waiting = { content, isNumbered, size };
    this.#waiting.push(waiting);
    this.#size += size;
    // In the next moment: what happens in one moment goes out together.
    this.#writing ??= Promise.resolve().then(() => this.#writeAll());
    return waiting;
  }

  #grow(waiting: Waiting, more: OutgoingEvent): void {
    if (!("event" in waiting.content)) return;
    const merged = mergeEvents(waiting.content.event, more);
    this.#size -= waiting.size;
    waiting.size = growthOf(merged).length;
    this.#size += waiting.size;
    waiting.content = { event: merged };
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        if (!(await this.#write(this.#nextChunk()))) {
          this.#leave();
          return;
        }
        for (const wake of this.#roomWanted) wake();
      }
    } finally {
      this.#writing = undefined;
    }
  }

  #nextChunk(): string {
    let text = "";
    let count = 0;
    for (const { content, isNumbered, size } of this.#waiting) {
      const json = "json" in content ? content.json : JSON.stringify(content.event);
      // Numbered as it leaves, so that what was merged on the way leaves no gap.
      text += isNumbered ? `{"seq":${++this.#seq},${json.slice(1)}\n` : `${json}\n`;
      this.#size -= size;
      count += 1;
      if (text.length >= CHUNK_CHARACTERS) break;
    }
    this.#waiting = this.#waiting.slice(count);
    this.#growing.clear();
    return text;
  }

  #leave(): void {
    this.#isGone = true;
    this.#waiting = [];
    this.#growing.clear();
    this.#size = 0;
    for (const wake of this.#roomWanted) wake();
    this.#onGone();
  }
}

/** What a tool left for renderers may be anything; that it cannot be told ends no run. */
function jsonOf(event: OutgoingEvent): string {
  try {
    return JSON.stringify(event);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { type, runId, call } = event;
    return JSON.stringify({ type, runId, call, untold: error.message });
  }
}

interface Delta {
  type: string;
  index: number;
  delta: string;
}

function deltaOf({ type, event }: OutgoingEvent): Delta | undefined {
  const inner = event as Partial<Delta> | undefined;
  return type === "message_update" && typeof inner?.delta === "string"
    ? (inner as Delta)
    : undefined;
}

/** Events with the same key are one, where nothing else has come between them. */
function growthKey(event: OutgoingEvent): string | undefined {
  // Who there is now says all that it said before.
  if (event.type === "agents_changed") return event.type;
  const whose = String(event.agent_id ?? "");
  if (event.type === "tool_execution_update") return `update ${whose} ${String(event.callId)}`;
  const delta = deltaOf(event);
  return delta && `${delta.type} ${whose} ${delta.index}`;
}

function growthOf(event: OutgoingEvent): string {
  return deltaOf(event)?.delta ?? String(event.text ?? "");
}

function mergeEvents(earlier: OutgoingEvent, later: OutgoingEvent): OutgoingEvent {
  const delta = deltaOf(later);
  if (delta) return { ...later, event: { ...delta, delta: growthOf(earlier) + delta.delta } };
  if (later.replaces === true || later.type === "agents_changed") return later;
  const text = growthOf(earlier) + growthOf(later);
  const merged = { ...earlier, text };
  if (text.length <= MAX_WAITING_UPDATE) return merged;
  // Half of it, so that not every further word cuts again.
  const kept = text.slice(-MAX_WAITING_UPDATE / 2).toWellFormed();
  const skipped = Number(earlier.skippedCharacters ?? 0) + text.length - kept.length;
  return { ...merged, text: kept, skippedCharacters: skipped };
}
