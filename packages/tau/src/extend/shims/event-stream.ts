// Events of a reply, one after the other, and the whole reply at the end.

export class AssistantMessageEventStream implements AsyncIterable<Record<string, unknown>> {
  readonly #events: Record<string, unknown>[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;
  readonly #whole = Promise.withResolvers<unknown>();

  push(event: Record<string, unknown>): void {
    if (this.#isOver) return;
    this.#events.push(event);
    if (event.type === "done") this.end(event.message);
    else if (event.type === "error") this.end(event.error);
    this.#wake?.();
  }

  end(result?: unknown): void {
    this.#isOver = true;
    this.#whole.resolve(result);
    this.#wake?.();
  }

  result(): Promise<unknown> {
    return this.#whole.promise;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Record<string, unknown>> {
    for (;;) {
      const next = this.#events.shift();
      if (next) yield next;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

export function createAssistantMessageEventStream(): AssistantMessageEventStream {
  return new AssistantMessageEventStream();
}
