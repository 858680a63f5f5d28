import { expect, test } from "bun:test";
import * as v from "valibot";
import { describeIssues } from "./schema-issue.ts";
import { jsonSchemaParameters, valibotParameters } from "./tool-schema.ts";

const schema = v.strictObject({
  path: v.string(),
  lines: v.optional(v.array(v.strictObject({ at: v.pipe(v.number(), v.integer()) }))),
});

test("a schema of our own says missing, unknown and wrong, each with its place", () => {
  const checked = valibotParameters(schema).validate({ lines: [{ at: 1.5, x: 1 }], other: 2 });
  expect(checked.ok ? [] : checked.issues).toEqual([
    { path: ["path"], problem: "missing", expected: "a value", received: undefined },
    { path: ["lines", 0, "at"], problem: "wrong", expected: expect.any(String), received: 1.5 },
    { path: ["lines", 0, "x"], problem: "unknown", expected: "no such parameter", received: "x" },
    { path: ["other"], problem: "unknown", expected: "no such parameter", received: "other" },
  ]);
});

test("arguments that are no object at all are wrong, not missing", () => {
  const { validate, jsonSchema } = valibotParameters(schema);
  const checked = validate(undefined);
  expect(checked.ok ? "" : describeIssues("look", jsonSchema, checked.issues)).toBe(
    "The arguments of look do not fit:\n- arguments: expected Object, received nothing",
  );
});

test("what fits is given as the schema makes it", () => {
  const trimmed = valibotParameters(v.object({ word: v.pipe(v.string(), v.trim()) }));
  expect(trimmed.validate({ word: " x " })).toEqual({ ok: true, value: { word: "x" } });
  const value = { a: 1 };
  const free = jsonSchemaParameters({ type: "object" }).validate(value);
  expect(free).toEqual({ ok: true, value });
});

test("the model is told of no dialect, and the same words every time", () => {
  const own = valibotParameters(schema);
  expect("$schema" in own.jsonSchema).toBe(false);
  expect(own.jsonSchema).toBe(own.jsonSchema);
  const foreign = jsonSchemaParameters({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
  });
  expect(foreign.jsonSchema).toEqual({ type: "object" });
  expect(foreign.validate(3)).toMatchObject({ ok: false, issues: [{ problem: "wrong" }] });
});

test("what JSON Schema cannot say is checked all the same", () => {
  const even = v.object({
    n: v.pipe(
      v.number(),
      v.check((n) => n % 2 === 0, "an even number"),
    ),
  });
  const own = valibotParameters(even);
  expect(own.jsonSchema).toMatchObject({ properties: { n: { type: "number" } } });
  expect(own.validate({ n: 2 }).ok).toBe(true);
  const odd = own.validate({ n: 3 });
  expect(odd.ok ? [] : odd.issues).toEqual([
    { path: ["n"], problem: "wrong", expected: "an even number", received: 3 },
  ]);
});
