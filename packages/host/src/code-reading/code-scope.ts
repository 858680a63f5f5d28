// The names of a piece of code and what they stand for. What is assigned on one way among others is
// added to what the name meant before.

import { choice, type Value } from "./code-value.ts";

/** How what a library's name means now is kept, if the code has changed it. */
export const OVERRIDE = "\0";
/** Nobody defines more; it must not grow without end. */
const MAX_NAMES = 5000;

export class CodeScope {
  /** Of a kernel's own scope they are exchanged when it is known what became of a cell. */
  names = new Map<string, Value>();
  readonly outer: CodeScope | undefined;
  /** How many ways the code had parted when it began. */
  readonly level: number;
  /** Names of a scope further out that are assigned here. */
  readonly borrowed = new Set<string>();

  constructor(outer?: CodeScope, level = 0) {
    this.outer = outer;
    this.level = level;
  }

  find(name: string): Value | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }

  get top(): CodeScope {
    return this.outer?.top ?? this;
  }

  /** Here, whatever is further out. */
  define(name: string, value: Value, level: number): void {
    if (this.borrowed.has(name) && this.outer) return this.assign(name, value, level);
    this.#put(name, value, level);
  }

  #put(name: string, value: Value, level: number): void {
    const before = this.names.get(name);
    if (before === undefined && this.names.size >= MAX_NAMES) return;
    const isCertain = level <= this.level;
    this.names.set(name, isCertain || before === undefined ? value : choice([before, value]));
  }

  /** Where the name is, or at the top. */
  assign(name: string, value: Value, level: number): void {
    if (this.outer && (!this.names.has(name) || this.borrowed.has(name)))
      this.outer.assign(name, value, level);
    else this.#put(name, value, level);
  }

  forget(name: string, level: number): void {
    if (level <= this.level) this.names.delete(name);
  }
}

/** As things may stand if it is not known which of two came about. */
export function joinNames(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const names = new Map(before);
  for (const [name, value] of after) {
    const own = names.get(name);
    names.set(name, own === undefined ? value : choice([own, value]));
  }
  return names;
}
