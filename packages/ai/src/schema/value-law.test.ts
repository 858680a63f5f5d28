// The law: what a schema allows, its fitted form allows. Schemas are made together with values that
// they allow; ajv is the judge of both.

import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { ANTHROPIC, BEDROCK } from "./anthropic.ts";
import { complaints } from "./fixtures/vendor-rules.ts";
import { GOOGLE } from "./google.ts";
import { mapChildren, type Schema } from "./json-schema.ts";
import { fitSchema, OPENAI, RESPONSES } from "./tool-schema.ts";

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

interface Sample {
  schema: Schema;
  value: unknown;
}

const TARGETS = {
  openai: OPENAI,
  responses: RESPONSES,
  anthropic: ANTHROPIC,
  bedrock: BEDROCK,
  google: GOOGLE,
};
const SHARED: Schema = { type: "string", enum: ["shared", "common"] };

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  fc.string().map((value) => ({ schema: { type: "string" }, value })),
  fc.integer().map((value) => ({ schema: { type: "integer", maximum: value }, value })),
  fc.boolean().map((value) => ({ schema: { type: ["boolean", "null"] }, value })),
  fc
    .constantFrom("", "x", 1, null)
    .map((value) => ({ schema: { enum: ["", "x", 1, null] }, value })),
  fc.constant({ schema: { type: "string", nullable: true }, value: null }),
  fc.constant({ schema: { $ref: "#/$defs/shared", description: "d" }, value: "common" }),
  fc.constant({ schema: { const: 7 }, value: 7 }),
);

/** Some of the properties are given, and those may be required. */
function objectOf(properties: Record<string, Sample>, given: string[], closed: boolean): Sample {
  const names = Object.keys(properties);
  const there = names.filter((name) => given.includes(name));
  const schema: Schema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, properties[name]!.schema])),
    required: there,
  };
  if (closed) schema.additionalProperties = false;
  return { schema, value: Object.fromEntries(there.map((n) => [n, properties[n]!.value])) };
}

const names = fc.constantFrom("a", "b", "type", "filter[id]");
const { object, any } = fc.letrec<{ any: Sample; object: Sample }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthIdentifier: "sample" },
    leaf,
    tie("object"),
    tie("any").map(({ schema, value }) => ({
      schema: { type: "array", items: schema },
      value: [value],
    })),
    fc.tuple(tie("any"), tie("any")).map(([first, second]) => ({
      schema: { anyOf: [first.schema, second.schema] },
      value: second.value,
    })),
    tie("any").map(({ schema, value }) => ({ schema: { allOf: [schema, true] }, value })),
    fc.tuple(tie("any"), tie("any")).map(([first, second]) => ({
      schema: { type: "array", prefixItems: [first.schema, second.schema], items: false },
      value: [first.value, second.value],
    })),
  ),
  object: fc
    .tuple(fc.dictionary(names, tie("any"), { maxKeys: 3 }), fc.array(names), fc.boolean())
    .map(([properties, given, closed]) => objectOf(properties, given, closed)),
}));

/** At the top one of several closed objects, or one. */
const parameters: fc.Arbitrary<Sample> = fc.oneof(
  object,
  fc.tuple(object, object, fc.constantFrom("anyOf", "oneOf")).map(([first, second, keyword]) => ({
    schema: {
      [keyword]: [
        { ...first.schema, additionalProperties: false },
        { ...second.schema, additionalProperties: false },
      ],
    },
    value: second.value,
  })),
);

function withoutNullable(node: Schema): Schema {
  const { nullable, ...rest } = mapChildren(node, withoutNullable);
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}

/** OpenAPI's word in the source, for a judge that knows only JSON Schema. */
function allows(schema: Schema, value: unknown): boolean {
  return ajv.validate(withoutNullable(schema), value);
}

test("what a schema allows, its fitted form allows, and the vendor accepts it", () => {
  fc.assert(
    fc.property(parameters, ({ schema, value }) => {
      const source = { ...schema, $defs: { shared: SHARED } };
      fc.pre(allows(source, value));
      for (const [name, target] of Object.entries(TARGETS)) {
        const fitted = fitSchema(source, target).schema as Schema;
        expect(complaints(name, fitted)).toEqual([]);
        expect([name, allows(fitted, value), fitted]).toEqual([name, true, fitted]);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);

test("the generator makes what it says", () => {
  expect(fc.sample(any, 50).length).toBe(50);
  const samples = fc.sample(parameters, 200);
  const sound = samples.filter(({ schema, value }) =>
    allows({ ...schema, $defs: { shared: SHARED } }, value),
  );
  expect(sound.length).toBeGreaterThan(100);
}, 60_000);
