// What a tool is. A tool owns its name, its words to the model, its parameters, its
// permission tier and its work; calling, validating and bounding belong to the table.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import type { GenericSchema, InferOutput } from "valibot";

/** What a call may do to the machine; approval decides by it. */
export type ToolTier = "read" | "write" | "exec";

/** `shared` calls of one turn run side by side; an `exclusive` one runs alone, in its place. */
export type ToolConcurrency = "shared" | "exclusive";

export type ToolContent = TextBlock | ImageBlock;

export interface ToolOutput {
  content: ToolContent[];
  /** For renderers and scripts; never sent to the model. */
  details?: unknown;
}

export interface ToolContext {
  /** The call's id. */
  id: string;
  signal: AbortSignal;
  /** Progress for whoever watches; the model sees only the result. */
  update(text: string): void;
}

export interface Tool<S extends GenericSchema = GenericSchema> {
  name: string;
  description: string;
  parameters: S;
  tier: ToolTier;
  concurrency: ToolConcurrency;
  execute(params: InferOutput<S>, context: ToolContext): Promise<ToolOutput>;
}

/** Keeps the parameter types inside one definition; the table holds tools of any schema. */
export function defineTool<S extends GenericSchema>(tool: Tool<S>): Tool {
  return tool as unknown as Tool;
}

/** A failure that the model may read and act on. Anything else thrown is a bug. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Shown instead of the bare message where the tool had output to show too. */
  readonly content: ToolContent[];

  constructor(message: string, content?: ToolContent[]) {
    super(message);
    this.content = content ?? [{ type: "text", text: message }];
  }
}

export function textOutput(text: string, details?: unknown): ToolOutput {
  return details === undefined
    ? { content: [{ type: "text", text }] }
    : { content: [{ type: "text", text }], details };
}
