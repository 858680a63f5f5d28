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
    const at =
      this.#places.get(change.key) ??
      (change.type === "changed" ? this.#places.get(change.block.key) : undefined);
    if (change.type === "changed") {
      if (at === undefined) return this.#add(change.block);
      this.#places.delete(change.key);
      this.#places.set(change.block.key, at);
      this.#blocks[at] = change.block;
      return at;
    }
    if (at !== undefined) this.#remove(at, change.key);
    return at;
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
