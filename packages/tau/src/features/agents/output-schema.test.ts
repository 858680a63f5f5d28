// Shapes of results, as JSON Schema and as the family writes them.

import { expect, test } from "bun:test";
import { jsonSchemaOf } from "./output-schema.ts";

test.each([
  [undefined, undefined],
  ["text", undefined],
  [{}, undefined],
  [{ type: "object", properties: { a: { type: "string" } } }, "same"],
  [
    { properties: { a: { type: "string" } }, optionalProperties: { n: { type: "uint8" } } },
    {
      type: "object",
      required: ["a"],
      properties: { a: { type: "string" }, n: { type: "integer", minimum: 0 } },
      additionalProperties: false,
    },
  ],
  [
    { elements: { enum: ["x", "y"], metadata: { description: "which" } } },
    { type: "array", items: { type: "string", enum: ["x", "y"], description: "which" } },
  ],
  [
    { values: { type: "timestamp", nullable: true } },
    {
      type: "object",
      additionalProperties: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
    },
  ],
])("%j", (given, expected) => {
  expect(jsonSchemaOf(given)).toEqual(expected === "same" ? (given as never) : (expected as never));
});
