// A tool's parameters in the form that a target takes, made once per tool and target. A
// schema that a target cannot express never costs more than that tool's promise.

import type { JsonSchema } from "../request.ts";
import { canonicalSchema } from "./canonical.ts";
import { cloudCodeSchema } from "./cloud-code.ts";
import { googleSchema } from "./google.ts";
import { InexpressibleSchema, isSchema, mapChildren, type Schema } from "./json-schema.ts";
import { strictSchema } from "./openai-strict.ts";

export type SchemaTarget =
  "openai" | "openai-strict" | "responses" | "anthropic" | "google" | "cloud-code" | "mcp";

export interface FittedSchema {
  schema: JsonSchema;
  /** The schema satisfies the vendor's strict mode, so the flag may be sent. */
  strict: boolean;
}

const made = new WeakMap<JsonSchema, Map<SchemaTarget, FittedSchema>>();

export function fitSchema(schema: JsonSchema, target: SchemaTarget): FittedSchema {
  const targets = made.get(schema) ?? new Map<SchemaTarget, FittedSchema>();
  made.set(schema, targets);
  let fitted = targets.get(target);
  if (!fitted) {
    fitted = fit(schema, target);
    targets.set(target, fitted);
  }
  return fitted;
}

function fit(schema: JsonSchema, target: SchemaTarget): FittedSchema {
  try {
    const canonical = canonicalSchema(schema);
    return { schema: PASSES[target](canonical), strict: target === "openai-strict" };
  } catch (error) {
    if (!(error instanceof InexpressibleSchema)) throw error;
    // Sent as it came where the target may take it, as a free object where it would refuse.
    const open = target === "google" || target === "cloud-code" || !isSchema(schema);
    return { schema: open ? { type: "object", properties: {} } : schema, strict: false };
  }
}

const PASSES: Record<SchemaTarget, (schema: Schema) => Schema> = {
  openai: withProperties,
  "openai-strict": (schema) => strictSchema(withProperties(schema)),
  responses: (schema) => oneOfAsAnyOf(withProperties(schema)),
  anthropic: asObject,
  google: (schema) => googleSchema(asObject(schema)),
  "cloud-code": (schema) => cloudCodeSchema(withProperties(schema)),
  mcp: asObject,
};

/** Every vendor wants an object at the top; servers are known to leave the word out. */
function asObject(schema: Schema): Schema {
  return { ...schema, type: "object" };
}

/** OpenAI refuses an object that does not say which properties it has, even if it has none. */
function withProperties(schema: Schema): Schema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return { ...schema, type: "object", properties };
}

function oneOfAsAnyOf(node: Schema): Schema {
  const walked = mapChildren(node, oneOfAsAnyOf);
  if (!Array.isArray(walked.oneOf)) return walked;
  const { oneOf, ...rest } = walked;
  return { ...rest, anyOf: [...(Array.isArray(rest.anyOf) ? rest.anyOf : []), ...oneOf] };
}
