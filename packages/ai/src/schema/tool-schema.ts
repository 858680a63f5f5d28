// A tool's parameters in the form that a target takes, made once per tool and target. Whatever
// comes in, what goes out keeps the target's rules and is not much larger: one tool that a vendor
// refuses would cost the session every request.

import type { JsonSchema } from "../request.ts";
import { ANY_OBJECT, canonicalSchema } from "./canonical.ts";
import { moveToDescription } from "./describe-keywords.ts";
import { InexpressibleSchema, isSchema, mapChildren, type Schema } from "./json-schema.ts";

/** What a vendor takes. Each stands beside its pass, so that a wire loads only its own. */
export interface SchemaTarget {
  readonly name: string;
  /** Throws `InexpressibleSchema` where it cannot. */
  pass(schema: Schema): Schema;
  /** What fits satisfies the vendor's strict mode. */
  readonly strict: boolean;
  /** What takes the schemas that do not fit; a free object if there is none. */
  readonly otherwise?: SchemaTarget;
}

export interface FittedSchema {
  schema: JsonSchema;
  /** The schema satisfies the vendor's strict mode, so the flag may be sent. */
  strict: boolean;
}

/** Every request carries it: more than this times what its author wrote is not worth its meaning. */
const MAX_GROWTH = 4;
/** Small schemas may grow to this all the same; it is a few hundred tokens. */
const SMALL_CHARS = 1024;
/** How much of that may go into writing references out; less, if it is still too large then. */
const INLINE_SHARES = [2, 1, 0.25, 0];

const made = new WeakMap<JsonSchema, Map<string, FittedSchema>>();

export function fitSchema(schema: JsonSchema, target: SchemaTarget): FittedSchema {
  if (!isSchema(schema)) return { schema: ANY_OBJECT, strict: false };
  const targets = made.get(schema) ?? new Map<string, FittedSchema>();
  made.set(schema, targets);
  let fitted = targets.get(target.name);
  if (!fitted) {
    fitted = fit(schema, target);
    targets.set(target.name, fitted);
  }
  return fitted;
}

function fit(schema: Schema, target: SchemaTarget): FittedSchema {
  const size = sizeOf(schema);
  if (size === undefined) return { schema: ANY_OBJECT, strict: false };
  const limit = Math.max(size * MAX_GROWTH, SMALL_CHARS);
  for (let to: SchemaTarget | undefined = target; to; to = to.otherwise) {
    for (const share of INLINE_SHARES) {
      const fitted = passed(schema, to, Math.max(size, SMALL_CHARS) * share);
      if (!fitted) break;
      if (JSON.stringify(fitted).length <= limit) return { schema: fitted, strict: to.strict };
    }
  }
  return { schema: ANY_OBJECT, strict: false };
}

function passed(schema: Schema, target: SchemaTarget, budgetChars: number): Schema | undefined {
  try {
    return target.pass(canonicalSchema(schema, budgetChars));
  } catch (error) {
    if (error instanceof InexpressibleSchema) return undefined;
    throw error;
  }
}

/** Deeper than this, writing it takes seconds; what is looked at is less deep by far. */
const MAX_SOURCE_DEPTH = 1000;

/** Undefined for what goes round in circles or is deeper than can be written. */
function sizeOf(schema: Schema): number | undefined {
  return isWithinDepth(schema, new Set()) ? JSON.stringify(schema).length : undefined;
}

/** `inside`: what this value is part of. */
function isWithinDepth(value: unknown, inside: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (inside.size >= MAX_SOURCE_DEPTH || inside.has(value)) return false;
  inside.add(value);
  const fits = Object.values(value).every((inner) => isWithinDepth(inner, inside));
  inside.delete(value);
  return fits;
}

/** OpenAI refuses an object that does not say which properties it has, even if it has none. */
export function withProperties(schema: Schema): Schema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  return { ...schema, type: "object", properties };
}

function everywhere(node: Schema, change: (node: Schema) => Schema): Schema {
  return change(mapChildren(node, (child) => everywhere(child, change)));
}

/** OpenAI refuses a list that does not say of what; templates of local servers stumble over it. */
function withItems(node: Schema): Schema {
  const types = Array.isArray(node.type) ? node.type : [node.type];
  return types.includes("array") && node.items === undefined ? { ...node, items: {} } : node;
}

const PATTERN = new Set(["pattern"]);

/** Local servers make a grammar of it and refuse what theirs cannot say; others only read it. */
function withoutPattern(node: Schema): Schema {
  return node.pattern === undefined ? node : moveToDescription(node, PATTERN);
}

function oneOfAsAnyOf(node: Schema): Schema {
  if (!Array.isArray(node.oneOf)) return node;
  const { oneOf, ...rest } = node;
  return { ...rest, anyOf: [...(Array.isArray(rest.anyOf) ? rest.anyOf : []), ...oneOf] };
}

function openAiNode(node: Schema): Schema {
  return withoutPattern(withItems(node));
}

function plainTarget(name: string, pass: (schema: Schema) => Schema): SchemaTarget {
  return { name, pass, strict: false };
}

export const OPENAI = plainTarget("openai", (schema) =>
  everywhere(withProperties(schema), openAiNode),
);
export const RESPONSES = plainTarget("responses", (schema) =>
  everywhere(withProperties(schema), (node) => oneOfAsAnyOf(openAiNode(node))),
);
