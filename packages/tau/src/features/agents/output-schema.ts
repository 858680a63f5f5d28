// The shape that an agent's result has to have, as JSON Schema. Files of the family write JSON Type
// Definition (RFC 8927): it is translated.

import type { JsonSchema } from "@tau/ai/request";

type Fields = Readonly<Record<string, unknown>>;

/** Undefined if nothing is asked for, or nothing that can be understood. */
export function jsonSchemaOf(given: unknown): JsonSchema | undefined {
  if (!isFields(given) || Object.keys(given).length === 0) return undefined;
  const schema = isTypeDefinition(given) ? fromTypeDefinition(given) : given;
  // A result is the argument of a call, and the vendors want an object there at the top of it all.
  return schema as JsonSchema;
}

const NUMBERS: Readonly<Record<string, JsonSchema>> = {
  float32: { type: "number" },
  float64: { type: "number" },
  int8: { type: "integer" },
  uint8: { type: "integer", minimum: 0 },
  int16: { type: "integer" },
  uint16: { type: "integer", minimum: 0 },
  int32: { type: "integer" },
  uint32: { type: "integer", minimum: 0 },
};
const ONLY_THERE = ["elements", "values", "optionalProperties", "discriminator", "nullable"];

/** JSON Schema says `type: object` of what has properties; a type definition never does. */
function isTypeDefinition(schema: Fields): boolean {
  if (ONLY_THERE.some((key) => key in schema)) return true;
  if (typeof schema.type === "string" && (schema.type in NUMBERS || schema.type === "timestamp")) {
    return true;
  }
  if (schema.type !== undefined || !isFields(schema.properties)) return false;
  return true;
}

function fromTypeDefinition(schema: Fields): JsonSchema {
  const plain = withoutNull(schema);
  const { metadata } = schema;
  const about = isFields(metadata) ? metadata.description : undefined;
  const described = typeof about === "string" ? { ...plain, description: about } : plain;
  return schema.nullable === true ? { anyOf: [described, { type: "null" }] } : described;
}

function withoutNull(schema: Fields): JsonSchema {
  const { type, elements, values, properties, optionalProperties, additionalProperties } = schema;
  if (Array.isArray(schema.enum)) return { type: "string", enum: schema.enum };
  if (isFields(elements)) return { type: "array", items: fromTypeDefinition(elements) };
  if (isFields(values)) return { type: "object", additionalProperties: fromTypeDefinition(values) };
  if (isFields(properties) || isFields(optionalProperties)) {
    const needed = isFields(properties) ? properties : {};
    const all = { ...needed, ...(isFields(optionalProperties) ? optionalProperties : {}) };
    return {
      type: "object",
      required: Object.keys(needed),
      properties: Object.fromEntries(
        Object.entries(all).map(([key, one]) => [
          key,
          isFields(one) ? fromTypeDefinition(one) : {},
        ]),
      ),
      additionalProperties: additionalProperties === true,
    };
  }
  if (type === "timestamp") return { type: "string", format: "date-time" };
  if (typeof type === "string") return { ...(NUMBERS[type] ?? { type }) };
  return {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
