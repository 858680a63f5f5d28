// What a conversion gives: text, and what was left out of it in words.

export interface ConvertedDocument {
  /** Markdown. */
  text: string;
  notes: string[];
}

/** Of the text; far more than a model reads, and a search goes through it in a moment. */
export const MAX_TEXT_CHARS = 4 * 1024 * 1024;

/** Collects parts until there is no more room; says once that it cut. */
export class TextCollector {
  readonly notes: string[] = [];
  readonly #parts: string[] = [];
  #chars = 0;

  get isFull(): boolean {
    return this.#chars > MAX_TEXT_CHARS;
  }

  add(part: string): void {
    if (this.isFull || part === "") return;
    this.#parts.push(part);
    this.#chars += part.length;
    if (this.isFull) this.notes.push(`Only the first ${MAX_TEXT_CHARS} characters are here.`);
  }

  result(): ConvertedDocument {
    const text = this.#parts.join("\n\n").trim().slice(0, MAX_TEXT_CHARS).toWellFormed();
    return { text, notes: this.notes };
  }
}
