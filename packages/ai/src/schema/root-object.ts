// The top of a tool's parameters, as every vendor wants it: one object, without alternatives or
// conditions. Alternatives become one object that takes what any of them takes and requires what
// all of them require; what is lost is told in the description.

import { isSchema, type Schema } from "./json-schema.ts";
import { mergeTwo } from "./merge-all.ts";

/** A hint for the model, not the schema once more. */
const MAX_TOLD_CHARS = 300;
/** Different descriptions of one property; beyond that it is anything. */
const MAX_VARIANTS = 8;

const CONDITIONS = ["not", "if", "then", "else", "enum", "const"] as const;

export function rootObject(node: Schema): Schema {
  const notes: string[] = [];
  let flat = asObject(node);
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const { [keyword]: alternatives, ...base } = flat;
    if (!Array.isArray(alternatives)) continue;
    const branches = (alternatives as Schema[])
      .filter(canBeObject)
      .map((one) => asObject(flatten(one)));
    flat = branches.length === 0 ? base : joined(base, branches);
    const told = tellAlternatives(keyword, branches);
    if (told !== undefined) notes.push(told);
  }
  const conditions: Schema = {};
  for (const keyword of CONDITIONS) {
    if (flat[keyword] === undefined) continue;
    conditions[keyword] = flat[keyword];
    delete flat[keyword];
  }
  if (Object.keys(conditions).length > 0)
    notes.push(cut(`condition: ${JSON.stringify(conditions)}`));
  if (notes.length === 0) return flat;
  const before = typeof flat.description === "string" ? `${flat.description} ` : "";
  return { ...flat, description: `${before}(${notes.join("; ")})` };
}

function asObject(node: Schema): Schema {
  return { ...node, type: "object" };
}

function canBeObject({ type, properties }: Schema): boolean {
  if (type === undefined || isSchema(properties)) return true;
  return type === "object" || (Array.isArray(type) && type.includes("object"));
}

/** Alternatives inside an alternative. */
function flatten(branch: Schema): Schema {
  return branch.anyOf === undefined && branch.oneOf === undefined ? branch : rootObject(branch);
}

function joined(base: Schema, branches: readonly Schema[]): Schema {
  const own = isSchema(base.properties) ? base.properties : {};
  const variants = new Map<string, Schema[]>();
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(propertiesOf(branch))) {
      const general = own[name];
      const whole = isSchema(general) ? mergeTwo(general, schema as Schema) : (schema as Schema);
      variants.set(name, [...(variants.get(name) ?? []), whole]);
    }
    // Where a branch does not narrow a property, it stays as it is in general.
    for (const [name, general] of Object.entries(own)) {
      if (!Object.hasOwn(propertiesOf(branch), name)) {
        variants.set(name, [...(variants.get(name) ?? []), general as Schema]);
      }
    }
  }
  const properties = [...variants].map(([name, found]): [string, Schema] => [name, union(found)]);
  const required = branches
    .map((branch) => new Set(requiredOf(branch)))
    .reduce((all, some) => all.intersection(some))
    .union(new Set(requiredOf(base)));
  const isClosed = branches.every((branch) => branch.additionalProperties === false);
  const flat: Schema = { ...base, properties: Object.fromEntries(properties) };
  if (required.size > 0) flat.required = [...required];
  if (isClosed) flat.additionalProperties = false;
  return flat;
}

function propertiesOf(branch: Schema): Schema {
  return isSchema(branch.properties) ? branch.properties : {};
}

function requiredOf(branch: Schema): readonly string[] {
  return Array.isArray(branch.required) ? (branch.required as string[]) : [];
}

function union(found: readonly Schema[]): Schema {
  const distinct = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  if (distinct.length === 1) return distinct[0]!;
  if (distinct.some((one) => Object.keys(one).length === 0)) return {};
  return unionOfValues(distinct) ?? (distinct.length > MAX_VARIANTS ? {} : { anyOf: distinct });
}

/** What tells the alternatives apart is mostly a word: then it is one of these words. */
function unionOfValues(found: readonly Schema[]): Schema | undefined {
  const values: unknown[] = [];
  const types = new Set<unknown>();
  const told: string[] = [];
  for (const { type, enum: several, const: one, description, title: _title, ...rest } of found) {
    if (Object.keys(rest).length > 0 || (several === undefined && one === undefined))
      return undefined;
    values.push(...(Array.isArray(several) ? several : [one]));
    types.add(type);
    if (typeof description === "string" && !told.includes(description)) told.push(description);
  }
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  const [type] = types;
  const made: Schema = { enum: distinct };
  if (types.size === 1 && type !== undefined) made.type = type;
  if (told.length > 0) made.description = told.join(" / ");
  return made;
}

function tellAlternatives(keyword: string, branches: readonly Schema[]): string | undefined {
  if (branches.length < 2) return undefined;
  const groups = branches.map((branch) => {
    const wanted = requiredOf(branch);
    const shown = wanted.length > 0 ? wanted : Object.keys(propertiesOf(branch));
    return shown.length === 0 ? "nothing more" : shown.join(" + ");
  });
  const distinct = [...new Set(groups)];
  if (distinct.length < 2) return undefined;
  const which = keyword === "oneOf" ? "exactly one" : "at least one";
  return cut(`give ${which} of: ${distinct.join(" | ")}`);
}

function cut(text: string): string {
  return text.length <= MAX_TOLD_CHARS ? text : `${text.slice(0, MAX_TOLD_CHARS).toWellFormed()}…`;
}
