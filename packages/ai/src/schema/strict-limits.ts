// How much OpenAI's strict mode takes, as its guide to structured outputs says.

import { isSchema, mapChildren, type Schema } from "./json-schema.ts";

const MAX_PROPERTIES = 5000;
const MAX_NESTING = 10;
/** Of the names of properties and the values of enumerations, together. */
const MAX_CHARS = 120_000;
const MAX_ENUM_VALUES = 1000;
/** A long enumeration of words may have so many characters. */
const LONG_ENUM = 250;
const MAX_LONG_ENUM_CHARS = 15_000;
/** Quotes and control characters cannot be in the grammar's names. */
const NAME = /^[^"\\\p{Cc}]+$/u;

interface Count {
  properties: number;
  chars: number;
  values: number;
  fits: boolean;
}

export function isWithinLimits(schema: Schema): boolean {
  const count: Count = { properties: 0, chars: 0, values: 0, fits: true };
  walk(schema, 1, count);
  return (
    count.fits &&
    count.properties <= MAX_PROPERTIES &&
    count.chars <= MAX_CHARS &&
    count.values <= MAX_ENUM_VALUES
  );
}

function walk(node: Schema, nesting: number, count: Count): void {
  if (nesting > MAX_NESTING) count.fits = false;
  if (!count.fits) return;
  if (isSchema(node.properties)) {
    for (const name of Object.keys(node.properties)) {
      count.properties++;
      count.chars += name.length;
      count.fits &&= NAME.test(name);
    }
  }
  const values = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
  const chars = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  count.values += values.length;
  count.chars += chars;
  if (values.length > LONG_ENUM && chars > MAX_LONG_ENUM_CHARS) count.fits = false;
  mapChildren(node, (child, keyword) => {
    // Only objects and lists are levels; alternatives are of the same one.
    walk(child, keyword === "anyOf" ? nesting : nesting + 1, count);
    return child;
  });
}
