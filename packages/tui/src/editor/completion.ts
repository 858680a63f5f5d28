// Offers to finish what is being typed: commands at the beginning, files after `@`. The
// provider may take its time; typing never waits for it, and what comes too late is dropped.

export type CompletionTrigger = "/" | "@" | "tab";

export interface CompletionRequest {
  trigger: CompletionTrigger;
  /** What was typed after the trigger. */
  query: string;
}

export interface Completion {
  label: string;
  detail?: string;
  /** Put in the place of trigger and query. */
  insert: string;
  /** Choosing it with Enter also sends the text. */
  submits?: boolean;
}

export interface CompletionProvider {
  complete(
    request: CompletionRequest,
    signal: AbortSignal,
  ): readonly Completion[] | Promise<readonly Completion[]>;
}

export interface CompletionSpot extends CompletionRequest {
  /** Where in the line the replaced part begins. */
  start: number;
}

/** What of the text before the caret asks for completion; nothing is asked of the provider. */
export function completionSpot(beforeCaret: string, line: number): CompletionSpot | undefined {
  if (line === 0 && beforeCaret.startsWith("/")) {
    return { trigger: "/", query: beforeCaret.slice(1), start: 0 };
  }
  const start = beforeCaret.search(/\S*$/);
  if (beforeCaret[start] !== "@") return undefined;
  return { trigger: "@", query: beforeCaret.slice(start + 1), start };
}

/** The word before the caret, for completion on demand. */
export function demandedSpot(beforeCaret: string): CompletionSpot {
  const start = beforeCaret.search(/\S*$/);
  return { trigger: "tab", query: beforeCaret.slice(start), start };
}

// Nobody pages further; the query should be longer instead.
const MAX_ITEMS = 200;

export interface CompletionEvents {
  changed(): void;
  /** The provider broke; typing goes on. */
  failed(error: unknown): void;
}

export class CompletionPopup {
  readonly #provider: CompletionProvider;
  readonly #events: CompletionEvents;
  #request: AbortController | undefined;
  #spot: CompletionSpot | undefined;
  #items: readonly Completion[] = [];
  #selected = 0;
  #dismissed: string | undefined;

  constructor(provider: CompletionProvider, events: CompletionEvents) {
    this.#provider = provider;
    this.#events = events;
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  get items(): readonly Completion[] {
    return this.#items;
  }

  get selected(): number {
    return this.#selected;
  }

  get spot(): CompletionSpot | undefined {
    return this.#spot;
  }

  get chosen(): Completion | undefined {
    return this.#items[this.#selected];
  }

  /** Called after every change of text or caret. */
  follow(spot: CompletionSpot | undefined): void {
    const place = spot && placeOf(spot);
    if (place !== this.#dismissed) this.#dismissed = undefined;
    if (!spot || this.#dismissed !== undefined) return this.#stop();
    const before = this.#spot;
    if (before && placeOf(before) === place && before.query === spot.query) return;
    // What was offered for another place is wrong here; for the same place it is only older.
    if (!before || placeOf(before) !== place) this.#items = [];
    this.#spot = spot;
    this.#ask(spot);
  }

  move(step: number): void {
    const { length } = this.#items;
    if (length > 0) this.#selected = (this.#selected + step + length) % length;
  }

  /** Not shown again for this place. */
  dismiss(): void {
    this.#dismissed = this.#spot && placeOf(this.#spot);
    this.#stop();
  }

  close(): void {
    this.#stop();
  }

  #stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#spot = undefined;
    this.#items = [];
    this.#selected = 0;
  }

  #ask({ trigger, query }: CompletionSpot): void {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    const fail = (error: unknown): void => {
      if (request.signal.aborted) return;
      this.#items = [];
      this.#events.failed(error);
    };
    try {
      const answer = this.#provider.complete({ trigger, query }, request.signal);
      if (!(answer instanceof Promise)) return this.#take(answer);
      answer.then((items) => {
        if (request.signal.aborted) return;
        this.#take(items);
        this.#events.changed();
      }, fail);
    } catch (error) {
      fail(error);
    }
  }

  #take(items: readonly Completion[]): void {
    this.#items = items.slice(0, MAX_ITEMS);
    this.#selected = 0;
  }
}

const placeOf = (spot: CompletionSpot): string => `${spot.trigger}${spot.start}`;
