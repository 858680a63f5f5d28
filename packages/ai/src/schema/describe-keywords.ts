// Limits that a target cannot enforce are told to the model in words: better a hint than
// a silent loss.

import type { Schema } from "./json-schema.ts";

/** Meaningful to a reader. Structural keywords are never told: they would only confuse. */
const TELLING = [
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "default",
  "examples",
] as const;

/** Removes `keywords` from a node and puts the telling ones into its description. */
export function moveToDescription(node: Schema, keywords: ReadonlySet<string>): Schema {
  const rest: Schema = {};
  const told: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (!keywords.has(keyword)) rest[keyword] = value;
    else if ((TELLING as readonly string[]).includes(keyword)) {
      told.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (told.length === 0) return rest;
  const before = typeof rest.description === "string" ? `${rest.description} ` : "";
  rest.description = `${before}(${told.join(", ")})`;
  return rest;
}
