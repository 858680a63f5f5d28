// One node of a schema, brought into a form that JSON Schema 2020-12 allows: known keywords with
// values of the right kind. Vendors check a tool's parameters against the standard's own schema and
// refuse the whole request for one keyword that is wrong, so what is wrong is mended if its meaning
// is plain and dropped if not. Dropping a keyword allows more; it never forbids what was allowed.

import { isSchema, type Schema } from "./json-schema.ts";

/** Other people's serialisers write these in snake case; where both stand, that one was meant. */
const SNAKE_CASE = new Map([
  ["any_of", "anyOf"],
  ["one_of", "oneOf"],
  ["all_of", "allOf"],
  ["prefix_items", "prefixItems"],
  ["additional_properties", "additionalProperties"],
  ["min_items", "minItems"],
  ["max_items", "maxItems"],
  ["min_length", "minLength"],
  ["max_length", "maxLength"],
  ["min_properties", "minProperties"],
  ["max_properties", "maxProperties"],
]);

const TYPES = new Set(["string", "number", "integer", "boolean", "null", "array", "object"]);

/** What other languages call them; a word that is not here says nothing. */
const TYPE_WORDS = new Map([
  ["str", "string"],
  ["text", "string"],
  ["int", "integer"],
  ["int32", "integer"],
  ["int64", "integer"],
  ["long", "integer"],
  ["float", "number"],
  ["double", "number"],
  ["decimal", "number"],
  ["bool", "boolean"],
  ["dict", "object"],
  ["map", "object"],
  ["list", "array"],
  ["tuple", "array"],
  ["set", "array"],
]);

type Mend = (value: unknown, node: Schema) => unknown;

const text: Mend = (value) => (typeof value === "string" ? value.toWellFormed() : undefined);
const finite: Mend = (value) =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
const count: Mend = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? value : undefined;
const flag: Mend = (value) => (typeof value === "boolean" ? value : undefined);
const anything: Mend = (value) => wellFormed(value);
const list: Mend = (value) =>
  Array.isArray(value) && value.length > 0 ? value.map(wellFormed) : undefined;
const names: Mend = (value) => {
  if (!Array.isArray(value)) return undefined;
  const found = value.filter((name) => typeof name === "string").map((name) => name.toWellFormed());
  return found.length > 0 ? [...new Set(found)] : undefined;
};
/** Before 2019 the limit itself was in `minimum`, and this only said that it is excluded. */
const exclusive =
  (limit: string): Mend =>
  (value, node) =>
    finite(value === true ? node[limit] : value, node);

/** `true` allows everything. `false` stays: what it means depends on where it is. */
export function childOf(value: unknown): Schema | false | undefined {
  if (value === true) return {};
  if (value === false) return false;
  return isSchema(value) ? value : undefined;
}

const child: Mend = (value) => childOf(value) || undefined;
const children: Mend = (value) => {
  if (!Array.isArray(value)) return undefined;
  const found = value.map(childOf).filter((one) => one !== undefined && one !== false);
  return found.length > 0 ? found : undefined;
};
const childMap: Mend = (value) => {
  if (!isSchema(value)) return undefined;
  const found: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) {
    const schema = childOf(one);
    // A property that must not be there needs no mention.
    if (schema) found.push([name.toWellFormed(), schema]);
  }
  return Object.fromEntries(found);
};

/** Every keyword that is passed on. */
const KEYWORDS = new Map<string, Mend>([
  ["$ref", text],
  ["type", typeOf],
  ["title", text],
  ["description", (value) => text(value, {}) || undefined],
  ["enum", (value) => list(Array.isArray(value) ? unique(value) : value, {})],
  ["const", anything],
  ["default", anything],
  ["examples", list],
  ["properties", childMap],
  ["required", names],
  ["additionalProperties", (value) => (typeof value === "boolean" ? value : childOf(value))],
  ["patternProperties", childMap],
  ["propertyNames", child],
  ["minProperties", count],
  ["maxProperties", count],
  ["items", child],
  ["prefixItems", children],
  ["contains", child],
  ["minItems", count],
  ["maxItems", count],
  ["uniqueItems", flag],
  ["minLength", count],
  ["maxLength", count],
  ["pattern", (value) => (isPattern(value) ? value : undefined)],
  ["format", text],
  ["contentEncoding", text],
  ["contentMediaType", text],
  ["minimum", finite],
  ["maximum", finite],
  ["exclusiveMinimum", exclusive("minimum")],
  ["exclusiveMaximum", exclusive("maximum")],
  ["multipleOf", (value) => ((value as number) > 0 ? finite(value, {}) : undefined)],
  ["anyOf", children],
  ["oneOf", children],
  ["allOf", children],
  ["not", child],
  ["if", child],
  ["then", child],
  ["else", child],
]);

