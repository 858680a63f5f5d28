// One form for every tool's schema before any target looks at it: JSON Schema 2020-12,
// camel-case combinators, local references inlined, `nullable` said with types.

import {
  guardDepth,
  InexpressibleSchema,
  isSchema,
  mapChildren,
  type Schema,
} from "./json-schema.ts";

/** Other people's serialisers write these in snake case; where both stand, that one was meant. */
const SNAKE_CASE: Record<string, string> = {
  any_of: "anyOf",
  one_of: "oneOf",
  all_of: "allOf",
  prefix_items: "prefixItems",
  additional_properties: "additionalProperties",
  min_items: "minItems",
  max_items: "maxItems",
  min_length: "minLength",
  max_length: "maxLength",
  min_properties: "minProperties",
  max_properties: "maxProperties",
};

const ANY_OBJECT: Schema = { type: "object", properties: {} };

/** Throws `InexpressibleSchema` for a schema that refers to itself. */
export function canonicalSchema(schema: unknown): Schema {
  const root = isSchema(schema) ? plain(schema) : ANY_OBJECT;
  const whole = rewrite(root, root, [], 0);
  const { $schema: _dialect, $id: _id, $defs: _defs, definitions: _definitions, ...rest } = whole;
  return rest;
}

/** A schema library's own object, put where its JSON Schema belongs, is not one. */
function plain(schema: Schema): Schema {
  if ("_def" in schema || "_zod" in schema || "~standard" in schema) return ANY_OBJECT;
  return schema;
}

function rewrite(node: Schema, root: Schema, refs: readonly string[], depth: number): Schema {
  guardDepth(depth);
  const { node: resolved, refs: seen } = inline(node, root, refs);
  const renamed = rename(resolved);
  const upgraded = withNullable(upgradeTuple(renamed));
  return mapChildren(upgraded, (child, keyword) =>
    keyword === "$defs" || keyword === "definitions"
      ? child
      : rewrite(plain(child), root, seen, depth + 1),
  );
}

/** What stands beside a reference wins over what it refers to. */
function inline(
  node: Schema,
  root: Schema,
  refs: readonly string[],
): { node: Schema; refs: readonly string[] } {
  let at = node;
  let seen = refs;
  while (typeof at.$ref === "string") {
    const { $ref, ...beside } = at as Schema & { $ref: string };
    if (seen.includes($ref)) throw new InexpressibleSchema(`${$ref} refers to itself`);
    const target = lookUp(root, $ref);
    if (!target) throw new InexpressibleSchema(`${$ref} leads nowhere`);
    seen = [...seen, $ref];
    at = { ...target, ...beside };
  }
  return { node: at, refs: seen };
}

function lookUp(root: Schema, ref: string): Schema | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const raw of ref.slice(2).split("/")) {
    const name = decodeURIComponent(raw).replaceAll("~1", "/").replaceAll("~0", "~");
    at = isSchema(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined;
  }
  return isSchema(at) ? at : undefined;
}

function rename(node: Schema): Schema {
  const copy: Schema = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (!(keyword in SNAKE_CASE)) copy[keyword] ??= value;
  }
  for (const [keyword, value] of Object.entries(node)) {
    const camel = SNAKE_CASE[keyword];
    if (camel !== undefined) copy[camel] = value;
  }
  return copy;
}

/** Before 2020-12 a tuple was `items` with a list. */
function upgradeTuple(node: Schema): Schema {
  if (!Array.isArray(node.items)) return node;
  const { items, additionalItems, ...rest } = node;
  return {
    ...rest,
    prefixItems: items,
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}

function withNullable(node: Schema): Schema {
  if (node.nullable === undefined) return node;
  const { nullable, ...rest } = node;
  if (nullable !== true) return rest;
  if (typeof rest.type === "string") return { ...rest, type: [rest.type, "null"] };
  if (Array.isArray(rest.type)) {
    return rest.type.includes("null") ? rest : { ...rest, type: [...rest.type, "null"] };
  }
  return { anyOf: [rest, { type: "null" }] };
}
