// Claude behind Google's Cloud Code Assist: Gemini's rules, without `nullable` and without
// unions at all, and Claude's rule for names. Of unlike alternatives the first is declared and the
// others are told.

import { withPlainNames } from "./anthropic.ts";
import { googleSchema } from "./google.ts";
import { isSchema, mapChildren, type Schema } from "./json-schema.ts";
import { withProperties, type SchemaTarget } from "./tool-schema.ts";

function collapse(node: Schema): Schema {
  const { nullable: _nullable, ...rest } = node;
  const walked = mapChildren(rest, (child) => collapse(child));
  if (!Array.isArray(walked.anyOf))
    return walked.type === "null" ? { ...walked, type: "string" } : walked;
  const branches = walked.anyOf as Schema[];
  const types = [...new Set(branches.map((branch) => String(branch.type)))];
  if (types.length === 1 && types[0] === "object") return mergeObjects(branches);
  if (types.every((type) => type === "number" || type === "integer")) {
    return { type: "number", ...described(branches) };
  }
  // One type: what each branch asks for besides cannot be said of all.
  if (types.length === 1) return looser(branches, types[0]!);
  // Unlike types: the first that is written is the one a model is most likely to want.
  const [first] = branches;
  const before = typeof first!.description === "string" ? `${first!.description} ` : "";
  return { ...first, description: `${before}(or: ${types.slice(1).join(", ")})` };
}

/** Of one type that is not an object. */
function looser(branches: readonly Schema[], type: string): Schema {
  const made: Schema = { type, ...described(branches) };
  const items = branches.map((branch) => branch.items).filter(isSchema);
  if (type === "array")
    made.items = items.length > 0 ? collapse({ anyOf: items }) : { type: "string" };
  const values = branches.map((branch) => branch.enum);
  if (type === "string" && values.every(Array.isArray)) made.enum = [...new Set(values.flat())];
  return made;
}

function described(branches: readonly Schema[]): Schema {
  const told = branches.map((branch) => branch.description).filter((one) => one !== undefined);
  return told.length === 0 ? {} : { description: told.join(" / ") };
}

/** Alternatives of one object: every property may come, and only shared ones must. */
function mergeObjects(branches: readonly Schema[]): Schema {
  const variants = new Map<string, Schema[]>();
  let required: string[] | undefined;
  for (const branch of branches) {
    for (const [name, schema] of Object.entries(
      isSchema(branch.properties) ? branch.properties : {},
    )) {
      variants.set(name, [...(variants.get(name) ?? []), schema as Schema]);
    }
    const wanted = Array.isArray(branch.required) ? (branch.required as string[]) : [];
    required = required === undefined ? wanted : required.filter((name) => wanted.includes(name));
  }
  const properties = [...variants].map(([name, found]): [string, Schema] => {
    const distinct = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
    return [name, distinct.length === 1 ? distinct[0]! : collapse({ anyOf: distinct })];
  });
  const merged: Schema = { type: "object", ...described(branches) };
  if (properties.length > 0) merged.properties = Object.fromEntries(properties);
  if (required?.length) merged.required = required;
  return merged;
}

export const CLOUD_CODE: SchemaTarget = {
  name: "cloud-code",
  pass: (schema) => withPlainNames(collapse(googleSchema(withProperties(schema)))),
  strict: false,
};
