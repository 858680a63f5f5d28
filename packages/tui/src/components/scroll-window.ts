// A selection in a long list and the part of it that is shown: the selected one is always
// visible, and the window moves no more than it must.

export class ScrollWindow {
  #selected = 0;
  #top = 0;

  get selected(): number {
    return this.#selected;
  }

  /** Beyond the ends means the end. */
  select(index: number, count: number): void {
    this.#selected = Math.max(0, Math.min(index, count - 1));
  }

  /** The indexes to show. */
  view(count: number, height: number): { from: number; to: number } {
    this.select(this.#selected, count);
    if (this.#selected < this.#top) this.#top = this.#selected;
    if (this.#selected >= this.#top + height) this.#top = this.#selected - height + 1;
    this.#top = Math.max(0, Math.min(this.#top, count - height));
    return { from: this.#top, to: Math.min(count, this.#top + height) };
  }
}
