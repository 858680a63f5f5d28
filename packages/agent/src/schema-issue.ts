// What is wrong with a call's arguments, as data and as a sentence the model can act on:
// where, what was expected, what came, and what was probably meant.

import type { JsonSchema } from "@tau/ai/request";
import { describeSchema, isNode, schemaAt } from "./json-schema-node.ts";
import { nearestWord } from "./nearest-word.ts";

export interface SchemaIssue {
  /** Property names and list positions from the arguments down. */
  path: readonly (string | number)[];
  problem: "missing" | "unknown" | "wrong";
  /** What would have been right, as words after "expected". */
  expected: string;
  received: unknown;
}

/** More than this says nothing that the first ones did not. */
const MAX_ISSUES = 10;
/** Enough of a wrong value to recognise it. */
const RECEIVED_CHARS = 60;

export function describeIssues(
  toolName: string,
  schema: JsonSchema,
  issues: readonly SchemaIssue[],
): string {
  const lines = issues.slice(0, MAX_ISSUES).map((issue) => `- ${describe(schema, issue)}`);
  if (issues.length > MAX_ISSUES) lines.push(`- and ${issues.length - MAX_ISSUES} more`);
  return `The arguments of ${toolName} do not fit:\n${lines.join("\n")}`;
}

function describe(schema: JsonSchema, issue: SchemaIssue): string {
  const where = pathText(issue.path);
  switch (issue.problem) {
    case "missing": {
      const wanted = schemaAt(schema, issue.path);
      return `${where}: missing; expected ${wanted ? describeSchema(wanted) : issue.expected}`;
    }
    case "unknown": {
      const known = Object.keys(propertiesAt(schema, issue.path.slice(0, -1)));
      const meant = nearestWord(String(issue.path.at(-1)), known);
      const hint =
        meant !== undefined
          ? `did you mean "${meant}"?`
          : known.length > 0
            ? `the parameters are ${known.join(", ")}`
            : "there are no parameters";
      return `${where}: unknown parameter; ${hint}`;
    }
    case "wrong":
      return `${where}: expected ${issue.expected}, received ${receivedText(issue.received)}`;
  }
}

function propertiesAt(schema: JsonSchema, path: readonly (string | number)[]): JsonSchema {
  const { properties } = schemaAt(schema, path) ?? {};
  return isNode(properties) ? properties : {};
}

function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return "arguments";
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join("");
}

function receivedText(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= RECEIVED_CHARS ? text : `${text.slice(0, RECEIVED_CHARS).toWellFormed()}…`;
}
