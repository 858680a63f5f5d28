// Claude's own API takes JSON Schema 2020-12 as it is, but at the top only names of a certain form;
// Bedrock, whichever model it serves, besides only the three keywords that make an object.

import { moveToDescription } from "./describe-keywords.ts";
import { isSchema, type Schema } from "./json-schema.ts";
import type { SchemaTarget } from "./tool-schema.ts";

/** The vendor's rule for the names of parameters; names further inside are free. */
const NAME = /^[a-zA-Z0-9_.-]{1,64}$/;
/** What is told about a parameter that cannot be declared. */
const MAX_TOLD_CHARS = 120;

/** A parameter that cannot be declared is told, and stays possible. */
export function withPlainNames(schema: Schema): Schema {
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const odd = properties.filter(([name]) => !NAME.test(name));
  if (odd.length === 0) return schema;
  const { required, additionalProperties: _closed, ...rest } = schema;
  const told = odd.map(([name, value]) => tell(name, value as Schema)).join("; ");
  const before = typeof schema.description === "string" ? `${schema.description} ` : "";
  const plain: Schema = {
    ...rest,
    description: `${before}(also takes: ${told})`,
    properties: Object.fromEntries(properties.filter(([name]) => NAME.test(name))),
  };
  const wanted = ((required as string[] | undefined) ?? []).filter((name) => NAME.test(name));
  if (wanted.length > 0) plain.required = wanted;
  return plain;
}

function tell(name: string, { type, description }: Schema): string {
  const what = [type, description].filter((part) => part !== undefined).join(", ");
  return `${JSON.stringify(name)} ${what}`.slice(0, MAX_TOLD_CHARS).toWellFormed().trim();
}

const BEDROCK_TOP = new Set(["type", "properties", "required"]);

/** What the description told goes to the first parameter: at the top there is no place for it. */
function bedrockTop(schema: Schema): Schema {
  const { description, ...rest } = schema;
  const top = new Set(Object.keys(rest).filter((keyword) => !BEDROCK_TOP.has(keyword)));
  const kept = moveToDescription(rest, top);
  delete kept.description;
  const [first, ...others] = Object.entries(isSchema(kept.properties) ? kept.properties : {});
  if (description === undefined || !first) return kept;
  const [name, value] = first as [string, Schema];
  const own = typeof value.description === "string" ? ` ${value.description}` : "";
  const told = { ...value, description: `[${String(description)}]${own}` };
  return { ...kept, properties: Object.fromEntries([[name, told], ...others]) };
}

export const ANTHROPIC: SchemaTarget = {
  name: "anthropic",
  pass: withPlainNames,
  strict: false,
};

export const BEDROCK: SchemaTarget = {
  name: "bedrock",
  pass: (schema) => bedrockTop(withPlainNames(schema)),
  strict: false,
};
