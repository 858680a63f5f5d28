// Claude's strict tools: every object closed, no keyword that its grammar cannot enforce. Optional
// properties stay optional, but a request may have only so many of them. A schema that does not fit
// is sent without the promise.

import { ANTHROPIC, withPlainNames } from "./anthropic.ts";
import { moveToDescription } from "./describe-keywords.ts";
import {
  guardDepth,
  InexpressibleSchema,
  isSchema,
  mapChildren,
  type Schema,
} from "./json-schema.ts";
import type { SchemaTarget } from "./tool-schema.ts";

const ENFORCED = new Set([
  "type",
  "description",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
]);
/** What cannot be left out without changing which values are meant. */
const STRUCTURAL = ["$ref", "oneOf", "allOf", "prefixItems", "patternProperties"];

/** What one request takes over all its strict tools, as the vendor's guide says. */
export interface StrictAllowance {
  tools: number;
  optional: number;
  unions: number;
}

export const STRICT_ALLOWANCE: Readonly<StrictAllowance> = { tools: 20, optional: 24, unions: 16 };

export const ANTHROPIC_STRICT: SchemaTarget = {
  name: "anthropic-strict",
  pass: strictSchema,
  strict: true,
  otherwise: ANTHROPIC,
};

/** What is left with this tool among the strict ones; undefined if there is no room for it. */
export function takeFrom(left: StrictAllowance, schema: Schema): StrictAllowance | undefined {
  const after = { ...left, tools: left.tools - 1 };
  count(schema, after);
  return Object.values(after).every((rest) => rest >= 0) ? after : undefined;
}

function count(node: Schema, left: StrictAllowance): void {
  const names = isSchema(node.properties) ? Object.keys(node.properties) : [];
  const required = Array.isArray(node.required) ? node.required : [];
  left.optional -= names.filter((name) => !required.includes(name)).length;
  if (Array.isArray(node.anyOf) || Array.isArray(node.type)) left.unions--;
  mapChildren(node, (child) => {
    count(child, left);
    return child;
  });
}

function strictSchema(schema: Schema): Schema {
  // A parameter that can only be told could not be given to a closed object.
  if (withPlainNames(schema) !== schema) throw new InexpressibleSchema("an odd name");
  return closed({ ...schema, type: "object" }, 0);
}

function closed(raw: Schema, depth: number): Schema {
  guardDepth(depth);
  const structural = STRUCTURAL.find((keyword) => raw[keyword] !== undefined);
  if (structural) throw new InexpressibleSchema(structural);
  refuseFree(raw, depth);
  const dropped = new Set(Object.keys(raw).filter((keyword) => !ENFORCED.has(keyword)));
  const node = mapChildren(moveToDescription(raw, dropped), (child) => closed(child, depth + 1));
  if (!isObject(node)) return node;
  const properties = isSchema(node.properties) ? node.properties : {};
  return { ...node, type: "object", properties, additionalProperties: false };
}

function refuseFree(node: Schema, depth: number): void {
  const { additionalProperties, properties, items, type } = node;
  const isOpen =
    additionalProperties === true ||
    isSchema(additionalProperties) ||
    (depth > 0 && properties === undefined && additionalProperties !== false);
  if (isObject(node) && isOpen) throw new InexpressibleSchema("an object with free keys");
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("object") && types.length > 1)
    throw new InexpressibleSchema("an object or not");
  if (types.includes("array") && !isSchema(items))
    throw new InexpressibleSchema("a list of anything");
  const says = [type, node.anyOf, node.enum, node.const, properties];
  if (says.every((one) => one === undefined)) throw new InexpressibleSchema("a value of any type");
}

function isObject({ type, properties }: Schema): boolean {
  return type === "object" || isSchema(properties);
}
