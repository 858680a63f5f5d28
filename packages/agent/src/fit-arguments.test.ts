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

test("a name that means something to JavaScript is a name", () => {
  const fitted = fitArguments(JSON.parse('{"free":{"__proto__":{"x":1}}}'), schema);
  expect(JSON.stringify(fitted)).toBe('{"free":{"__proto__":{"x":1}}}');
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
