// OpenAI's strict mode: every object closed, every property required, optional ones
// nullable, no keyword that its grammar cannot enforce, and not too much of anything. A schema that
// does not fit is sent without the promise.

import { OPENAI, withProperties, type SchemaTarget } from "./tool-schema.ts";
import { isWithinLimits } from "./strict-limits.ts";
import {
  guardDepth,
  InexpressibleSchema,
  isSchema,
  mapChildren,
  type Schema,
} from "./json-schema.ts";

const UNENFORCED = new Set([
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minContains",
  "maxContains",
  "contains",
  "minProperties",
  "maxProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "if",
  "then",
  "else",
  "not",
  "default",
  "examples",
  "title",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
]);

const PRIMITIVES = new Set(["string", "number", "integer", "boolean", "null"]);

/** Keywords that only make sense beside certain types. */
const TYPE_OF_KEYWORD: Record<string, string> = {
  properties: "object",
  required: "object",
  additionalProperties: "object",
  items: "array",
  prefixItems: "array",
};

function strictSchema(schema: Schema): Schema {
  const strict = enforce(schema, 0);
  if (!isWithinLimits(strict)) throw new InexpressibleSchema("larger than strict mode takes");
  return strict;
}

/** What a closed list of alternatives may have beside it. */
const BESIDE_UNION = new Set(["anyOf", "description"]);

function enforce(raw: Schema, depth: number): Schema {
  guardDepth(depth);
  const node = splitTypes(sanitise(raw));
  refuseInexpressible(node, depth);
  const wanted = new Set(Array.isArray(node.required) ? node.required : []);
  const closed = mapChildren(node, (child) => enforce(child, depth + 1));
  if (closed.type === "object" || isSchema(closed.properties)) {
    const properties = isSchema(closed.properties) ? closed.properties : {};
    closed.type = "object";
    closed.properties = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [
        name,
        wanted.has(name) ? child : nullable(child as Schema),
      ]),
    );
    closed.required = Object.keys(properties);
    closed.additionalProperties = false;
  }
  return requireType(closed);
}

function refuseInexpressible(node: Schema, depth: number): void {
  const isObject = node.type === "object" || isSchema(node.properties);
  // A free-form object cannot be closed without losing what it is for.
  const isFree =
    node.additionalProperties === true ||
    isSchema(node.additionalProperties) ||
    node.patternProperties !== undefined ||
    (depth > 0 && node.properties === undefined && node.additionalProperties !== false);
  if (isObject && isFree) throw new InexpressibleSchema("an object with free keys");
  if (node.type === "array" && !isSchema(node.items)) {
    throw new InexpressibleSchema("a list of anything");
  }
  for (const keyword of ["oneOf", "prefixItems"]) {
    if (node[keyword] !== undefined) throw new InexpressibleSchema(keyword);
  }
  if (node.anyOf !== undefined && Object.keys(node).some((keyword) => !BESIDE_UNION.has(keyword))) {
    throw new InexpressibleSchema("something beside a union");
  }
}

function sanitise(node: Schema): Schema {
  const kept: Schema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!UNENFORCED.has(keyword)) kept[keyword] = value;
  }
  const { description } = kept;
  if (
    node.default !== undefined &&
    typeof description === "string" &&
    !description.includes("(default:")
  ) {
    kept.description = `${description} (default: ${JSON.stringify(node.default)})`;
  }
  return kept;
}

/** One branch a type, each with its own keywords; the description stays on the whole. */
function splitTypes(node: Schema): Schema {
  if (!Array.isArray(node.type)) return node;
  const types = node.type as string[];
  const { type: _types, description, ...rest } = node;
  if (types.length === 1) return { ...node, type: types[0] };
  const branches = types.map((type) => {
    const branch: Schema = { type };
    for (const [keyword, value] of Object.entries(rest)) {
      if (keyword === "enum" && Array.isArray(value)) {
        const fitting = value.filter((item) => typeOf(item) === type);
        if (fitting.length > 0 && type !== "null") branch.enum = fitting;
      } else if ((TYPE_OF_KEYWORD[keyword] ?? type) === type && type !== "null") {
        branch[keyword] = value;
      }
    }
    return branch;
  });
  return description === undefined ? { anyOf: branches } : { anyOf: branches, description };
}

function nullable(node: Schema): Schema {
  const branches = node.anyOf;
  if (Array.isArray(branches)) {
    const has = branches.some((branch) => isSchema(branch) && branch.type === "null");
    return has ? node : { ...node, anyOf: [...branches, { type: "null" }] };
  }
  if (node.type === "null") return node;
  const { description, ...rest } = node;
  const union: Schema = { anyOf: [rest, { type: "null" }] };
  return description === undefined ? union : { ...union, description };
}

/** The grammar needs a type; `enum` and `const` tell it where they are of one kind. */
function requireType(node: Schema): Schema {
  if (node.type !== undefined || node.anyOf !== undefined) return node;
  const values = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : [];
  const types = new Set(values.map(typeOf));
  const [type] = types;
  if (types.size !== 1 || type === undefined || !PRIMITIVES.has(type)) {
    throw new InexpressibleSchema("a value of any type");
  }
  return { ...node, type };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

export const OPENAI_STRICT: SchemaTarget = {
  name: "openai-strict",
  pass: (schema) => strictSchema(withProperties(schema)),
  strict: true,
  otherwise: OPENAI,
};
