// The helpers that every cell has, in either language.

import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import { DATA, first, sourceOf, type Args, type Value } from "./code-value.ts";

export const CELL_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["cell.read", (reader, given) => (reader.acts.read(first(given)), DATA)],
  ["cell.write", (reader, given) => write(reader, given)],
  ["cell.append", (reader, given) => (reader.acts.touch(first(given)), DATA)],
  ["cell.env", (reader, given) => variable(reader, given)],
  [
    "cell.diff",
    (reader, given) => (given.positional.forEach((each) => reader.acts.read(each)), DATA),
  ],
];

/** `env()` shows all of them, `env("A")` one, `env("A", "b")` sets it. */
function variable(reader: CodeReader, { positional, named }: Args): Value {
  const key = positional[0] ?? named.get("key");
  const value = positional[1] ?? named.get("value");
  if (key === undefined) reader.acts.secret("the environment");
  if (key && value) reader.language.setVariable(reader, key, value);
  return key ? (value ?? reader.language.variable(reader, key)) : DATA;
}

function write(reader: CodeReader, given: Args): Value {
  reader.acts.touch(first(given));
  reader.acts.fill(first(given), given.positional[1]);
  if (given.positional.slice(1).some((each) => sourceOf(each) === "web"))
    reader.acts.fetched(first(given));
  return first(given);
}
