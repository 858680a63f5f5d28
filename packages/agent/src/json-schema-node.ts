// Looking at one node of a JSON Schema: where its references lead, which types it takes,
// what it asks for in words. Schemas from outside may be anything at all; a node that
// makes no sense asks for nothing.

import type { JsonSchema } from "@tau/ai/request";

export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** Chains of references are short; longer ones are circles. */
const MAX_REFERENCES = 16;

export function isNode(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function resolveNode(node: JsonSchema, root: JsonSchema): JsonSchema {
  let at = node;
  for (let hops = 0; typeof at.$ref === "string" && hops < MAX_REFERENCES; hops++) {
    const target = lookUp(root, at.$ref);
    if (!target) return {};
    const { $ref: _reference, ...beside } = at;
    at = { ...target, ...beside };
  }
  return at;
}

function lookUp(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return isNode(at) ? at : undefined;
}

/** The alternatives of `anyOf` or `oneOf`, resolved; empty where there are none. */
export function alternativesOf(node: JsonSchema, root: JsonSchema): JsonSchema[] {
  const list = Array.isArray(node.anyOf) ? node.anyOf : node.oneOf;
  if (!Array.isArray(list)) return [];
  return list.filter(isNode).map((item) => resolveNode(item, root));
}

/** The types a resolved node takes; undefined where it takes any. */
export function typesOf(node: JsonSchema, root: JsonSchema): ReadonlySet<JsonType> | undefined {
  const own = ownTypes(node);
  if (own) return own;
  const alternatives = alternativesOf(node, root);
  if (alternatives.length === 0) return undefined;
  const all = new Set<JsonType>();
  for (const alternative of alternatives) {
    const types = ownTypes(alternative);
    if (!types) return undefined;
    for (const type of types) all.add(type);
  }
  return all;
}

/** A type that JSON does not have is another dialect's: it must not refuse every call. */
function ownTypes(node: JsonSchema): Set<JsonType> | undefined {
  const named = typeof node.type === "string" ? [node.type] : node.type;
  const values = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
  const types = new Set(Array.isArray(named) ? named.filter(isType) : values.map(typeOf));
  if (types.size === 0) return undefined;
  if (node.nullable === true) types.add("null");
  return types;
}

function isType(name: unknown): name is JsonType {
  return typeof name === "string" && Object.hasOwn(WORDS, name);
}

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "boolean" | "string" | "object";
}

export function takesType(types: ReadonlySet<JsonType> | undefined, type: JsonType): boolean {
  return !types || types.has(type) || (type === "integer" && types.has("number"));
}

/** The node that describes the value at a path, where the schema says. */
export function schemaAt(
  root: JsonSchema,
  path: readonly (string | number)[],
): JsonSchema | undefined {
  let at: JsonSchema | undefined = resolveNode(root, root);
  for (const part of path) {
    const holders: JsonSchema[] = [at, ...alternativesOf(at, root)];
    const children: unknown[] = holders.map((holder) =>
      typeof part === "number" ? holder.items : ownProperty(holder.properties, part),
    );
    const child: unknown = children.find(isNode);
    if (!isNode(child)) return undefined;
    at = resolveNode(child, root);
  }
  return at;
}

export function ownProperty(properties: unknown, name: string): unknown {
  return isNode(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const WORDS: Record<JsonType, string> = {
  null: "null",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  string: "a string",
  array: "a list",
  object: "an object",
};

/** What a node asks for, as words after "expected". */
export function describeSchema(node: JsonSchema): string {
  if (Array.isArray(node.enum)) {
    return `one of ${node.enum.map((value) => JSON.stringify(value)).join(", ")}`;
  }
  if ("const" in node) return JSON.stringify(node.const);
  const types = ownTypes(node);
  if (!types) return "a value";
  return [...types].map((type) => WORDS[type]).join(" or ");
}
