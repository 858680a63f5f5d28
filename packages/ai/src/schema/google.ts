// Gemini takes a part of OpenAPI's schema: one type a node, `nullable` beside it, no
// references and no unions of unlike things. What it lacks is told in the description.

import { asObject, type SchemaTarget } from "./tool-schema.ts";
import { moveToDescription } from "./describe-keywords.ts";
import { guardDepth, isSchema, mapChildren, type Schema } from "./json-schema.ts";

const SUPPORTED = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "items",
  "maxItems",
  "minItems",
  "properties",
  "required",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern",
  "anyOf",
  "propertyOrdering",
]);

/** Other formats make the request fail. */
const FORMATS: Record<string, readonly string[]> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

export function googleSchema(schema: Schema, depth = 0): Schema {
  guardDepth(depth);
  const single = settle(schema);
  const drop = new Set(Object.keys(single).filter((keyword) => !SUPPORTED.has(keyword)));
  if (typeof single.format === "string") {
    const allowed = FORMATS[String(single.type)] ?? [];
    if (!allowed.includes(single.format)) drop.add("format");
  }
  const kept = moveToDescription(constAsEnum(single), drop);
  const walked = mapChildren(kept, (child) => googleSchema(child, depth + 1));
  if (walked.type === "array" && !isSchema(walked.items)) walked.items = { type: "string" };
  if (walked.enum !== undefined) return textEnum(walked);
  return walked;
}

/** What is inlined may need the same treatment again. */
function settle(node: Schema): Schema {
  let at = node;
  for (let round = 0; ; round++) {
    guardDepth(round);
    const next = oneType(mergeAllOf(asAnyOf(at)));
    if (next === at) return at;
    at = next;
  }
}

function asAnyOf(node: Schema): Schema {
  if (!Array.isArray(node.oneOf)) return node;
  const { oneOf, ...rest } = node;
  return { ...rest, anyOf: [...(Array.isArray(rest.anyOf) ? rest.anyOf : []), ...oneOf] };
}

/** Objects that must all hold are one object with all their properties. */
function mergeAllOf(node: Schema): Schema {
  if (!Array.isArray(node.allOf)) return node;
  const { allOf, ...rest } = node;
  let merged: Schema = rest;
  for (const part of allOf) {
    if (!isSchema(part)) continue;
    merged = {
      ...merged,
      ...part,
      ...(isSchema(merged.properties) || isSchema(part.properties)
        ? { properties: { ...(merged.properties as Schema), ...(part.properties as Schema) } }
        : {}),
      ...(merged.required || part.required
        ? {
            required: [
              ...new Set([
                ...((merged.required as string[] | undefined) ?? []),
                ...((part.required as string[] | undefined) ?? []),
              ]),
            ],
          }
        : {}),
    };
  }
  return merged;
}

/** `["T", "null"]`, or a union with null, is a nullable T. */
function oneType(node: Schema): Schema {
  if (Array.isArray(node.type)) {
    const types = (node.type as string[]).filter((type) => type !== "null");
    const isNullable = types.length < node.type.length;
    const { type: _types, ...rest } = node;
    const base: Schema =
      types.length === 1
        ? { ...rest, type: types[0] }
        : { ...rest, anyOf: types.map((type) => ({ type })) };
    return isNullable ? { ...base, nullable: true } : base;
  }
  if (Array.isArray(node.anyOf)) {
    const branches = node.anyOf.filter((branch) => !(isSchema(branch) && branch.type === "null"));
    const isNullable = branches.length < node.anyOf.length;
    if (!isNullable && branches.length !== 1) return node;
    const { anyOf: _branches, ...rest } = node;
    const [only] = branches;
    const base: Schema =
      branches.length === 1 && isSchema(only) ? { ...only, ...rest } : { ...rest, anyOf: branches };
    return isNullable ? { ...base, nullable: true } : base;
  }
  return node;
}

function constAsEnum(node: Schema): Schema {
  if (!("const" in node)) return node;
  const { const: value, ...rest } = node;
  return { ...rest, enum: [value] };
}

/** Only strings can be enumerated; other values are told. */
function textEnum(node: Schema): Schema {
  const values = Array.isArray(node.enum) ? node.enum : [];
  if (values.every((value) => typeof value === "string")) return { ...node, type: "string" };
  const { enum: _values, ...rest } = node;
  const before = typeof rest.description === "string" ? `${rest.description} ` : "";
  return {
    ...rest,
    description: `${before}(one of: ${values.map((v) => JSON.stringify(v)).join(", ")})`,
  };
}

export const GOOGLE: SchemaTarget = {
  name: "google",
  pass: (schema) => googleSchema(asObject(schema)),
  strict: false,
  otherwise: "a free object",
};
