// A run as lines of JSON, for programs: one event a line, numbered, with a version. What is
// written is what happened, in order; a reader that goes away stops the run.

import { writeOutput } from "../base/output.ts";
import type { ActiveSession } from "../assembly/active-session.ts";
import type { SessionEvent } from "../session/session-event.ts";

/** Raised when a field changes its meaning or goes away; new fields and types may come. */
export const JSON_LINES_VERSION = 1;

export class JsonLines {
  readonly #onGone: () => void;
  #seq = 0;
  #pending: Promise<unknown> = Promise.resolve();
  #isGone = false;

  /** `onGone` is called once when nobody reads any more. */
  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  /** Lines keep their order; writing waits for a slow reader without holding the run up. */
  write(event: Record<string, unknown>): void {
    const line = `${JSON.stringify({ v: JSON_LINES_VERSION, seq: ++this.#seq, ...event })}\n`;
    this.#pending = this.#pending.then(async () => {
      if (this.#isGone) return;
      this.#isGone = !(await writeOutput(line));
      if (this.#isGone) this.#onGone();
    });
  }

  /** Everything that was written is with the operating system. */
  async flush(): Promise<void> {
    await this.#pending;
  }

  follow(session: ActiveSession): () => void {
    return session.subscribe((event) => this.write(plainEvent(event)));
  }
}

/** Errors are no data; what they say is. */
export function plainEvent(event: SessionEvent): { type: string } & Record<string, unknown> {
  if (event.type === "hook_error") return { ...event, error: wordsOf(event.error) };
  if (event.type !== "tool_execution_end" || event.bug === undefined) return { ...event };
  return { ...event, bug: wordsOf(event.bug) };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
