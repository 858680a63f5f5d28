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

test("each bound holds where it says, and not one further", () => {
  const bounds: [JsonSchema, unknown, unknown, string][] = [
    [{ minimum: 2 }, 2, 1, "at least 2"],
    [{ maximum: 2 }, 2, 3, "at most 2"],
    [{ exclusiveMinimum: 2 }, 3, 2, "more than 2"],
    [{ exclusiveMaximum: 2 }, 1, 2, "less than 2"],
    [{ multipleOf: 3 }, 6, 7, "a multiple of 3"],
    [{ minLength: 2 }, "ab", "a", "at least 2 characters"],
    [{ maxLength: 2 }, "ab", "abc", "at most 2 characters"],
    [{ minItems: 2 }, [1, 2], [1], "at least 2 items"],
    [{ maxItems: 2 }, [1, 2], [1, 2, 3], "at most 2 items"],
    [{ uniqueItems: true }, [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 1 }], "items that differ"],
    [{ pattern: "^a$" }, "a", "b", "text like ^a$"],
    [{ const: 1 }, 1, 2, "1"],
    [{ enum: [1, { a: 1 }] }, { a: 1 }, { a: 2 }, 'one of 1, {"a":1}'],
  ];
  for (const [schema, good, bad, expected] of bounds) {
    expect({ schema, issues: wrong(schema, good) }).toEqual({ schema, issues: [] });
    expect(jsonSchemaIssues(bad, schema)).toEqual([
      { path: [], problem: "wrong", expected, received: bad },
    ]);
  }
  expect(wrong({ maxLength: 1 }, "😀")).toEqual([]);
  expect(wrong({ uniqueItems: false, minItems: 1 }, [1, 1])).toEqual([]);
  // What is said of other kinds of values is not said of this one.
  expect(wrong({ minimum: 9, minItems: 9, required: ["a"], pattern: "^x" }, true)).toEqual([]);
});

test("bounds that are no bounds ask for nothing", () => {
  const odd = { minimum: "9", maxLength: "0", minItems: null, pattern: 3, required: "a", enum: 1 };
  for (const value of [1, "text", [], {}]) expect(wrong(odd, value)).toEqual([]);
  expect(wrong({ required: [1, "a"], properties: 3, patternProperties: [] }, {})).toEqual([
    "a missing a value",
  ]);
  expect(wrong({ anyOf: "x", allOf: {}, oneOf: [] }, 1)).toEqual([]);
  expect(wrong({ type: "float" }, "anything")).toEqual([]);
  expect(wrong({ type: ["float", "string"] }, 1)).toEqual([" wrong a string"]);
  expect(wrong({ properties: { a: null, b: true } }, { a: 1, b: 2 })).toEqual([]);
});

test("a value of the wrong type is said once, whatever else is asked of it", () => {
  expect(wrong({ type: "string", enum: ["a"], minimum: 3, minLength: 1 }, 1)).toEqual([
    ' wrong one of "a"',
  ]);
  expect(wrong({ type: "string", anyOf: [{ type: "number" }] }, 1)).toEqual([" wrong a string"]);
  // `nullable` lets null through, and nothing else that is asked is about it.
  expect(wrong({ type: "string", nullable: true, enum: ["a"] }, null)).toEqual([]);
  expect(wrong({ nullable: true, anyOf: [{ type: "string" }] }, null)).toEqual([]);
  expect(wrong({ enum: ["a", null], const: 2 }, null)).toEqual([]);
  expect(wrong({ type: "string", nullable: true, minLength: 2 }, "a")).toHaveLength(1);
  expect(wrong({ anyOf: [{ type: "string" }] }, null)).toEqual([" wrong a string"]);
});

test("lists: each place by its own schema, the rest by the common one", () => {
  const pair = {
    prefixItems: [{ type: "string" }, { type: "number" }],
    items: { type: "boolean" },
  };
  expect(wrong(pair, ["a", 1, true])).toEqual([]);
  expect(wrong(pair, [1, "a", 2])).toEqual([
    "0 wrong a string",
    "1 wrong a number",
    "2 wrong true or false",
  ]);
  expect(wrong({ prefixItems: [{ type: "string" }] }, ["a", 1])).toEqual([]);
  const nested = { items: { items: { type: "number" } } };
  expect(jsonSchemaIssues([[1], [1, "x"]], nested)[0]!.path).toEqual([1, 1]);
});

