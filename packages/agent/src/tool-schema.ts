// What a tool's parameters are, whoever described them: the JSON Schema that the model is
// told, and a check with typed issues. Built-in tools use valibot, others bring JSON
// Schema; the table sees no difference.

import type { JsonSchema } from "@tau/ai/request";
import { toJsonSchema } from "@valibot/to-json-schema";
import { safeParse, type BaseIssue, type GenericSchema } from "valibot";
import { jsonSchemaIssues } from "./json-schema-issues.ts";
import type { SchemaIssue } from "./schema-issue.ts";

export type Validation = { ok: true; value: unknown } | { ok: false; issues: SchemaIssue[] };

export interface ToolSchema {
  readonly jsonSchema: JsonSchema;
  validate(value: unknown): Validation;
}

export function jsonSchemaParameters(schema: JsonSchema): ToolSchema {
  const { $schema: _dialect, ...jsonSchema } = schema;
  return {
    jsonSchema,
    validate(value) {
      const issues = jsonSchemaIssues(value, jsonSchema);
      return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
    },
  };
}

export function valibotParameters(schema: GenericSchema): ToolSchema {
  let made: JsonSchema | undefined;
  return {
    // Made when first asked for: a tool that is never offered costs nothing.
    get jsonSchema() {
      if (!made) {
        // What JSON Schema cannot say (a custom check) is still checked on each call.
        const converted = toJsonSchema(schema, { errorMode: "ignore" }) as JsonSchema;
        const { $schema: _dialect, ...rest } = converted;
        made = rest;
      }
      return made;
    },
    validate(value) {
      const parsed = safeParse(schema, value);
      if (parsed.success) return { ok: true, value: parsed.output };
      return { ok: false, issues: parsed.issues.map(issueOf) };
    },
  };
}

function issueOf(issue: BaseIssue<unknown>): SchemaIssue {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === "number" ? key : String(key)));
  // Arguments are JSON: a key that must not be there is all that nothing fits, and what is undefined is
  // a key that is not there.
  if (issue.expected === "never") {
    return { path, problem: "unknown", expected: "no such parameter", received: issue.input };
  }
  if (issue.received === "undefined" && path.length > 0) {
    return { path, problem: "missing", expected: "a value", received: undefined };
  }
  const expected = issue.type === "non_empty" ? "something" : (issue.expected ?? issue.message);
  return { path, problem: "wrong", expected, received: issue.input };
}
