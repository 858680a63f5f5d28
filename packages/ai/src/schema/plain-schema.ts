// A tool's parameters as plainly as they can be said: types, names, descriptions, and words to choose from.
// For servers that refuse a schema without saying which: some want a type everywhere, some make one
// grammar of all tools and cannot say unions, lengths or patterns in it. What is not said here is still
// checked when the tool is called.

import type { ToolSpec } from "../request.ts";
import { isSchema, type Schema } from "./json-schema.ts";
import { fitSchema, type SchemaTarget } from "./tool-schema.ts";

/** Deeper than tools ask for; below it anything is a text. */
const MAX_PLAIN_DEPTH = 8;

const PLAIN: SchemaTarget = {
  name: "plain",
  pass: (schema) => ({ ...plainNode({ ...schema, type: "object" }, 0), type: "object" }),
  strict: false,
};

export function withPlainSchema(tool: ToolSpec): ToolSpec {
  return { ...tool, parameters: fitSchema(tool.parameters, PLAIN).schema };
}

function plainNode(node: Schema, depth: number): Schema {
  const told: Schema =
    typeof node.description === "string" ? { description: node.description } : {};
  if (depth > MAX_PLAIN_DEPTH) return { type: "string", ...told };
  const branch = likeliest(node);
  if (branch) return { ...plainNode(branch, depth + 1), ...told };
  const type = typeOf(node);
  if (type === "object") return { type, ...told, ...plainProperties(node, depth) };
  if (type === "array") {
    const items = isSchema(node.items) ? plainNode(node.items, depth + 1) : { type: "string" };
    return { type, ...told, items };
  }
  const words = Array.isArray(node.enum) ? node.enum : [node.const];
  const isChoice = type === "string" && words.every((word) => typeof word === "string");
  return isChoice ? { type, ...told, enum: [...new Set(words)] } : { type, ...told };
}

/** Of alternatives the first that is something: the one a model is most likely to want. */
function likeliest(node: Schema): Schema | undefined {
  const branches = [node.anyOf, node.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const schemas = branches.filter(isSchema);
  if (isSchema(node.properties) || node.type === "object") return undefined;
  return schemas.find((branch) => branch.type !== "null") ?? schemas[0];
}

const TYPES = new Set(["object", "array", "string", "integer", "number", "boolean"]);

function typeOf(node: Schema): string {
  const given = [node.type].flat().find((type) => TYPES.has(type as string));
  if (given !== undefined) return given as string;
  if (isSchema(node.properties)) return "object";
  return node.items === undefined ? "string" : "array";
}

function plainProperties(node: Schema, depth: number): Schema {
  const given = isSchema(node.properties) ? Object.entries(node.properties) : [];
  const properties = given.map(([name, child]): [string, Schema] => [
    name,
    plainNode(isSchema(child) ? child : {}, depth + 1),
  ]);
  const names = new Set(properties.map(([name]) => name));
  const required = Array.isArray(node.required)
    ? node.required.filter((name) => names.has(name as string))
    : [];
  const plain: Schema = { properties: Object.fromEntries(properties) };
  if (required.length > 0) plain.required = required;
  return plain;
}
