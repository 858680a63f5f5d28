// Walking JSON Schema. What is a keyword and what is a property's name is decided by
// position, never by spelling: a property called `pattern` is a property.

export type Schema = { [keyword: string]: unknown };

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keywords whose value is a schema. */
const SINGLE = [
  "items",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
] as const;

/** Keywords whose value is a list of schemas. */
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;

/** Keywords whose value maps names to schemas. */
const MAPS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
] as const;

/** A copy of a node with `change` applied to the schemas directly inside it. */
export function mapChildren(
  node: Schema,
  change: (child: Schema, keyword: string) => unknown,
): Schema {
  const copy: Schema = { ...node };
  for (const keyword of SINGLE) {
    const child = copy[keyword];
    if (isSchema(child)) copy[keyword] = change(child, keyword);
    else if (keyword === "items" && Array.isArray(child)) {
      copy[keyword] = child.map((item) => (isSchema(item) ? change(item, keyword) : item));
    }
  }
  for (const keyword of LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list)) {
      copy[keyword] = list.map((item) => (isSchema(item) ? change(item, keyword) : item));
    }
  }
  for (const keyword of MAPS) {
    const map = copy[keyword];
    if (isSchema(map)) {
      copy[keyword] = Object.fromEntries(
        Object.entries(map).map(([name, child]) => [
          name,
          isSchema(child) ? change(child, keyword) : child,
        ]),
      );
    }
  }
  return copy;
}

/** A schema that a target cannot express; the tool is then sent another way, or as it is. */
export class InexpressibleSchema extends Error {
  override readonly name = "InexpressibleSchema";
}

/** Deeper than any tool's parameters; what is deeper is recursive or hostile. */
export const MAX_DEPTH = 64;

export function guardDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new InexpressibleSchema(`nested deeper than ${MAX_DEPTH}`);
}
