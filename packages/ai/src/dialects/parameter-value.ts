// Values of conventions that write strings without quotes. What `42` or `{"a":1}` means
// there depends on the parameter: a string stays the text it is; anything else is JSON,
// or else a Python literal, or else text after all.

import type { JsonSchema, ToolSpec } from "../request.ts";
import { parsePythonLiteral } from "./python-literal.ts";

export function parameterSchema(tool: ToolSpec | undefined, key: string): JsonSchema | undefined {
  const properties = tool?.parameters.properties;
  if (!isSchema(properties) || !Object.hasOwn(properties, key)) return undefined;
  const schema = properties[key];
  return isSchema(schema) ? schema : undefined;
}

/** The value is text whatever it looks like, so that it can be told while it arrives. */
export function admitsOnlyText(schema: JsonSchema | undefined): boolean {
  const types = typesOf(schema);
  return types !== undefined && types.size === 1 && types.has("string");
}

export function decodeValue(text: string, schema: JsonSchema | undefined): unknown {
  const types = typesOf(schema);
  if (types && [...types].every((type) => type === "string" || type === "null")) {
    return types.has("null") && /^\s*(?:null|None)\s*$/.test(text) ? null : text;
  }
  const json = parseJson(text);
  if (json !== undefined) return json;
  const literal = parsePythonLiteral(text);
  return literal === undefined ? text : literal;
}

/** The text that decodes to the value, as far as there is one. */
export function encodeValue(
  value: unknown,
  schema: JsonSchema | undefined,
): { text: string; isJson: boolean } {
  if (typeof value !== "string") return { text: JSON.stringify(value), isJson: true };
  // A text that would be read as something else is quoted where quotes are understood.
  const isSafe = decodeValue(value, schema) === value;
  const quoted = JSON.stringify(value);
  if (isSafe || decodeValue(quoted, schema) !== value) return { text: value, isJson: false };
  return { text: quoted, isJson: true };
}

/** The JSON types a schema admits; undefined where it does not say. */
function typesOf(schema: JsonSchema | undefined): ReadonlySet<string> | undefined {
  if (!schema) return undefined;
  const { type, anyOf, oneOf, enum: values, const: constant } = schema;
  if (typeof type === "string") return new Set([type]);
  if (Array.isArray(type)) return new Set(type.map(String));
  const options = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined;
  if (options) {
    const all = new Set<string>();
    for (const option of options) {
      const types = isSchema(option) ? typesOf(option) : undefined;
      if (!types) return undefined;
      for (const one of types) all.add(one);
    }
    return all;
  }
  if (Array.isArray(values)) return new Set(values.map(jsonType));
  return constant === undefined ? undefined : new Set([jsonType(constant)]);
}

function jsonType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