test("objects: names by pattern, and what is further by its own schema", () => {
  const schema = {
    properties: { known: { type: "string" } },
    patternProperties: { "^x-": { type: "number" }, "^y-": { type: "boolean" } },
    additionalProperties: false,
  };
  expect(wrong(schema, { known: "a", "x-1": 1, "y-1": true })).toEqual([]);
  expect(wrong(schema, { known: 1, "x-1": "a", "y-1": 2, z: 3 })).toEqual([
    "known wrong a string",
    "x-1 wrong a number",
    "y-1 wrong true or false",
    "z unknown no such parameter",
  ]);
  // A pattern that nobody here can read may mean any name.
  const unreadable = {
    patternProperties: { "(?<": { type: "string" } },
    additionalProperties: false,
  };
  expect(wrong(unreadable, { a: 1 })).toEqual([]);
  expect(wrong({ additionalProperties: true }, { a: 1 })).toEqual([]);
  expect(
    wrong({ properties: { __proto__: {} }, additionalProperties: false }, { toString: 1 }),
  ).toEqual(["toString unknown no such parameter"]);
});

test("alternatives: none fits, one fits, several fit", () => {
  const name = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const size = { type: "object", properties: { size: { type: "number" } }, required: ["size"] };
  expect(wrong({ anyOf: [name, size] }, { name: "a", size: 1 })).toEqual([]);
  expect(wrong({ oneOf: [name, size] }, { name: "a", size: 1 })).toEqual([
    " wrong exactly one of 2 forms (this fits 2)",
  ]);
  expect(wrong({ oneOf: [name, size] }, { name: "a" })).toEqual([]);
  // Both forms could have been meant: they are named, each once.
  expect(wrong({ anyOf: [name, size, { type: "string" }] }, {})).toEqual([
    " wrong an object or a string",
  ]);
  expect(wrong({ anyOf: [{ type: "string" }, false, { type: "number" }] }, {})).toEqual([
    " wrong a string or a value or a number",
  ]);
  const byReference = { anyOf: [{ $ref: "#/$defs/a" }], $defs: { a: { type: "string" } } };
  expect(wrong(byReference, 1)).toEqual([" wrong a string"]);
  expect(wrong({ anyOf: [{ enum: ["a"] }, { enum: ["b"] }] }, "c")).toEqual([
    ' wrong one of "a" or one of "b"',
  ]);
  expect(wrong({ allOf: [name, size] }, {})).toEqual([
    "name missing a value",
    "size missing a value",
  ]);
  expect(
    wrong({ properties: { a: { anyOf: [name, { type: "null" }] } } }, { a: { name: 1 } }),
  ).toEqual(["a.name wrong a string"]);
});

test("nothing that a schema can be takes for ever, or breaks", () => {
  const loop: JsonSchema = { allOf: [{ $ref: "#" }], type: "object" };
  expect(wrong(loop, {})).toEqual([]);
  expect(wrong(loop, 1)[0]).toBe(" wrong an object");
  const properties: Record<string, unknown> = {};
  const cyclic = { type: "object", properties };
  properties.self = cyclic;
  expect(wrong(cyclic, { self: { self: 1 } })).toEqual(["self.self wrong an object"]);
  // Each form is two of the one below: 2^60 ways to be wrong.
  const $defs: Record<string, unknown> = { a0: { type: "string" } };
  for (let at = 1; at <= 60; at++) {
    const $ref = `#/$defs/a${at - 1}`;
    $defs[`a${at}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  expect(Array.isArray(wrong({ $ref: "#/$defs/a60", $defs }, 1))).toBe(true);
  expect(wrong({ pattern: "^(a+)+$" }, `${"a".repeat(5000)}!`)).toEqual([]);
  let deep: JsonSchema = { type: "string" };
  let value: unknown = 1;
  for (let at = 0; at < 5000; at++) {
    deep = { type: "object", properties: { a: deep } };
    value = { a: value };
  }
  expect(wrong(deep, value)).toEqual([]);
  expect(wrong(deep, { a: 1 })).toEqual(["a wrong an object"]);
});

test("a list is checked to its end, up to twenty thousand places in all", () => {
  const upTo = (length: number): string[] => {
    const value: unknown[] = Array.from({ length }, () => 1);
    value[length - 1] = "x";
    return wrong({ items: { type: "number" } }, value);
  };
  expect(upTo(19_999)).toEqual(["19998 wrong a number"]);
  expect(upTo(20_000)).toEqual([]);
});

test("arguments are looked into as deep as any tool's are", () => {
  const tree = { type: "object", properties: { c: { $ref: "#" } }, additionalProperties: false };
  const nested = (levels: number): unknown => {
    let value: unknown = { d: 1 };
    for (let at = 0; at < levels; at++) value = { c: value };
    return value;
  };
  expect(jsonSchemaIssues(nested(64), tree)).toMatchObject([{ problem: "unknown" }]);
  expect(jsonSchemaIssues(nested(65), tree)).toEqual([]);
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
