// Tool definitions as TypeScript types, the form in which harmony's models know functions.

import type { JsonSchema, ToolSpec } from "../request.ts";

export function renderFunctionTypes(tools: readonly ToolSpec[]): string {
  const types = tools.map((tool) => {
    const parameters = propertiesOf(tool.parameters);
    const argument = parameters.length === 0 ? "" : `_: ${objectType(tool.parameters)}`;
    return `${comment(tool.description)}type ${tool.name} = (${argument}) => any;`;
  });
  return `namespace functions {\n\n${types.join("\n\n")}\n\n} // namespace functions`;
}

function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return "any";
  const { type, enum: values, const: constant } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (constant !== undefined) return JSON.stringify(constant);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return options.map(typeOf).join(" | ");
  if (Array.isArray(type)) {
    return type.map((one: unknown) => typeOf({ ...schema, type: one })).join(" | ");
  }
  if (type === "object" || schema.properties !== undefined) return objectType(schema);
  if (type === "array") return arrayType(schema.items);
  if (type === "integer" || type === "number") return "number";
  return type === "string" || type === "boolean" || type === "null" ? type : "any";
}

function arrayType(items: unknown): string {
  const type = typeOf(items);
  return /[ |]/.test(type) ? `(${type})[]` : `${type}[]`;
}

function objectType(schema: JsonSchema): string {
  const properties = propertiesOf(schema);
  if (properties.length === 0) return "object";
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const lines = properties.map(([key, property]) => {
    const details = isSchema(property) ? property : {};
    const note =
      details.default === undefined ? "" : ` // default: ${JSON.stringify(details.default)}`;
    const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
    const mark = required.has(key) ? "" : "?";
    return `${comment(details.description)}${name}${mark}: ${typeOf(property)},${note}`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

function comment(text: unknown): string {
  if (typeof text !== "string" || text.trim() === "") return "";
  return text
    .trim()
    .split("\n")
    .map((line) => `// ${line}\n`)
    .join("");
}

function propertiesOf(schema: JsonSchema): [string, unknown][] {
  return isSchema(schema.properties) ? Object.entries(schema.properties) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
