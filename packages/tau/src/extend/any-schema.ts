// Parameters of a tool, whoever's library described them: plain JSON Schema (which typebox makes, too),
// valibot, zod, or anything that follows Standard Schema and can say itself as JSON Schema.

import { jsonSchemaParameters, valibotParameters, type ToolSchema } from "@tau/agent/tool-schema";
import type { JsonSchema } from "@tau/ai/request";
import type { GenericSchema } from "valibot";

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
}

/** What https://standardschema.dev asks of a schema; its types are carried along by `types`. */
export interface StandardSchema<P = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): StandardResult | Promise<StandardResult>;
    readonly types?: { readonly output: P } | undefined;
    readonly jsonSchema?: { input(options: { target: string }): Record<string, unknown> };
  };
}

export type AnySchema<P = unknown> = StandardSchema<P> | JsonSchema;

/** Throws a `TypeError` that says what can be used instead. */
export function anySchema(schema: AnySchema): ToolSchema {
  if (!isStandard(schema)) return plainSchema(schema);
  const { vendor, jsonSchema } = schema["~standard"];
  if (vendor === "valibot") return valibotParameters(schema as unknown as GenericSchema);
  if (vendor === "zod") return standardSchema(schema, zodJson(schema));
  if (jsonSchema) return standardSchema(schema, jsonSchema.input({ target: "draft-2020-12" }));
  throw new TypeError(
    `a schema of ${vendor} cannot be told to a model; give JSON Schema, or one of zod 4, valibot or typebox`,
  );
}

function isStandard(schema: AnySchema): schema is StandardSchema {
  return typeof schema === "object" && schema !== null && "~standard" in schema;
}

/** What typebox makes carries symbols along, which are nobody's business but its own. */
function plainSchema(schema: JsonSchema): ToolSchema {
  if (typeof schema !== "object" || schema === null) {
    throw new TypeError("parameters must be a schema, and there is none");
  }
  const plain = JSON.parse(JSON.stringify(schema)) as JsonSchema;
  return jsonSchemaParameters("type" in plain ? plain : { type: "object", ...plain });
}

/** Checked by the library itself: it knows more than it can say, and may turn a value into another. */
function standardSchema(schema: StandardSchema, json: Record<string, unknown>): ToolSchema {
  const { $schema: _dialect, ...jsonSchema } = json;
  return {
    jsonSchema: jsonSchema as JsonSchema,
    validate(value) {
      const result = schema["~standard"].validate(value);
      if (result instanceof Promise) {
        result.catch(() => {});
        throw new TypeError("a schema that has to be awaited cannot check a call");
      }
      if (!result.issues) return { ok: true, value: result.value };
      const issues = result.issues.map(({ message, path = [] }) => ({
        path: path.map(keyOf),
        problem: "wrong" as const,
        expected: message,
        received: undefined,
      }));
      return { ok: false, issues };
    },
  };
}

/** A step of a path may be a key, or an object that holds one. */
function keyOf(step: unknown): string | number {
  const key = typeof step === "object" && step !== null && "key" in step ? step.key : step;
  return typeof key === "number" ? key : String(key);
}

/** Any copy of zod 4, the extension's own too, can be read by ours. */
function zodJson(schema: StandardSchema): Record<string, unknown> {
  if (!("_zod" in schema)) {
    throw new TypeError(
      "a schema of zod 3 cannot be told to a model; import zod/v4, or give JSON Schema",
    );
  }
  const { toJSONSchema } = require("zod/v4") as typeof import("zod/v4");
  return toJSONSchema(schema as never, { io: "input", unrepresentable: "any" }) as Record<
    string,
    unknown
  >;
}
