// What operators make of two values.

import type { CodeReader } from "./code-reader.ts";
import {
  DATA,
  HIDDEN,
  NUMBER,
  choice,
  exactly,
  joined,
  list,
  optionsOf,
  sourceOf,
  text,
  worst,
  type Value,
} from "./code-value.ts";

export function operate(reader: CodeReader, operator: string, left: Value, right: Value): Value {
  reader.language.shown(reader, left);
  reader.language.shown(reader, right);
  const poured = operator.startsWith("|") ? pour(reader, left, right) : undefined;
  if (poured) return poured;
  const special = reader.language.operated(reader, operator, left, right);
  if (special) return special;
  const pairs = optionsOf(left).flatMap((one) =>
    optionsOf(right).map((two) => [one, two] as const),
  );
  if (pairs.length > 1) {
    return choice(pairs.slice(0, 16).map(([one, two]) => operate(reader, operator, one, two)));
  }
  if (left.kind === "number" && right.kind === "number") return arithmetic(operator, left, right);
  if (operator === "+" && left.kind === "list" && right.kind === "list")
    return list([...left.items, ...right.items], left.isOpen || right.isOpen);
  const isText = left.kind === "text" || right.kind === "text";
  if (operator === "+" && (isText || (isTextLike(left) && isTextLike(right))))
    return joined(left, right);
  if (operator === "*" && left.kind === "text" && right.kind === "number")
    return right.value !== undefined && right.value <= 64 && exactly(left) !== undefined
      ? text(exactly(left)!.repeat(Math.max(0, right.value)))
      : HIDDEN;
  if (operator === "*" && left.kind === "list") return { ...left, isOpen: true };
  if (/^(?:==|!=|===|!==|<|>|<=|>=|in|is|instanceof)$/.test(operator)) return DATA;
  if (left.kind === "made" && !left.target) return left;
  if (right.kind === "made" && !right.target) return right;
  return { kind: "unknown", source: worst([sourceOf(left), sourceOf(right)]) };
}

/** `os.environ |= {…}`, `a | b` of dictionaries. */
function pour(reader: CodeReader, left: Value, right: Value): Value | undefined {
  if (right.kind !== "record") return undefined;
  if (left.kind === "record")
    return { ...left, entries: new Map([...left.entries, ...right.entries]) };
  if (left.kind !== "known") return undefined;
  for (const [name, value] of right.entries)
    reader.language.setIndex(reader, left, text(name), value);
  return reader.language.asEnvironment(left, right.entries) ?? left;
}

function isTextLike(value: Value): boolean {
  return (
    value.kind === "unknown" ||
    value.kind === "text" ||
    (value.kind === "made" && value.target !== undefined)
  );
}

function arithmetic(
  operator: string,
  { value: left }: Extract<Value, { kind: "number" }>,
  { value: right }: Extract<Value, { kind: "number" }>,
): Value {
  if (left === undefined || right === undefined) return NUMBER;
  const results: Record<string, () => number> = {
    "+": () => left + right,
    "-": () => left - right,
    "*": () => left * right,
    "/": () => left / right,
    "//": () => Math.floor(left / right),
    "%": () => left % right,
    "^": () => left ^ right,
    "|": () => left | right,
    "&": () => left & right,
    "<<": () => left << right,
    ">>": () => left >> right,
    "**": () => left ** right,
  };
  return { kind: "number", value: results[operator]?.() };
}
