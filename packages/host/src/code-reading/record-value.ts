// Records by what they are made of: their keys may be anything, functions among them, and a map of
// JavaScript gives pairs where a dictionary of Python gives its keys.

import { DATA, exactly, keyOf, list, type RecordValue, type Value } from "./code-value.ts";

/** How an entry is kept whose key is not a text that is known. */
function unnamed(entries: ReadonlyMap<string, Value>): string {
  return `\0${entries.size}`;
}

export function keysOf(record: RecordValue): Value[] {
  return [...record.entries.keys()].map((name) => keyOf(record, name));
}

export function pairsOf(record: RecordValue): Value[] {
  return [...record.entries].map(([name, value]) => list([keyOf(record, name), value]));
}

/** Puts a value under a key, whatever that is. */
export function setEntry(record: RecordValue, key: Value, value: Value): void {
  const name = exactly(key) ?? unnamed(record.entries);
  record.entries.set(name, value);
  if (exactly(key) === undefined) (record.keys ??= new Map()).set(name, key);
}

/** `dict([(key, value)])`, `new Map([[key, value]])` */
export function recordFrom(
  pairs: Value | undefined,
  { isMap = false }: { isMap?: boolean } = {},
): RecordValue {
  if (pairs?.kind === "record") return { ...pairs, isMap };
  const record: RecordValue = {
    kind: "record",
    entries: new Map(),
    isOpen: pairs !== undefined,
    isMap,
  };
  for (const pair of pairs?.kind === "list" ? pairs.items : [])
    if (pair.kind === "list") setEntry(record, pair.items[0] ?? DATA, pair.items[1] ?? DATA);
  return record;
}
