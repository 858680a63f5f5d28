// Reads a call's arguments as the model meant them, guided by the tool's schema: null for
// an optional parameter is absence, and JSON in a string where a list, an object or a
// number belongs is that value. Nothing else is guessed; what still does not fit is refused.

import type { JsonSchema } from "@tau/ai/request";
import {
  alternativesOf,
  isNode,
  ownProperty,
  resolveNode,
  takesType,
  typeOf,
  typesOf,
  type JsonType,
} from "./json-schema-node.ts";

/** As deep as arguments are looked into. */
const MAX_DEPTH = 32;

export function fitArguments(value: unknown, schema: JsonSchema): unknown {
  return fit(value, schema, schema, 0);
}

function fit(raw: unknown, rawNode: unknown, root: JsonSchema, depth: number): unknown {
  if (!isNode(rawNode) || depth > MAX_DEPTH) return raw;
  const node = resolveNode(rawNode, root);
  const types = typesOf(node, root);
  const value = typeof raw === "string" ? unquoted(raw, types) : raw;
  const form = formFor(value, node, root);
  if (Array.isArray(value)) return value.map((item) => fit(item, form.items, root, depth + 1));
  return isNode(value) ? fitObject(value, form, root, depth) : value;
}

function fitObject(
  value: JsonSchema,
  node: JsonSchema,
  root: JsonSchema,
  depth: number,
): Record<string, unknown> {
  const required = Array.isArray(node.required) ? node.required : [];
  const fitted: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const child = ownProperty(node.properties, name);
    if (item === null && !required.includes(name) && !takesNull(child, node, root)) continue;
    // `__proto__` as a name must stay a name.
    Object.defineProperty(fitted, name, {
      value: fit(item, child, root, depth + 1),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return fitted;
}

/** What the schema does not describe it may still allow: in a free-form object null is a value. */
function takesNull(child: unknown, parent: JsonSchema, root: JsonSchema): boolean {
  if (!isNode(child)) return parent.additionalProperties !== false;
  return takesType(typesOf(resolveNode(child, root), root), "null");
}

/** The string's JSON, where the schema takes its type and no string. */
function unquoted(text: string, types: ReadonlySet<JsonType> | undefined): unknown {
  if (!types || types.has("string")) return text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
  return takesType(types, typeOf(parsed)) ? parsed : text;
}

/** The one alternative that takes values of this type; the node itself where several do. */
function formFor(value: unknown, node: JsonSchema, root: JsonSchema): JsonSchema {
  const type = typeOf(value);
  const fitting = alternativesOf(node, root).filter((form) => takesType(typesOf(form, root), type));
  return fitting.length === 1 ? fitting[0]! : node;
}
