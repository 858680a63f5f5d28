// Gemini takes a part of OpenAPI's schema: one type a node, `nullable` beside it, words alone in
// enumerations, and a union that stands by itself. What it lacks is told in the description.

import { moveToDescription } from "./describe-keywords.ts";
import { isSchema, mapChildren, type Schema } from "./json-schema.ts";
import type { SchemaTarget } from "./tool-schema.ts";

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
]);

/** Other formats make the request fail. */
const FORMATS: Record<string, readonly string[]> = {
  string: ["enum", "date-time"],
  number: ["float", "double"],
  integer: ["int32", "int64"],
};

/** Which type a keyword is about: beside another one it makes the request fail. */
const TYPE_OF_KEYWORD: Record<string, readonly string[]> = {
  properties: ["object"],
  required: ["object"],
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  minimum: ["number", "integer"],
  maximum: ["number", "integer"],
};

/** A value of any type: the vendor wants a type, and has none for this. */
const ANY_TYPES = ["string", "number", "boolean", "object"];

export function googleSchema(schema: Schema): Schema {
  const node = withoutNull(withTupleItems(schema));
  return settle(valuesTold(mapChildren(node, (child) => googleSchema(child))));
}

/** A union with null is a nullable union of the others. */
function withoutNull(node: Schema): Schema {
  const made: Schema = { ...node };
  for (const keyword of ["anyOf", "oneOf"]) {
    if (!Array.isArray(node[keyword])) continue;
    const real = (node[keyword] as Schema[]).filter((branch) => branch.type !== "null");
    if (real.length === (node[keyword] as Schema[]).length) continue;
    made.nullable = true;
    made[keyword] = real.length > 0 ? real : undefined;
  }
  return made;
}

/** A list whose places differ is a list of any of them. */
function withTupleItems(node: Schema): Schema {
  if (!Array.isArray(node.prefixItems)) return node;
  const { prefixItems, items, ...rest } = node;
  const open = isSchema(items) ? [items] : [];
  const all = [...(prefixItems as Schema[]), ...open];
  const isOpen = !isSchema(items) && node.maxItems !== all.length;
  const distinct = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  return {
    ...rest,
    items: isOpen ? {} : distinct.length === 1 ? distinct[0] : { anyOf: distinct },
  };
}

/** Only words can be enumerated, and none may be empty; other values are told. */
function valuesTold(node: Schema): Schema {
  const { const: constant, enum: several, ...rest } = node;
  const values = Array.isArray(several) ? several : "const" in node ? [constant] : undefined;
  if (values === undefined) return node;
  const real = values.filter((value) => value !== null);
  const withNull = real.length < values.length ? { nullable: true } : {};
  if (real.length > 0 && real.every((value) => typeof value === "string" && value !== "")) {
    return { ...rest, type: "string", enum: real, ...withNull };
  }
  const types = [...new Set(values.map(typeOf))];
  const before = typeof rest.description === "string" ? `${rest.description} ` : "";
  const description = `${before}(one of: ${values.map((value) => JSON.stringify(value)).join(", ")})`;
  return { ...rest, type: rest.type ?? types, description };
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** One type, or one union. */
function settle(node: Schema): Schema {
  const { anyOf, oneOf, type, nullable, ...rest } = node;
  const branches = [anyOf, oneOf].flatMap((list) =>
    Array.isArray(list) ? (list as Schema[]) : [],
  );
  const types = typesOf(type, rest, branches);
  const isNullable = nullable === true || types.includes("null");
  const named = types.filter((one) => one !== "null");
  if (branches.length > 0) {
    // What stands beside a union belongs to each of its branches, if to any.
    return union(
      branches.map((branch) => single(withBeside(branch, rest))),
      rest,
      isNullable,
    );
  }
  if (named.length > 1) {
    return union(
      named.map((one) => single(only(one, rest))),
      rest,
      isNullable,
    );
  }
  const one = single({ ...rest, type: named[0] ?? "string" });
  return isNullable ? { ...one, nullable: true } : one;
}

function typesOf(type: unknown, rest: Schema, branches: readonly Schema[]): readonly string[] {
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type as string[];
  if (branches.length > 0) return [];
  if (isSchema(rest.properties)) return ["object"];
  return isSchema(rest.items) ? ["array"] : ANY_TYPES;
}

const OF_THE_WHOLE = new Set(["description", "title", "default", "examples"]);

/** What a branch itself says is nearer. */
function withBeside(branch: Schema, beside: Schema): Schema {
  if (branch.anyOf !== undefined) return branch;
  const fitting = Object.entries(beside).filter(
    ([keyword]) =>
      !OF_THE_WHOLE.has(keyword) &&
      (TYPE_OF_KEYWORD[keyword]?.includes(String(branch.type)) ?? false),
  );
  return { ...Object.fromEntries(fitting), ...branch };
}

function only(type: string, node: Schema): Schema {
  const fitting = Object.entries(node).filter(
    ([keyword]) => !OF_THE_WHOLE.has(keyword) && (TYPE_OF_KEYWORD[keyword]?.includes(type) ?? true),
  );
  return { ...Object.fromEntries(fitting), type };
}

/** A union has nothing beside it: what is said of the whole is said of its first branch. */
function union(branches: readonly Schema[], whole: Schema, isNullable: boolean): Schema {
  // The vendor knows no union inside a union.
  const flat = branches.flatMap((branch) => (branch.anyOf as Schema[] | undefined) ?? [branch]);
  const distinct = [...new Map(flat.map((one) => [JSON.stringify(one), one])).values()];
  const [first, ...others] = distinct;
  const told = moveToDescription(pick(whole, OF_THE_WHOLE), new Set(["default", "examples"]));
  const about = [told.description, first!.description].filter((part) => part !== undefined);
  const led = about.length === 0 ? first! : { ...first, description: about.join(" ") };
  const all = [led, ...others].map((one) => (isNullable ? { ...one, nullable: true } : one));
  return all.length === 1 ? all[0]! : { anyOf: all };
}

function pick(node: Schema, keywords: ReadonlySet<string>): Schema {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.has(keyword)));
}

/** A node of one type, with the keywords that go with it. */
function single(node: Schema): Schema {
  if (node.anyOf !== undefined) return node;
  const type = String(node.type);
  const drop = new Set(Object.keys(node).filter((keyword) => !fits(keyword, node, type)));
  const kept = moveToDescription(node, drop);
  if (type === "array" && !isSchema(kept.items)) kept.items = googleSchema({});
  if (type === "object" && isSchema(kept.properties)) {
    const { properties } = kept;
    const wanted = ((kept.required as string[] | undefined) ?? []).filter((name) =>
      Object.hasOwn(properties, name),
    );
    delete kept.required;
    if (wanted.length > 0) kept.required = wanted;
  } else delete kept.required;
  return kept;
}

function fits(keyword: string, node: Schema, type: string): boolean {
  if (!SUPPORTED.has(keyword)) return false;
  if (keyword === "format") return FORMATS[type]?.includes(String(node.format)) ?? false;
  if (keyword === "enum") return type === "string";
  return TYPE_OF_KEYWORD[keyword]?.includes(type) ?? true;
}

export const GOOGLE: SchemaTarget = {
  name: "google",
  pass: googleSchema,
  strict: false,
};
