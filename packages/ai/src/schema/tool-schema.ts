// A tool's parameters in the form that a target takes, made once per tool and target. A
// schema that a target cannot express never costs more than that tool's promise.

import type { JsonSchema } from "../request.ts";
import { canonicalSchema } from "./canonical.ts";
import { InexpressibleSchema, isSchema, mapChildren, type Schema } from "./json-schema.ts";

/** What a vendor takes. Each stands beside its pass, so that a wire loads only its own. */
export interface SchemaTarget {
  readonly name: string;
  /** Throws `InexpressibleSchema` where it cannot. */
  pass(schema: Schema): Schema;
  /** What fits satisfies the vendor's strict mode. */
  readonly strict: boolean;
  /** What does not fit is sent as it came, or (where that would be refused) as a free object. */
  readonly otherwise: "as it came" | "a free object";
}

export interface FittedSchema {
  schema: JsonSchema;
  /** The schema satisfies the vendor's strict mode, so the flag may be sent. */
  strict: boolean;
}

const made = new WeakMap<JsonSchema, Map<string, FittedSchema>>();

export function fitSchema(schema: JsonSchema, target: SchemaTarget): FittedSchema {
  const targets = made.get(schema) ?? new Map<string, FittedSchema>();
  made.set(schema, targets);
  let fitted = targets.get(target.name);
  if (!fitted) {
    fitted = fit(schema, target);
    targets.set(target.name, fitted);
  }
  return fitted;
}

function fit(schema: JsonSchema, target: SchemaTarget): FittedSchema {
  try {
    return { schema: target.pass(canonicalSchema(schema)), strict: target.strict };
  } catch (error) {
    if (!(error instanceof InexpressibleSchema)) throw error;
    const open = target.otherwise === "a free object" || !isSchema(schema);
    return { schema: open ? { type: "object", properties: {} } : schema, strict: false };
  }
}

/** Every vendor wants an object at the top; servers are known to leave the word out. */
export function asObject(schema: Schema): Schema {
  return { ...schema, type: "object" };
}

/** OpenAI refuses an object that does not say which properties it has, even if it has none. */
export function withProperties(schema: Schema): Schema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return { ...schema, type: "object", properties };
}

function oneOfAsAnyOf(node: Schema): Schema {
  const walked = mapChildren(node, oneOfAsAnyOf);
  if (!Array.isArray(walked.oneOf)) return walked;
  const { oneOf, ...rest } = walked;
  return { ...rest, anyOf: [...(Array.isArray(rest.anyOf) ? rest.anyOf : []), ...oneOf] };
}

function plainTarget(name: string, pass: (schema: Schema) => Schema): SchemaTarget {
  return { name, pass, strict: false, otherwise: "as it came" };
}

export const OPENAI = plainTarget("openai", withProperties);
export const RESPONSES = plainTarget("responses", (schema) => oneOfAsAnyOf(withProperties(schema)));
export const ANTHROPIC = plainTarget("anthropic", asObject);
