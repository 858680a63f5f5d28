import { expect, test } from "bun:test";
import {
  alternativesOf,
  describeSchema,
  resolveNode,
  schemaAt,
  takesType,
  typeOf,
  typesOf,
} from "./json-schema-node.ts";

const text = { type: "string" };

test("a reference is replaced by what it leads to; what stands beside it counts more", () => {
  const root = {
    $defs: { a: { type: "string", title: "A" }, b: { $ref: "#/$defs/a" }, "x/y~z": text },
    list: [{ type: "number" }],
    word: "no schema",
  };
  const at = ($ref: string, beside = {}) => resolveNode({ $ref, ...beside }, root);
  expect(at("#/$defs/a", { title: "B" })).toEqual({ type: "string", title: "B" });
  expect(at("#/$defs/b")).toEqual({ type: "string", title: "A" });
  expect(at("#/$defs/x~1y~0z")).toEqual(text);
  expect(at("#/list/0")).toEqual({ type: "number" });
  expect(at("#")).toEqual(root);
  for (const nowhere of [
    "#/gone",
    "#/gone/x",
    "#/word",
    "#/word/x",
    "#/list",
    "#/constructor",
    "$defs/a",
    "x/$defs/a",
    "http://x/#",
  ]) {
    expect(at(nowhere)).toEqual({});
  }
  // Half a schema would be a guess.
  expect(at("#/gone", { type: "number" })).toEqual({});
  expect(resolveNode(text, root)).toBe(text);
});

test("a chain of references is followed to its end, a circle is not", () => {
  const chain: Record<string, unknown> = { a0: text };
  for (let at = 1; at <= 16; at++) chain[`a${at}`] = { $ref: `#/a${at - 1}` };
  expect(resolveNode({ $ref: "#/a15" }, chain)).toEqual(text);
  expect(resolveNode({ $ref: "#/a16" }, chain)).toEqual({ $ref: "#/a0" });
  const circle = { a: { $ref: "#/b" }, b: { $ref: "#/a" } };
  expect(resolveNode(circle.a, circle)).toMatchObject({ $ref: expect.any(String) });
});

test("alternatives are those of anyOf, or else of oneOf, resolved; what is no schema is none", () => {
  const root = { $defs: { a: text } };
  const forms = [{ $ref: "#/$defs/a" }, false, { type: "null" }];
  expect(alternativesOf({ anyOf: forms, oneOf: [] }, root)).toEqual([text, { type: "null" }]);
  expect(alternativesOf({ oneOf: forms }, root)).toEqual([text, { type: "null" }]);
  expect(alternativesOf({ oneOf: 1 }, root)).toEqual([]);
});

test("the types that a node takes are its own, or those of all its forms", () => {
  const types = (node: Record<string, unknown>) => {
    const found = typesOf(node, node);
    return found && [...found];
  };
  expect(types({ type: "string", anyOf: [{ type: "number" }] })).toEqual(["string"]);
  expect(types({ type: ["string", "null"] })).toEqual(["string", "null"]);
  expect(types({ type: "string", nullable: true })).toEqual(["string", "null"]);
  expect(types({ type: "string", nullable: "yes" })).toEqual(["string"]);
  expect(types({ enum: ["a", 1, 1.5, true, null, [], {}] })).toEqual([
    "string",
    "integer",
    "number",
    "boolean",
    "null",
    "array",
    "object",
  ]);
  expect(types({ const: 1 })).toEqual(["integer"]);
  expect(types({ anyOf: [text, { type: "null" }] })).toEqual(["string", "null"]);
  expect(types({ anyOf: [text, {}] })).toBeUndefined();
  expect(types({})).toBeUndefined();
  expect(types({ type: "float" })).toBeUndefined();
  expect(types({ type: "toString" })).toBeUndefined();
  expect(types({ type: 3 })).toBeUndefined();
});

test("a whole number is a number; any type is taken where none is named", () => {
  expect(typeOf(undefined)).toBe("null");
  expect(takesType(new Set(["number"]), "integer")).toBe(true);
  expect(takesType(new Set(["integer"]), "number")).toBe(false);
  expect(takesType(new Set(["string"]), "integer")).toBe(false);
  expect(takesType(new Set(["string"]), "string")).toBe(true);
  expect(takesType(undefined, "null")).toBe(true);
});

test("the schema of a place is found through lists, references and forms", () => {
  const root = {
    $ref: "#/$defs/root",
    $defs: {
      root: {
        properties: {
          list: { items: { $ref: "#/$defs/item" } },
          either: { anyOf: [{ type: "null" }, { properties: { inner: text } }] },
        },
      },
      item: { properties: { at: { type: "number" } } },
    },
  };
  expect(schemaAt(root, ["list", 3, "at"])).toEqual({ type: "number" });
  expect(schemaAt(root, ["either", "inner"])).toEqual(text);
  expect(schemaAt(root, [])).toMatchObject({ properties: expect.anything() });
  for (const nowhere of [["gone"], ["list", "at"], ["either", 0], ["toString"], ["gone", "x"]]) {
    expect(schemaAt(root, nowhere)).toBeUndefined();
  }
});

test("what is asked for, in words", () => {
  expect(describeSchema({ enum: ["a", 1] })).toBe('one of "a", 1');
  expect(describeSchema({ enum: "a", const: { b: 1 } })).toBe('{"b":1}');
  expect(describeSchema({ type: ["integer", "null"] })).toBe("a whole number or null");
  expect(describeSchema({ type: "array", nullable: true })).toBe("a list or null");
  expect(describeSchema({})).toBe("a value");
  const words = ["null", "boolean", "integer", "number", "string", "array", "object"].map((type) =>
    describeSchema({ type }),
  );
  expect(words).toEqual([
    "null",
    "true or false",
    "a whole number",
    "a number",
    "a string",
    "a list",
    "an object",
  ]);
});
