// Lists and records as the code writes them down, with what is poured into them.

import type { Expression } from "./code-node.ts";
import type { CodeReader } from "./code-reader.ts";
import type { CodeScope } from "./code-scope.ts";
import {
  DATA,
  args,
  elementOf,
  exactly,
  keyOf,
  list,
  type RecordValue,
  type Value,
} from "./code-value.ts";
import { setEntry } from "./record-value.ts";

export function listValue(
  reader: CodeReader,
  { items }: Extract<Expression, { type: "list" }>,
  scope: CodeScope,
): Value {
  const found: Value[] = [];
  let isOpen = false;
  for (const { value: node, isSpread } of items) {
    const value = reader.evaluate(node, scope);
    if (!isSpread) found.push(value);
    else if (value.kind === "list") {
      found.push(...value.items);
      isOpen ||= value.isOpen;
    } else {
      reader.language.iterated(reader, value);
      found.push(elementOf(value));
      isOpen = true;
    }
  }
  return list(found, isOpen);
}

export function recordValue(
  reader: CodeReader,
  node: Extract<Expression, { type: "record" }>,
  scope: CodeScope,
): Value {
  const entries = new Map<string, Value>();
  const record: RecordValue = { kind: "record", entries, isOpen: false };
  let isOpen = false;
  let spread: Value | undefined;
  for (const { key, value: inner } of node.entries) {
    const value = reader.evaluate(inner, scope);
    if (key === undefined) {
      isOpen = true;
      if (value.kind === "record")
        for (const [name, each] of value.entries) setEntry(record, keyOf(value, name), each);
      else spread = value;
      continue;
    }
    const named = reader.evaluate(key, scope);
    const name = exactly(named);
    if (name === undefined) isOpen = true;
    setEntry(record, named, value);
    // `toString`, `then`, `[Symbol.iterator]`: the language calls them by itself.
    const isUnseen = name === undefined || reader.language.isCalledUnseen(name);
    if (value.kind === "function" && (isUnseen || value.isProperty))
      reader.perhaps(() => reader.call(value, args(DATA)));
  }
  // The whole environment with a few changes is the environment.
  const environment = spread && reader.language.asEnvironment(spread, entries);
  return environment ?? { ...record, isOpen };
}
