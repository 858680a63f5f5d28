// One form for every tool's schema before any target looks at it: legal JSON Schema 2020-12,
// references written out within a budget, nothing that must hold besides (`allOf`), and at the top
// an object. What comes in may be anything: servers of strangers write it.

import { References } from "./inline-refs.ts";
import { isSchema, MAX_DEPTH, mapChildren, type Schema } from "./json-schema.ts";
import { legalNode } from "./legal-node.ts";
import { mergeAllOf } from "./merge-all.ts";
import { rootObject } from "./root-object.ts";

export const ANY_OBJECT: Schema = { type: "object", properties: {} };

/** `budgetChars`: how much may be written out in place of references. */
export function canonicalSchema(schema: unknown, budgetChars: number): Schema {
  const root = isSchema(schema) ? plain(schema) : ANY_OBJECT;
  return rootObject(rewrite(root, new References(root, budgetChars), [], 0));
}

/** A schema library's own object, put where its JSON Schema belongs, is not one. */
function plain(schema: Schema): Schema {
  if ("_def" in schema || "_zod" in schema || "~standard" in schema) return ANY_OBJECT;
  return schema;
}

function rewrite(
  raw: Schema,
  references: References,
  open: readonly string[],
  depth: number,
): Schema {
  // What is deeper is recursive or hostile; there anything is allowed.
  if (depth > MAX_DEPTH) return {};
  const { node, open: inside } = references.resolve(plain(raw), open);
  const { $ref: _over, ...legal } = legalNode(node);
  return mergeAllOf(mapChildren(legal, (child) => rewrite(child, references, inside, depth + 1)));
}
