import { expect, test } from "bun:test";
import type { JsonSchema } from "@tau/ai/request";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import * as v from "valibot";
import { jsonSchemaIssues } from "./json-schema-issues.ts";
import { describeIssues } from "./schema-issue.ts";

function wrong(schema: JsonSchema, value: unknown): string[] {
  const issues = jsonSchemaIssues(value, schema);
  return issues.map(({ path, problem, expected }) => `${path.join(".")} ${problem} ${expected}`);
}

test("types, with whole numbers as numbers and null only where it is said", () => {
  expect(wrong({ type: "number" }, 3)).toEqual([]);
  expect(wrong({ type: "integer" }, 3.5)).toEqual([" wrong a whole number"]);
  expect(wrong({ type: ["string", "null"] }, null)).toEqual([]);
  expect(wrong({ type: "string", nullable: true }, null)).toEqual([]);
  expect(wrong({ type: "string" }, null)).toEqual([" wrong a string"]);
  expect(wrong({ type: "array" }, {})).toEqual([" wrong a list"]);
  expect(wrong({ type: "object" }, [])).toEqual([" wrong an object"]);
});

test("values, ranges, lengths and patterns", () => {
  expect(wrong({ enum: ["a", "b"] }, "c")).toEqual([' wrong one of "a", "b"']);
  expect(wrong({ const: { a: 1 } }, { a: 1 })).toEqual([]);
  expect(wrong({ minimum: 1, exclusiveMaximum: 3 }, 3)).toEqual([" wrong less than 3"]);
  expect(wrong({ multipleOf: 2 }, 3)).toEqual([" wrong a multiple of 2"]);
  expect(wrong({ minLength: 2 }, "😀")).toEqual([" wrong at least 2 characters"]);
  expect(wrong({ pattern: "^x" }, "yx")).toEqual([" wrong text like ^x"]);
  expect(wrong({ pattern: "(?<" }, "anything")).toEqual([]);
  expect(wrong({ maxItems: 1, items: { type: "string" } }, ["a", 2])).toEqual([
    " wrong at most 1 items",
    "1 wrong a string",
  ]);
  expect(wrong({ uniqueItems: true }, [1, 1])).toEqual([" wrong items that differ"]);
  expect(wrong({ prefixItems: [{ type: "string" }], items: false }, ["a", 1])).toEqual([
    "1 wrong nothing",
  ]);
});

test("properties: missing, unknown, further ones by a schema", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  expect(wrong(schema, { b: 1 })).toEqual(["a missing a value", "b unknown no such parameter"]);
  const map = { additionalProperties: { type: "number" } };
  expect(wrong(map, { x: 1, y: "2" })).toEqual(["y wrong a number"]);
  // Names that every object inherits are no properties.
  expect(wrong({ ...schema, required: ["constructor"] }, {})).toEqual([
    "constructor missing a value",
  ]);
});

test("alternatives: the one that was meant is explained", () => {
  const forms = {
    oneOf: [
      { type: "string" },
      { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
    ],
  };
  expect(wrong(forms, "x")).toEqual([]);
  expect(wrong(forms, { a: "1" })).toEqual(["a wrong a number"]);
  expect(wrong(forms, 3)).toEqual([" wrong a string or an object"]);
  expect(wrong({ oneOf: [{ type: "number" }, { type: "integer" }] }, 1)).toHaveLength(1);
  expect(wrong({ allOf: [{ minimum: 2 }, { maximum: 1 }] }, 1)).toEqual([" wrong at least 2"]);
});

test("local references are followed, also round in a circle", () => {
  const tree = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: { name: { type: "string" }, child: { $ref: "#/$defs/node" } },
        required: ["name"],
      },
    },
  };
  expect(wrong(tree, { name: "a", child: { name: "b", child: {} } })).toEqual([
    "child.child.name missing a value",
  ]);
  expect(wrong({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } }, 1)).toEqual([]);
  expect(wrong({ $ref: "http://elsewhere/schema" }, 1)).toEqual([]);
});

test("agrees with the other schema library on what fits", () => {
  const schema = v.strictObject({
    path: v.pipe(v.string(), v.minLength(1)),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    mode: v.optional(v.picklist(["a", "b"])),
    edits: v.optional(v.array(v.strictObject({ at: v.number(), text: v.nullable(v.string()) }))),
  });
  const json = toJsonSchema(schema) as JsonSchema;
  const scalar = fc.oneof(
    fc.constantFrom<unknown>("", "a", "b", null, true, 0, 1, 1.5),
    fc.array(
      fc.record(
        { at: fc.constantFrom(1, "1"), text: fc.constantFrom("t", null) },
        { requiredKeys: ["at"] },
      ),
      { maxLength: 2 },
    ),
  );
  const value = fc.record(
    { path: scalar, limit: scalar, mode: scalar, edits: scalar, other: scalar },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(value, (value) => {
      expect(jsonSchemaIssues(value, json).length === 0).toBe(v.safeParse(schema, value).success);
    }),
    { numRuns: 1000 },
  );
});

test("an issue says where, what was wanted, what came and what was meant", () => {
  const schema = {
    type: "object",
    properties: {
      file_path: { type: "string" },
      edits: {
        type: "array",
        items: { type: "object", properties: { line: { type: "integer" } } },
      },
    },
    required: ["file_path"],
    additionalProperties: false,
  };
  const issues = jsonSchemaIssues({ filePath: "x", edits: [{ line: "y".repeat(99) }] }, schema);
  expect(describeIssues("edit", schema, issues)).toBe(
    [
      "The arguments of edit do not fit:",
      "- file_path: missing; expected a string",
      '- filePath: unknown parameter; did you mean "file_path"?',
      `- edits[0].line: expected a whole number, received "${"y".repeat(59)}…`,
    ].join("\n"),
  );
});
