// Checks a value against the part of JSON Schema that tools use: types, properties, lists,
// alternatives, ranges, lengths and patterns. Keywords beyond it are left to the tool: its
// own server checks again, and refusing what it would take is worse.

import type { JsonSchema } from "@tau/ai/request";
import { matchesPattern } from "./bounded-pattern.ts";
import {
  describeSchema,
  isNode,
  ownProperty,
  resolveNode,
  takesType,
  typeOf,
  typesOf,
} from "./json-schema-node.ts";
import type { SchemaIssue } from "./schema-issue.ts";

type Path = readonly (string | number)[];

/** Deeper than any tool's arguments; a schema that refers to itself stops here at the latest. */
const MAX_DEPTH = 64;
/**
 * More than the arguments of any call have, and a tenth of a second at the worst: forms within forms
 * double the work with each level. What is left then is left to the tool.
 */
const MAX_NODES = 20_000;

export function jsonSchemaIssues(value: unknown, schema: JsonSchema): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  new Check(schema, issues, { left: MAX_NODES }).node(value, schema, [], 0);
  return issues;
}

class Check {
  readonly #root: JsonSchema;
  readonly #issues: SchemaIssue[];
  readonly #nodes: { left: number };

  constructor(root: JsonSchema, issues: SchemaIssue[], nodes: { left: number }) {
    this.#root = root;
    this.#issues = issues;
    this.#nodes = nodes;
  }

  node(value: unknown, raw: unknown, path: Path, depth: number): void {
    if (raw === false) return this.#wrong(path, "nothing", value);
    if (!isNode(raw) || depth > MAX_DEPTH || this.#nodes.left-- <= 0) return;
    const node = resolveNode(raw, this.#root);
    const own = { ...node, anyOf: undefined, oneOf: undefined };
    if (!takesType(typesOf(own, this.#root), typeOf(value))) {
      return this.#wrong(path, describeSchema(node), value);
    }
    // `nullable` beside the type: the rest is about the other values.
    if (value === null && node.nullable === true) return;
    this.#values(value, node, path);
    this.#alternatives(value, node, path, depth);
    if (typeof value === "string") this.#text(value, node, path);
    else if (typeof value === "number") this.#number(value, node, path);
    else if (Array.isArray(value)) this.#list(value, node, path, depth);
    else if (isNode(value)) this.#object(value, node, path, depth);
  }

  #wrong(path: Path, expected: string, received: unknown): void {
    this.#issues.push({ path, problem: "wrong", expected, received });
  }

  #values(value: unknown, node: JsonSchema, path: Path): void {
    const allowed = Array.isArray(node.enum) ? node.enum : "const" in node ? [node.const] : null;
    if (allowed && !allowed.some((one) => Bun.deepEquals(one, value))) {
      this.#wrong(path, describeSchema(node), value);
    }
  }

  #alternatives(value: unknown, node: JsonSchema, path: Path, depth: number): void {
    for (const part of listOf(node.allOf)) this.node(value, part, path, depth + 1);
    for (const keyword of ["anyOf", "oneOf"] as const) {
      const list = listOf(node[keyword]);
      if (list.length === 0) continue;
      const outcomes = list.map((part) => {
        const issues: SchemaIssue[] = [];
        new Check(this.#root, issues, this.#nodes).node(value, part, path, depth + 1);
        return issues;
      });
      const fitting = outcomes.filter((issues) => issues.length === 0).length;
      if (fitting === 0) this.#nearest(value, list, outcomes, path);
      else if (keyword === "oneOf" && fitting > 1) {
        this.#wrong(path, `exactly one of ${list.length} forms (this fits ${fitting})`, value);
      }
    }
  }

  /** The issues of the one form that was clearly meant, or all the forms by name. */
  #nearest(value: unknown, list: unknown[], outcomes: SchemaIssue[][], path: Path): void {
    const deep = outcomes.filter((issues) => issues.every((one) => one.path.length > path.length));
    if (deep.length === 1) this.#issues.push(...deep[0]!);
    else {
      const forms = list.map((part) =>
        isNode(part) ? describeSchema(resolveNode(part, this.#root)) : "a value",
      );
      this.#wrong(path, [...new Set(forms)].join(" or "), value);
    }
  }

  #text(value: string, node: JsonSchema, path: Path): void {
    const { minLength, maxLength, pattern } = node;
    if (typeof minLength === "number" && lengthOf(value) < minLength) {
      this.#wrong(path, `at least ${minLength} characters`, value);
    }
    if (typeof maxLength === "number" && lengthOf(value) > maxLength) {
      this.#wrong(path, `at most ${maxLength} characters`, value);
    }
    if (typeof pattern === "string" && matchesPattern(pattern, value) === false) {
      this.#wrong(path, `text like ${pattern}`, value);
    }
  }

  #number(value: number, node: JsonSchema, path: Path): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
    const bounds: [unknown, (bound: number) => boolean, string][] = [
      [minimum, (bound) => value >= bound, "at least"],
      [maximum, (bound) => value <= bound, "at most"],
      [exclusiveMinimum, (bound) => value > bound, "more than"],
      [exclusiveMaximum, (bound) => value < bound, "less than"],
      [multipleOf, (bound) => Number.isInteger(value / bound), "a multiple of"],
    ];
    for (const [bound, holds, words] of bounds) {
      if (typeof bound === "number" && !holds(bound)) this.#wrong(path, `${words} ${bound}`, value);
    }
  }

  #list(value: readonly unknown[], node: JsonSchema, path: Path, depth: number): void {
    const { minItems, maxItems, uniqueItems } = node;
    if (typeof minItems === "number" && value.length < minItems) {
      this.#wrong(path, `at least ${minItems} items`, value);
    }
    if (typeof maxItems === "number" && value.length > maxItems) {
      this.#wrong(path, `at most ${maxItems} items`, value);
    }
    if (
      uniqueItems === true &&
      new Set(value.map((item) => JSON.stringify(item))).size < value.length
    ) {
      this.#wrong(path, "items that differ", value);
    }
    const leading = listOf(node.prefixItems);
    for (const [at, item] of value.entries()) {
      const schema = at < leading.length ? leading[at] : node.items;
      this.node(item, schema, [...path, at], depth + 1);
    }
  }

  #object(value: JsonSchema, node: JsonSchema, path: Path, depth: number): void {
    for (const name of listOf(node.required)) {
      if (typeof name === "string" && !Object.hasOwn(value, name)) {
        const problem = "missing" as const;
        this.#issues.push({
          path: [...path, name],
          problem,
          expected: "a value",
          received: undefined,
        });
      }
    }
    for (const [name, item] of Object.entries(value)) {
      const at = [...path, name];
      const known = ownProperty(node.properties, name) ?? matching(node.patternProperties, name);
      if (known !== undefined) this.node(item, known, at, depth + 1);
      else if (node.additionalProperties === false) {
        const expected = "no such parameter";
        this.#issues.push({ path: at, problem: "unknown", expected, received: item });
      } else this.node(item, node.additionalProperties, at, depth + 1);
    }
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** In characters as people count them, not in UTF-16 units. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** What is said of names like this one; where nobody can tell, anything goes. */
function matching(patterns: unknown, name: string): unknown {
  if (!isNode(patterns)) return undefined;
  for (const [pattern, schema] of Object.entries(patterns)) {
    const matches = matchesPattern(pattern, name);
    if (matches !== false) return matches ? schema : {};
  }
  return undefined;
}
