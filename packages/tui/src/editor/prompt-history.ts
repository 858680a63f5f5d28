// Earlier prompts, walked with the arrows (only those that begin as the draft does) or
// searched. Where they are kept is the source's matter; the draft is kept here and comes
// back untouched.

export interface HistoryQuery {
  text: string;
  match: "prefix" | "contains";
  /** Index of the entry to go on from; -1 before the newest. */
  from: number;
  direction: "older" | "newer";
}

export interface HistoryHit {
  /** 0 is the newest. */
  index: number;
  text: string;
}

/** Asked while a key is handled: it must answer from memory or an index. */
export interface HistorySource {
  find(query: HistoryQuery): HistoryHit | undefined;
}

/** A source over a list, newest first. */
export function listHistory(entries: readonly string[]): HistorySource {
  return {
    find({ text, match, from, direction }) {
      const fits = (entry: string): boolean =>
        match === "prefix"
          ? entry.startsWith(text)
          : entry.toLowerCase().includes(text.toLowerCase());
      const step = direction === "older" ? 1 : -1;
      for (let index = from + step; index >= 0 && index < entries.length; index += step) {
        const entry = entries[index]!;
        if (fits(entry)) return { index, text: entry };
      }
      return undefined;
    },
  };
}

// Equal neighbours are passed over; a source of nothing but equals must not hold a key up.
const MAX_PASSED_OVER = 200;

function findOther(
  source: HistorySource,
  query: HistoryQuery,
  shown: string,
): HistoryHit | undefined {
  let { from } = query;
  for (let tries = 0; tries < MAX_PASSED_OVER; tries++) {
    const hit = source.find({ ...query, from });
    if (!hit || hit.text !== shown) return hit;
    from = hit.index;
  }
  return undefined;
}

export class HistoryWalk {
  readonly #source: HistorySource;
  #walk: { draft: string; prefix: string; index: number } | undefined;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** The text to show; undefined where there is nothing older. */
  older(draft: string, prefix: string): string | undefined {
    const walk = this.#walk ?? { draft, prefix, index: -1 };
    const query = { text: walk.prefix, match: "prefix", direction: "older" } as const;
    const hit = findOther(this.#source, { ...query, from: walk.index }, draft);
    if (!hit) return undefined;
    this.#walk = { ...walk, index: hit.index };
    return hit.text;
  }

  /** Past the newest comes the draft. */
  newer(shown: string): string | undefined {
    const walk = this.#walk;
    if (!walk) return undefined;
    const query = { text: walk.prefix, match: "prefix", direction: "newer" } as const;
    const hit = findOther(this.#source, { ...query, from: walk.index }, shown);
    if (hit) {
      this.#walk = { ...walk, index: hit.index };
      return hit.text;
    }
    this.#walk = undefined;
    return walk.draft;
  }

  /** The text was changed: it is a draft of its own now. */
  leave(): void {
    this.#walk = undefined;
  }
}

export class HistorySearch {
  readonly #source: HistorySource;
  #query = "";
  #hit: HistoryHit | undefined;
  #failed = false;

  constructor(source: HistorySource) {
    this.#source = source;
  }

  get query(): string {
    return this.#query;
  }

  get hit(): string | undefined {
    return this.#hit?.text;
  }

  /** Nothing (more) contains the query; the last hit is still shown. */
  get failed(): boolean {
    return this.#failed;
  }

  setQuery(query: string): void {
    this.#query = query;
    this.#hit = undefined;
    this.#failed = false;
    if (query !== "") this.again("older");
  }

  again(direction: "older" | "newer"): void {
    if (this.#query === "") return;
    const from = this.#hit?.index ?? -1;
    const query = { text: this.#query, match: "contains", from, direction } as const;
    const hit = findOther(this.#source, query, this.#hit?.text ?? "");
    this.#failed = hit === undefined;
    if (hit) this.#hit = hit;
  }
}
