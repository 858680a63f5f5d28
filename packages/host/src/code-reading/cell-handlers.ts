// The helpers that every cell has, in either language.

import type { Handler } from "./code-language.ts";
import type { CodeReader } from "./code-reader.ts";
import { DATA, first, type Args, type Value } from "./code-value.ts";

export const CELL_HANDLERS: readonly (readonly [string, Handler])[] = [
  ["cell.read", (reader, given) => (reader.acts.read(first(given)), DATA)],
  ["cell.write", (reader, given) => write(reader, given)],
  ["cell.append", (reader, given) => (reader.acts.touch(first(given)), DATA)],
  [
    "cell.env",
    (reader, given) =>
      given.positional.length === 0
        ? (reader.acts.secret("the environment"), DATA)
        : reader.language.variable(reader, first(given)),
  ],
  [
    "cell.diff",
    (reader, given) => (given.positional.forEach((each) => reader.acts.read(each)), DATA),
  ],
];

function write(reader: CodeReader, given: Args): Value {
  reader.acts.touch(first(given));
  reader.acts.fill(first(given), given.positional[1]);
  return first(given);
}
