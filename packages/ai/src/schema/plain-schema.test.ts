import { describe, expect, test } from "bun:test";
import { isSchema, type Schema } from "./json-schema.ts";
import { NASTY_SCHEMAS } from "./fixtures/nasty-schemas.ts";
import { withPlainSchema } from "./plain-schema.ts";

const KEYWORDS = new Set(["type", "description", "properties", "required", "items", "enum"]);
const TYPES = new Set(["object", "array", "string", "integer", "number", "boolean"]);

/** What of a schema is more than the plainest server takes. */
function complaints(node: unknown, at = "root"): string[] {
  if (!isSchema(node)) return [`${at}: not a schema`];
  const found = Object.keys(node).filter((keyword) => !KEYWORDS.has(keyword));
  const own = found.map((keyword) => `${at}: ${keyword}`);
  if (!TYPES.has(node.type as string)) own.push(`${at}: type ${String(node.type)}`);
  if (node.type === "array") own.push(...complaints(node.items, `${at}[]`));
  const properties = Object.entries((node.properties ?? {}) as Schema);
  for (const [name, child] of properties) own.push(...complaints(child, `${at}.${name}`));
  for (const name of (node.required ?? []) as string[]) {
    if (!properties.some(([known]) => known === name)) own.push(`${at}: requires ${name}`);
  }
  return own;
}

describe("whatever a schema says, its plain form has types and names alone", () => {
  for (const [name, { schema }] of Object.entries(NASTY_SCHEMAS)) {
    test(name, () => {
      const { parameters } = withPlainSchema({
        name: "t",
        description: "",
        parameters: schema as Schema,
      });
      expect(complaints(parameters)).toEqual([]);
      expect(parameters.type).toBe("object");
    });
  }
});

test("what a model needs to make a call is still there", () => {
  const parameters = {
    type: "object",
    description: "finds",
    properties: {
      mode: { enum: ["a", "b"], description: "how" },
      limit: { anyOf: [{ type: "null" }, { type: "integer", minimum: 1 }], description: "most" },
      paths: { type: ["array", "null"], items: { type: "string", pattern: "^/", maxLength: 4096 } },
      more: { type: "object", properties: { deep: { type: "boolean" } }, required: ["deep"] },
    },
    required: ["mode"],
    additionalProperties: false,
  };
  const tool = { name: "t", description: "d", parameters };
  const plain = withPlainSchema(tool);
  expect(plain).toEqual({
    name: "t",
    description: "d",
    parameters: {
      type: "object",
      description: "finds",
      properties: {
        mode: { type: "string", description: "how", enum: ["a", "b"] },
        limit: { type: "integer", description: "most" },
        paths: { type: "array", items: { type: "string" } },
        more: {
          type: "object",
          properties: { deep: { type: "boolean" } },
          required: ["deep"],
        },
      },
      required: ["mode"],
    },
  });
  // One object for one tool: what is made of it for a vendor is made once.
  expect(withPlainSchema(tool).parameters).toBe(plain.parameters);
});
