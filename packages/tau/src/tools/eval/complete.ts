// `completion()` in a cell: one answer of a model, without history and without tools; a value of a shape
// if one is asked for.

import { ToolError } from "@tau/agent/tool";
import { textOf, toolCallsOf, userText } from "@tau/ai/message";
import type { FeatureHost } from "../../feature-api/feature.ts";
import type { CompletionOptions } from "./bridge.ts";

/** What the words for a model in a cell are here. Cells ask often: the usual one is the small one. */
const ROLES: Readonly<Record<string, readonly string[]>> = {
  default: ["smol"],
  smol: ["smol"],
  slow: ["slow"],
};
const ANSWER = "answer";

export async function complete(
  { line }: Pick<FeatureHost, "line">,
  prompt: string,
  { model: named, system, schema }: CompletionOptions,
  signal: AbortSignal,
): Promise<unknown> {
  // Python sends what is not given as null.
  const model = named ?? "default";
  const roles = Object.hasOwn(ROLES, model) ? ROLES[model] : undefined;
  if (!roles) {
    throw new ToolError(`completion() knows the models smol, default and slow, not "${model}".`);
  }
  const tools = schema && [
    { name: ANSWER, description: "Your answer.", parameters: schemaOfObject(schema) },
  ];
  const request = {
    system: system ? [system] : [],
    messages: [userText(prompt)],
    tools: tools ?? [],
    toolChoice: tools && { name: ANSWER },
  };
  const reply = await line.ask(request, { purpose: "cell", roles, signal });
  if (reply.error) throw new ToolError(reply.error.message);
  if (!schema) return textOf(reply);
  const [call] = toolCallsOf(reply);
  if (!call)
    throw new ToolError(`The model did not answer in the shape asked for: ${textOf(reply)}`);
  return isObject(schema) ? call.arguments : call.arguments.value;
}

/** A call has an object for its arguments: anything else is its only field. */
function schemaOfObject(schema: Readonly<Record<string, unknown>>) {
  if (isObject(schema)) return schema;
  return { type: "object", properties: { value: schema }, required: ["value"] };
}

function isObject({ type, properties }: Readonly<Record<string, unknown>>): boolean {
  return type === "object" || (type === undefined && properties !== undefined);
}
