// The blocks of a conversation, laid out when they are wanted. What was laid out is kept as
// long as it is near to what is seen; however long the conversation is, only so much is held.

/** Where the rows of a conversation come from. */
export interface TranscriptSource {
  /** Blocks that there are now; more may come at the end. */
  readonly length: number;
  /** The rows of a block at a width, at once or later. */
  block(index: number, columns: number): readonly string[] | Promise<readonly string[]>;
  /** Another number where a block looks different than before; without it, none ever does. */
  revision?(index: number): number;
}

/** Many screens full; blocks that were seen longest ago go first. */
const MAX_KEPT_ROWS = 5000;
/** Empty blocks have no rows, but take room all the same. */
const BLOCK_OVERHEAD_ROWS = 1;

interface Kept {
  rows: readonly string[];
  revision: number;
}

export class TranscriptBlocks {
  readonly #source: TranscriptSource;
  readonly #onReady: () => void;
  readonly #onFailure: (error: Error) => void;
  /** In the order in which they were last asked for. */
  readonly #kept = new Map<number, Kept>();
  readonly #waiting = new Set<number>();
  #keptRows = 0;
  #columns = 0;

  constructor(
    source: TranscriptSource,
    hears: { onReady: () => void; onFailure: (error: Error) => void },
  ) {
    this.#source = source;
    this.#onReady = hears.onReady;
    this.#onFailure = hears.onFailure;
  }

  get length(): number {
    return this.#source.length;
  }

  get keptRows(): number {
    return this.#keptRows;
  }

  /** Another width is another layout of everything. */
  setColumns(columns: number): void {
    if (columns === this.#columns) return;
    this.#columns = columns;
    this.#kept.clear();
    this.#keptRows = 0;
  }

  /** Undefined where it is not there yet: `onReady` is called when it is. */
  rows(index: number): readonly string[] | undefined {
    const revision = this.#source.revision?.(index) ?? 0;
    const kept = this.#kept.get(index);
    if (kept?.revision === revision) {
      this.#kept.delete(index);
      this.#kept.set(index, kept);
      return kept.rows;
    }
    if (this.#waiting.has(index)) return kept?.rows;
    const answer = this.#source.block(index, this.#columns);
    if (!(answer instanceof Promise)) return this.#keep(index, { rows: answer, revision });
    this.#waiting.add(index);
    void this.#await(index, revision, answer);
    // What it was a moment ago is better than nothing.
    return kept?.rows;
  }

  /** For a search: however it is laid out, and kept by nobody. */
  async read(index: number): Promise<readonly string[]> {
    const kept = this.#kept.get(index);
    return kept ? kept.rows : this.#source.block(index, this.#columns);
  }

  async #await(index: number, revision: number, answer: Promise<readonly string[]>): Promise<void> {
    const columns = this.#columns;
    try {
      const rows = await answer;
      // Laid out for a width that is gone, it is of no use.
      if (columns === this.#columns) this.#keep(index, { rows, revision });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#keep(index, { rows: [], revision });
      this.#onFailure(error);
    } finally {
      this.#waiting.delete(index);
      this.#onReady();
    }
  }

  #keep(index: number, kept: Kept): readonly string[] {
    const before = this.#kept.get(index);
    if (before) this.#forget(index, before);
    this.#kept.set(index, kept);
    this.#keptRows += kept.rows.length + BLOCK_OVERHEAD_ROWS;
    for (const [oldest, old] of this.#kept) {
      // The one that was asked for stays, however tall it is.
      if (this.#keptRows <= MAX_KEPT_ROWS || oldest === index) break;
      this.#forget(oldest, old);
    }
    return kept.rows;
  }

  #forget(index: number, { rows }: Kept): void {
    this.#kept.delete(index);
    this.#keptRows -= rows.length + BLOCK_OVERHEAD_ROWS;
  }
}
