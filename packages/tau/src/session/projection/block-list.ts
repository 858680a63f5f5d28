// Blocks kept in a list while they come and change.

import type { Block, BlockChange } from "./block.ts";

export class BlockList {
  readonly #blocks: Block[] = [];
  readonly #places = new Map<string, number>();

  constructor(blocks: readonly Block[] = []) {
    for (const block of blocks) this.#add(block);
  }

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  get(key: string): Block | undefined {
    return this.#blocks[this.#places.get(key) ?? -1];
  }

  /** The place of what was changed; undefined if nothing in the list was. */
  apply(change: BlockChange): number | undefined {
    if (change.type === "added") {
      const known = this.#places.get(change.block.key);
      if (known === undefined) return this.#add(change.block);
      this.#blocks[known] = change.block;
      return known;
    }
    const at = this.#places.get(change.key);
    if (change.type === "changed") return this.#change(change, at);
    if (at !== undefined) this.#remove(at, change.key);
    return at;
  }

  #change(
    { key, block }: Extract<BlockChange, { type: "changed" }>,
    at: number | undefined,
  ): number {
    const known = this.#places.get(block.key);
    if (known === undefined) {
      if (at === undefined) return this.#add(block);
      this.#places.delete(key);
      this.#places.set(block.key, at);
      this.#blocks[at] = block;
      return at;
    }
    // Its entry was read before it was told of: what stood for it goes.
    this.#blocks[known] = block;
    if (at === undefined || at === known) return known;
    this.#remove(at, key);
    return Math.min(at, known);
  }

  #add(block: Block): number {
    this.#places.set(block.key, this.#blocks.length);
    return this.#blocks.push(block) - 1;
  }

  #remove(at: number, key: string): void {
    this.#blocks.splice(at, 1);
    this.#places.delete(key);
    for (const [other, place] of this.#places) if (place > at) this.#places.set(other, place - 1);
  }
}
