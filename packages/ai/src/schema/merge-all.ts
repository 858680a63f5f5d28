// Schemas that must all hold (`allOf`), as one. Vendors know no `allOf`, or not everywhere. The
// result allows everything that all parts allow; where two limits cannot be said in one schema, the
// first is kept and the other given up.

import { isSchema, type Schema } from "./json-schema.ts";

type Merge = (a: never, b: never) => unknown;

const RULES = new Map<string, Merge>([
  ["type", bothTypes],
  ["enum", (a: unknown[], b: unknown[]) => common(a, b)],
  ["required", (a: string[], b: string[]) => [...new Set([...a, ...b])]],
  ["properties", bothMaps],
  ["patternProperties", bothMaps],
  ["additionalProperties", bothOpen],
  ["items", (a: Schema, b: Schema) => mergeTwo(a, b)],
  ["description", (a: string, b: string) => (a.includes(b) ? a : `${a} ${b}`)],
  ...["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"].map(
    (keyword): [string, Merge] => [keyword, (a: number, b: number) => Math.max(a, b)],
  ),
  ...["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"].map(
    (keyword): [string, Merge] => [keyword, (a: number, b: number) => Math.min(a, b)],
  ),
]);

/** The node without its `allOf`. */
export function mergeAllOf(node: Schema): Schema {
  if (!Array.isArray(node.allOf)) return node;
  const { allOf, ...rest } = node;
  const parts = allOf as Schema[];
  const merged = parts.reduce(mergeTwo, rest);
  // A part alone is a reference with something beside it: what it says of itself is meant.
  const [only] = parts;
  if (parts.length === 1 && only?.description !== undefined) merged.description = only.description;
  return merged;
}

export function mergeTwo(a: Schema, b: Schema): Schema {
  const merged: Schema = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    if (!Object.hasOwn(a, keyword)) merged[keyword] = value;
    else {
      const rule = RULES.get(keyword) as ((x: unknown, y: unknown) => unknown) | undefined;
      if (rule) merged[keyword] = rule(a[keyword], value);
    }
  }
  // Two conditions, or the halves of two: one alone would say something else.
  if (a.if !== undefined && b.if !== undefined) {
    for (const half of ["then", "else"]) {
      if (a[half] === undefined) delete merged[half];
    }
  }
  return merged;
}

function bothMaps(a: Schema, b: Schema): Schema {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const other = merged.get(name);
    merged.set(name, isSchema(other) && isSchema(schema) ? mergeTwo(other, schema) : schema);
  }
  return Object.fromEntries(merged);
}

/** What one closes is closed: nobody can give more than it describes. */
function bothOpen(a: unknown, b: unknown): unknown {
  if (a === false || b === false) return false;
  if (isSchema(a) && isSchema(b)) return mergeTwo(a, b);
  return isSchema(a) ? a : b;
}

function bothTypes(a: string | string[], b: string | string[]): unknown {
  const [first, second] = [a, b].map((type) => (Array.isArray(type) ? type : [type]));
  const shared = first!.flatMap((type) => {
    if (second!.includes(type)) return [type];
    if (type === "number" && second!.includes("integer")) return ["integer"];
    return type === "integer" && second!.includes("number") ? ["integer"] : [];
  });
  // Nothing is both: nothing could be given, whatever is said here.
  if (shared.length === 0) return a;
  return shared.length === 1 ? shared[0] : shared;
}

function common(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const known = new Set(b.map((value) => JSON.stringify(value)));
  const both = a.filter((value) => known.has(JSON.stringify(value)));
  return both.length > 0 ? both : a;
}
