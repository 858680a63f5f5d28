import { expect, test } from "bun:test";
import fc from "fast-check";
import { fitArguments } from "./fit-arguments.ts";
import { jsonSchemaIssues } from "./json-schema-issues.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    count: { type: "integer" },
    note: { type: ["string", "null"] },
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { at: { type: "number" }, text: { type: "string" } },
        required: ["at"],
      },
    },
    target: { anyOf: [{ type: "null" }, { $ref: "#/$defs/place" }] },
    free: { type: "object" },
  },
  required: ["path"],
  additionalProperties: false,
  $defs: {
    place: { type: "object", properties: { line: { type: "integer" }, end: { type: "integer" } } },
  },
};

test("null for what is optional is absence, at every depth", () => {
  const given = {
    path: "a",
    count: null,
    note: null,
    edits: [{ at: 1, text: null }],
    target: { line: 1, end: null },
    free: { kept: null },
    unknown: null,
  };
  expect(fitArguments(given, schema)).toEqual({
    path: "a",
    note: null,
    edits: [{ at: 1 }],
    target: { line: 1 },
    free: { kept: null },
  });
  // A required one stays, so that the issue says what was sent.
  expect(fitArguments({ path: null }, schema)).toEqual({ path: null });
});

test("JSON in a string is read where a string has no place", () => {
  const given = { path: '{"a":1}', count: "3", edits: '[{"at":"1.5","text":"[1]"}]', free: "{}" };
  expect(fitArguments(given, schema)).toEqual({
    path: '{"a":1}',
    count: 3,
    edits: [{ at: 1.5, text: "[1]" }],
    free: {},
  });
  expect(fitArguments({ count: "3.5", edits: "[broken" }, schema)).toEqual({
    count: "3.5",
    edits: "[broken",
  });
});

test("what a schema does not describe stays as it is", () => {
  expect(fitArguments({ a: "[1]", b: null }, { type: "object" })).toEqual({ a: "[1]", b: null });
  expect(fitArguments("3", {})).toBe("3");
  expect(fitArguments(["1"], { type: "array" })).toEqual(["1"]);
  expect(fitArguments({ a: null }, { properties: { a: true } })).toEqual({ a: null });
  expect(fitArguments({ a: "1" }, { properties: { a: { type: "float" } } })).toEqual({ a: "1" });
  expect(fitArguments(null, { type: "string" })).toBeNull();
});

test("null stays where it is a value, and goes where it is none", () => {
  const kinds = {
    properties: {
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      word: { $ref: "#/$defs/word" },
      any: {},
      maybe: { type: "string", nullable: true },
    },
    additionalProperties: false,
    $defs: { word: { type: "string" } },
  };
  const given = { either: null, word: null, any: null, maybe: null, unknown: null };
  expect(fitArguments(given, kinds)).toEqual({ either: null, any: null, maybe: null });
  const open = { properties: { word: { type: "string" } }, required: "word" };
  expect(fitArguments({ word: null, other: null }, open)).toEqual({ other: null });
});

test("JSON in a string is read only as a type that is taken there", () => {
  const read = (type: unknown, text: string) => fitArguments(text, { type });
  expect(read("object", '{"a":1}')).toEqual({ a: 1 });
  expect(read("object", "[1]")).toBe("[1]");
  expect(read("boolean", "true")).toBe(true);
  expect(read("number", "3")).toBe(3);
  expect(read("null", "null")).toBeNull();
  expect(read(["string", "number"], "3")).toBe("3");
  expect(read("array", "not JSON")).toBe("not JSON");
});

test("of several forms the one that takes the value is looked into, where it is the only one", () => {
  const forms = (...anyOf: object[]) => ({ anyOf });
  const numbers = { type: "array", items: { type: "number" } };
  const words = { type: "array", items: { type: "string" } };
  const point = { type: "object", properties: { x: { type: "number" } } };
  expect(fitArguments(["1"], forms(numbers, point))).toEqual([1]);
  expect(fitArguments({ x: "1" }, forms(numbers, point))).toEqual({ x: 1 });
  expect(fitArguments('{"x":"1"}', forms(numbers, point))).toEqual({ x: 1 });
  expect(fitArguments(["1"], forms(numbers, words))).toEqual(["1"]);
});

test("arguments are looked into as deep as any tool's are, and no deeper", () => {
  const tree = { type: "object", properties: { c: { $ref: "#" }, n: { type: "number" } } };
  const nested = (levels: number): unknown => {
    let value: unknown = { n: "1" };
    for (let at = 0; at < levels; at++) value = { c: value };
    return value;
  };
  // The number stands one level below the object that holds it.
  expect(JSON.stringify(fitArguments(nested(31), tree))).toContain('"n":1');
  expect(fitArguments(nested(32), tree)).toEqual(nested(32));
});

test("a name that means something to JavaScript is a name", () => {
  const fitted = fitArguments(JSON.parse('{"free":{"__proto__":{"x":1}}}'), schema);
  expect(JSON.stringify(fitted)).toBe('{"free":{"__proto__":{"x":1}}}');
});

test("a tool may do with its arguments as it likes", () => {
  const fitted = fitArguments({ path: "a", count: 1 }, schema) as Record<string, unknown>;
  fitted.path = "b";
  delete fitted.count;
  expect(fitted).toEqual({ path: "b" });
});

test("arguments that fit are left as they are", () => {
  const value = fc.record(
    {
      path: fc.string(),
      count: fc.integer(),
      note: fc.option(fc.string()),
      edits: fc.array(fc.record({ at: fc.double({ noNaN: true, noDefaultInfinity: true }) })),
      target: fc.option(fc.record({ line: fc.integer() })),
      free: fc.dictionary(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: ["path"] },
  );
  fc.assert(
    fc.property(value, (value) => {
      expect(jsonSchemaIssues(value, schema)).toEqual([]);
      expect(JSON.stringify(fitArguments(value, schema))).toBe(JSON.stringify(value));
    }),
  );
});
