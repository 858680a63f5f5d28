// What a tool is. A tool owns its name, its words to the model, its parameters, its
// permission tier and its work; calling, validating and bounding belong to the table.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import type { JsonSchema } from "@tau/ai/request";
import type { GenericSchema, InferOutput } from "valibot";
import type { OutputLimits } from "./bound-output.ts";
import { jsonSchemaParameters, valibotParameters, type ToolSchema } from "./tool-schema.ts";

/** What a call may do to the machine; approval decides by it. */
export type ToolTier = "read" | "write" | "exec";

/** `shared` calls of one turn run side by side; an `exclusive` one runs alone, in its place. */
export type ToolConcurrency = "shared" | "exclusive";

export type ToolContent = TextBlock | ImageBlock;

export interface ToolOutput {
  content: ToolContent[];
  /** For renderers and scripts; never sent to the model. */
  details?: unknown;
  /** Where the tool itself keeps the whole of what it shows part of: nothing of it is kept again. */
  artifactId?: string;
}

/** `append`: the text since the last update. `replace`: a new state instead of the old one. */
export type UpdateMode = "append" | "replace";

export interface ToolContext {
  /** The call's id. */
  id: string;
  signal: AbortSignal;
  /** Progress for whoever watches; the model sees only the result. */
  update(text: string, mode?: UpdateMode): void;
}

/** What one call would do, for whoever gives consent. */
export interface CallAssessment {
  tier: ToolTier;
  /** What it is about, part by part: a rule for a call is a rule for these words. */
  subjects: readonly string[];
  /**
   * For each subject, other words for the same: what the user refuses or wants to be asked about
   * is meant however it is put. Consent is to the subjects alone.
   */
  spellings?: readonly (readonly string[])[];
  /**
   * The words in which a yes to the call is remembered, if the subjects do not say exactly what it does:
   * with the directory, or the whole line as one. Empty: the yes is to this one call.
   */
  exact?: readonly string[];
  /** Files that it reads, each in all its spellings: a refusal of one is a refusal of the call. */
  reads?: readonly (readonly string[])[];
  /** Files that it creates, overwrites or deletes, likewise. */
  changes?: readonly (readonly string[])[];
  /** Other machines that it names, and may talk to. */
  hosts?: readonly string[];
  /** What it does, as what follows "it", if it is not what other calls of its tier do. */
  does?: string;
  /** Why it cannot be done at all: nobody need be asked. */
  impossible?: string;
  /** Why a person should decide whatever the settings say, as what follows "it". */
  guard?: string;
}

/** What one call would change, for whoever looks before it happens. */
export interface CallPreview {
  files: readonly PreviewedFile[];
  /** Why the call will be refused, where that is certain already. */
  problem?: string;
}

export interface PreviewedFile {
  /** As the model and the user see it. */
  path: string;
  op: "create" | "update" | "delete";
  /** Unified; empty where nothing can be shown. */
  diff: string;
  moveTo?: string;
}

interface ToolTraits {
  name: string;
  description: string;
  tier: ToolTier;
  concurrency: ToolConcurrency;
  /**
   * The table stops a call after this long, and after its own maximum in any case.
   * `waits_for_person` has no limit: nobody's lunch is a failure.
   */
  timeoutMs?: number | "waits_for_person";
  /** Where this tool's text wants other limits than the table's. */
  limits?: Partial<OutputLimits>;
  /** Where a call may do less, or worse, than the tier says. `params` have been checked. */
  assess?: (params: unknown) => CallAssessment | Promise<CallAssessment>;
  /** Changes nothing. `params` have been checked. */
  preview?: (params: unknown) => Promise<CallPreview>;
  /** Asking again and getting the same is this tool's purpose: no sign of a model that is stuck. */
  polls?: boolean;
}

export interface Tool extends ToolTraits {
  parameters: ToolSchema;
  /** `params` is what the schema's `validate` gave. */
  execute(params: unknown, context: ToolContext): Promise<ToolOutput>;
}

/** What judges of a call know of its tool: everything but the way to run it. */
export type JudgedTool = Omit<Tool, "execute" | "parameters">;

/** A tool with a valibot schema: the parameters' types stay inside the one definition. */
export function defineTool<S extends GenericSchema>(
  tool: ToolTraits & {
    parameters: S;
    execute(params: InferOutput<S>, context: ToolContext): Promise<ToolOutput>;
  },
): Tool {
  return { ...tool, parameters: valibotParameters(tool.parameters) } as Tool;
}

/** A tool that came with a JSON Schema: from an MCP server, an extension or a host program. */
export function defineJsonTool(
  tool: ToolTraits & {
    parameters: JsonSchema;
    execute(params: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
  },
): Tool {
  return { ...tool, parameters: jsonSchemaParameters(tool.parameters) } as Tool;
}

/** A failure that the model may read and act on. Anything else thrown is a bug. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Shown instead of the bare message where the tool had output to show too. */
  readonly content: ToolContent[];
  /** As of an output. */
  readonly artifactId: string | undefined;
  readonly details: unknown;

  constructor(message: string, content?: ToolContent[], artifactId?: string, details?: unknown) {
    super(message);
    this.details = details;
    this.content = content ?? [{ type: "text", text: message }];
    this.artifactId = artifactId;
  }
}

export function textOutput(text: string, details?: unknown): ToolOutput {
  return details === undefined
    ? { content: [{ type: "text", text }] }
    : { content: [{ type: "text", text }], details };
}
