// A tool of the family's as the tool table takes it. The family has had several orders of arguments for
// `execute`; which one it is follows from how the tool came here.

import { ToolError, type Tool, type ToolOutput } from "@tau/agent/tool";
import { anySchema, type AnySchema } from "../any-schema.ts";
import type { ModuleKind } from "../extension-source.ts";
import { toContent } from "./family-messages.ts";
import type { FamilyTool } from "./registrations.ts";

export interface ToolPlace {
  /** `tool`: from a file of its own, whose `execute` has the older order. */
  readonly kind: ModuleKind;
  readonly context: () => object;
}

const EMPTY = { type: "object", properties: {} } as const;

export function toTool(tool: FamilyTool, { kind, context }: ToolPlace): Tool {
  const { name, parameters = EMPTY, executionMode, prepareArguments } = tool;
  const schema = anySchema(parameters as AnySchema);
  return {
    name,
    description: descriptionOf(tool),
    parameters: prepareArguments
      ? {
          ...schema,
          jsonSchema: schema.jsonSchema,
          validate: (value) => schema.validate(prepareArguments(value)),
        }
      : schema,
    // Nothing says what it does to the machine: it counts as what can do everything.
    tier: "exec",
    concurrency: executionMode === "parallel" ? "shared" : "exclusive",
    async execute(params, { id, signal, update }) {
      const onUpdate = (partial: unknown): void => update(shownText(partial), "replace");
      const ctx = context();
      const result: unknown = await (kind === "tool"
        ? tool.execute(id, params, onUpdate, ctx, signal)
        : tool.execute(id, params, signal, onUpdate, ctx));
      return toOutput(result);
    },
  };
}

/** There its snippet and its guidelines stand in the system prompt; here they come with the tool. */
function descriptionOf(tool: FamilyTool): string {
  const { name, description, promptSnippet, promptGuidelines } = tool;
  const words = description?.trim() || promptSnippet?.trim() || name;
  const guidelines = (Array.isArray(promptGuidelines) ? promptGuidelines : []).map(
    (one) => `- ${String(one)}`,
  );
  return guidelines.length === 0 ? words : `${words}\n\nGuidelines:\n${guidelines.join("\n")}`;
}

/** Its throws are failures that the model may read, whatever their class. */
export function failingForModel(tool: Tool): Tool {
  return {
    ...tool,
    async execute(params, context) {
      try {
        return await tool.execute(params, context);
      } catch (error) {
        if (error instanceof ToolError || context.signal.aborted) throw error;
        throw new ToolError(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function toOutput(result: unknown): ToolOutput {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  const { content, details, isError } = (result ?? {}) as Record<string, unknown>;
  const blocks = toContent(content);
  if (isError === true) throw new ToolError(shownText(result), blocks, undefined, details);
  return { content: blocks, details };
}

function shownText(result: unknown): string {
  const { content } = (result ?? {}) as Record<string, unknown>;
  return toContent(content)
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
}
