import { describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../request.ts";
import { ANTHROPIC, BEDROCK } from "./anthropic.ts";
import { ANTHROPIC_STRICT } from "./anthropic-strict.ts";
import { CLOUD_CODE } from "./cloud-code.ts";
import { GOOGLE } from "./google.ts";
import { isSchema, mapChildren, type Schema } from "./json-schema.ts";
import { NASTY_SCHEMAS } from "./fixtures/nasty-schemas.ts";
import { OPENAI_STRICT } from "./openai-strict.ts";
import { fitSchema, OPENAI, RESPONSES } from "./tool-schema.ts";
import { complaints } from "./fixtures/vendor-rules.ts";

const TARGETS = {
  openai: OPENAI,
  "openai-strict": OPENAI_STRICT,
  responses: RESPONSES,
  anthropic: ANTHROPIC,
  "anthropic-strict": ANTHROPIC_STRICT,
  bedrock: BEDROCK,
  google: GOOGLE,
  "cloud-code": CLOUD_CODE,
  ollama: OPENAI,
};
type Target = keyof typeof TARGETS;
const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
const NAMES = Object.keys(TARGETS) as Target[];
/** Small schemas may grow to this; a few hundred tokens. */
const SMALL_CHARS = 1024;

/** What each target is documented to lose: alternatives that it cannot declare. */
const DOCUMENTED: Partial<Record<Target, readonly string[]>> = {
  // A value of any type is a word, a number, a truth or an object; lists must be declared.
  google: ["one property, three kinds"],
  "cloud-code": [
    "one property, three kinds",
    "enum with null",
    "nullable",
    "nullable array without items",
    "only null",
    "numeric const",
    "mixed enum",
    "enum of objects",
    "boolean properties",
    "boolean items",
    "union inside a union",
    "anyOf with a description",
    "type lists",
    "tuple",
    "old tuple",
    "many untyped properties",
  ],
};

/** Undefined for what goes round in circles: nothing like it comes over a wire. */
function written(schema: unknown): string | undefined {
  try {
    return JSON.stringify(schema);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** OpenAPI's word, for a judge that knows only JSON Schema. */
function withoutNullable(node: Schema): Schema {
  const walked = mapChildren(node, withoutNullable);
  const { nullable, ...rest } = walked;
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}

/** Strict mode asks for every property; what is left out is null there. */
function filledIn(value: unknown, schema: unknown): unknown {
  if (!isSchema(schema)) return value;
  if (Array.isArray(value)) return value.map((item) => filledIn(item, schema.items));
  if (!isSchema(value)) return value;
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
  const object = (branches as Schema[]).find((branch) => branch.type === "object");
  if (!object) return value;
  const named = Object.entries((object.properties as Schema | undefined) ?? {});
  const filled = named.map(([name, inner]) => [
    name,
    Object.hasOwn(value, name) ? filledIn(value[name], inner) : null,
  ]);
  return { ...value, ...Object.fromEntries(filled) };
}

test("there are at least sixty of them", () => {
  expect(Object.keys(NASTY_SCHEMAS).length).toBeGreaterThanOrEqual(60);
});

describe.each(NAMES)("%s", (name) => {
  test.each(Object.keys(NASTY_SCHEMAS))("takes: %s", (title) => {
    const { schema, takes } = NASTY_SCHEMAS[title]!;
    const before = written(schema);
    const { schema: fitted, strict } = fitSchema(schema as JsonSchema, TARGETS[name]);
    expect(written(schema) === before).toBe(true);
    // What is not promised to be strict follows the rules of the plain target.
    const rules = strict ? name : name.replace("-strict", "");
    expect(complaints(rules, fitted)).toEqual([]);
    expect(JSON.stringify(fitted).length).toBeLessThanOrEqual(
      Math.max((before?.length ?? 0) * 4, SMALL_CHARS),
    );
    if (takes === undefined || DOCUMENTED[name]?.includes(title)) return;
    const judged = name === "google" ? withoutNullable(fitted as Schema) : fitted;
    const value = strict && name === "openai-strict" ? filledIn(takes, fitted) : takes;
    expect([ajv.validate(judged, value), ajv.errorsText(), fitted]).toEqual([
      true,
      "No errors",
      fitted,
    ]);
  });
});
