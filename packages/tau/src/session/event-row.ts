// What Tau knows of one type of event: a row of the event table, or one that a feature registers.

import type { KeptEvent } from "./entry.ts";
import type { ShownPart } from "./projection/block.ts";

export interface EventRow<E = { type: string }> {
  /** What it tells, as a phrase for the reference. */
  docs: string;
  /** Absent: it is not kept in the log, because an entry of another kind says it, or nobody saw it. */
  kept?: Keeping<E>;
}

export interface Keeping<E> {
  /** Plain data, without the type; undefined if there was nothing to see this time. */
  keep(event: E): object | undefined;
  /** What people see, from what was kept. Pure: the same now and when the session is resumed. */
  show(kept: KeptEvent): readonly ShownPart[];
}

/** One for each type of a map; the compiler sees to it that none is missing. */
export type EventRowsOf<Map> = {
  readonly [Type in keyof Map]: EventRow<{ type: Type } & Map[Type]>;
};

/** Both halves of one row, so that what is shown is made of what is kept. */
export function keeping<E, K extends object>(
  keep: (event: E) => K | undefined,
  show: (kept: K) => readonly ShownPart[],
): Keeping<E> {
  return { keep, show: (kept) => show(kept as unknown as K) };
}
