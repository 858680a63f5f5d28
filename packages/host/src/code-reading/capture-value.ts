// What a name in a pattern may stand for: `case object(unlink=u)` takes a member of what is matched,
// any other name the whole of it or something in it.

import type { CodeReader } from "./code-reader.ts";
import { HIDDEN_CODE, choice, optionsOf, type Value } from "./code-value.ts";
import { memberOf } from "./member-value.ts";
import { keysOf } from "./record-value.ts";

/** Patterns are not nested more deeply. */
const MAX_DEPTH = 3;

export function captureValue(
  reader: CodeReader,
  subject: Value,
  member: string | undefined,
): Value {
  if (member === undefined) return choice([subject, ...within(reader, subject, 0)]);
  // A pattern in a pattern takes it of something that is in there.
  const inner = within(reader, subject, 0).filter(({ kind }) => /^(?:known|instance)$/.test(kind));
  return choice([subject, ...inner].map((each) => memberOf(reader, each, member)));
}

function within(reader: CodeReader, value: Value, depth: number): Value[] {
  if (depth >= MAX_DEPTH) return [];
  return optionsOf(value).flatMap((each) => {
    const parts = partsIn(reader, each);
    return [...parts, ...parts.flatMap((part) => within(reader, part, depth + 1))];
  });
}

function partsIn(reader: CodeReader, value: Value): Value[] {
  switch (value.kind) {
    case "list":
      return value.items;
    case "record":
      return [...keysOf(value), ...value.entries.values()];
    case "instance":
      return [...value.fields.values()];
    case "known":
      return reader.language.tables.powerful.has(value.name) ? [HIDDEN_CODE] : [];
    default:
      return [];
  }
}