export function legalNode(raw: Schema): Schema {
  const node = withTuple(withCamelCase(raw));
  const legal: Schema = {};
  for (const [keyword, given] of Object.entries(node)) {
    const value = KEYWORDS.get(keyword)?.(given, node);
    if (value !== undefined) legal[keyword] = value;
  }
  if (node.example !== undefined && legal.examples === undefined) {
    legal.examples = [wellFormed(node.example)];
  }
  return fitEnum(withRequired(withNullable(legal, node.nullable), node));
}

function withCamelCase(node: Schema): Schema {
  const renamed: [string, unknown][] = [];
  for (const [keyword, value] of Object.entries(node)) {
    const camel = SNAKE_CASE.get(keyword);
    if (camel !== undefined) renamed.push([camel, value]);
  }
  return renamed.length === 0 ? node : { ...node, ...Object.fromEntries(renamed) };
}

/** Before 2020-12 a tuple was `items` with a list. Nothing after it is a matter of length. */
function withTuple(node: Schema): Schema {
  const { additionalItems, ...rest } = node;
  const isOld = Array.isArray(rest.items);
  const tuple = isOld ? rest.items : rest.prefixItems;
  const after = isOld ? additionalItems : rest.items;
  const made: Schema = isOld ? { ...rest, prefixItems: tuple, items: after } : rest;
  if (after !== false) return made;
  const length = Array.isArray(tuple) ? tuple.length : 0;
  const most = typeof rest.maxItems === "number" ? Math.min(rest.maxItems, length) : length;
  return { ...made, items: undefined, maxItems: most };
}

function typeOf(value: unknown): unknown {
  const given = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
  const types = given.map((word) => TYPE_WORDS.get(word.toLowerCase()) ?? word.toLowerCase());
  // A word that nobody knows may stand for anything.
  if (types.length === 0 || types.some((type) => !TYPES.has(type))) return undefined;
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function withNullable(node: Schema, nullable: unknown): Schema {
  if (nullable !== true) return node;
  const withNull = Array.isArray(node.enum)
    ? { ...node, enum: unique([...node.enum, null]) }
    : node;
  const { type } = withNull;
  if (typeof type === "string") {
    return type === "null" ? withNull : { ...withNull, type: [type, "null"] };
  }
  if (Array.isArray(type)) {
    return type.includes("null") ? withNull : { ...withNull, type: [...type, "null"] };
  }
  return { anyOf: [node, { type: "null" }] };
}

/**
 * Before 2012 a property said itself that it is required. And what is required without being
 * described is described as anything: some vendors look every such name up.
 */
function withRequired(node: Schema, raw: Schema): Schema {
  const wanted = Array.isArray(node.required) ? [...(node.required as string[])] : [];
  const described = isSchema(raw.properties) ? Object.entries(raw.properties) : [];
  for (const [name, property] of described) {
    if (isSchema(property) && property.required === true) wanted.push(name.toWellFormed());
  }
  if (wanted.length === 0) return node;
  const properties = isSchema(node.properties) ? node.properties : {};
  const missing = wanted.filter((name) => !Object.hasOwn(properties, name));
  const added = Object.fromEntries(missing.map((name) => [name, {}]));
  return { ...node, properties: { ...properties, ...added }, required: [...new Set(wanted)] };
}

/** Values that the type beside them forbids could never be given. */
function fitEnum(node: Schema): Schema {
  if (!Array.isArray(node.enum) || node.type === undefined) return node;
  const types = new Set(Array.isArray(node.type) ? node.type : [node.type]);
  const fitting = node.enum.filter((value) => hasType(value, types));
  const { enum: _values, ...rest } = node;
  return fitting.length === 0 ? rest : { ...node, enum: fitting };
}

function hasType(value: unknown, types: ReadonlySet<unknown>): boolean {
  if (value === null) return types.has("null");
  if (Array.isArray(value)) return types.has("array");
  if (typeof value === "number") {
    return types.has("number") || (types.has("integer") && Number.isInteger(value));
  }
  return types.has(typeof value);
}

/** In the dialect that the standard names; what is not in it cannot be checked by anybody. */
function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp && value.isWellFormed();
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function unique(values: readonly unknown[]): unknown[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...seen.values()];
}

/** Half a surrogate pair, anywhere in a request, makes vendors refuse it. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  const json = JSON.stringify(value);
  if (!/\\ud[89a-f]/i.test(json)) return value;
  return JSON.parse(json.replace(/\\ud[89a-f][0-9a-f]{2}/gi, "\ufffd"));
}
