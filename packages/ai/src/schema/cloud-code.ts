// Claude behind Google's Cloud Code Assist: Gemini's rules, without `nullable` and without
// unions at all. What cannot be brought into that form falls back to a free object, for
// that tool alone.

import { withProperties, type SchemaTarget } from "./tool-schema.ts";
import { googleSchema } from "./google.ts";
import { guardDepth, isSchema, mapChildren, type Schema } from "./json-schema.ts";

const ANY_OBJECT: Schema = { type: "object", properties: {} };

function cloudCodeSchema(schema: Schema): Schema {
  const collapsed = collapse(googleSchema(schema), 0);
  return fits(collapsed) ? collapsed : ANY_OBJECT;
}

function collapse(node: Schema, depth: number): Schema {
  guardDepth(depth);
  const { nullable: _nullable, ...rest } = node;
  const walked = mapChildren(rest, (child) => collapse(child, depth + 1));
  if (!Array.isArray(walked.anyOf)) return walked;
  const { anyOf, ...beside } = walked;
  const branches = anyOf.filter(isSchema);
  const types = new Set(branches.map((branch) => branch.type));
  if (types.size === 1 && types.has("object")) return { ...mergeObjects(branches), ...beside };
  // Unlike types: the first that is written is the one a model is most likely to want.
  return { ...branches[0], ...beside };
}

/** Alternatives of one object: every property may come, and only shared ones must. */
function mergeObjects(branches: readonly Schema[]): Schema {
  const properties: Schema = {};
  let required: string[] | undefined;
  for (const branch of branches) {
    Object.assign(properties, isSchema(branch.properties) ? branch.properties : {});
    const wanted = Array.isArray(branch.required) ? (branch.required as string[]) : [];
    required = required === undefined ? wanted : required.filter((name) => wanted.includes(name));
  }
  return { type: "object", properties, ...(required?.length ? { required } : {}) };
}

function fits(node: Schema): boolean {
  if (Array.isArray(node.type) || node.type === "null" || "nullable" in node) return false;
  if (["anyOf", "oneOf", "allOf"].some((keyword) => keyword in node)) return false;
  let all = true;
  mapChildren(node, (child) => {
    all &&= fits(child);
    return child;
  });
  return all;
}

export const CLOUD_CODE: SchemaTarget = {
  name: "cloud-code",
  pass: (schema) => cloudCodeSchema(withProperties(schema)),
  strict: false,
  otherwise: "a free object",
};
