// What cells may ask of the session that runs them, and how an answer looks in a cell.

import { ToolError, type ToolContent, type ToolOutput } from "@tau/agent/tool";
import type { KernelCall } from "@tau/host/kernel/kernel-frame";
import type { Workspace } from "../workspace.ts";

export interface CompletionOptions {
  model?: string;
  system?: string;
  /** A JSON Schema; the answer is then a value that fits it. */
  schema?: Readonly<Record<string, unknown>>;
}

export interface AgentOptions {
  agentType?: string;
  model?: string;
  label?: string;
  schema?: Readonly<Record<string, unknown>>;
}

/** Everything that is absent is refused in the cell, with a reason. */
export interface EvalBridge {
  /** As if the model had called: validated, approved, bounded. Rejects with `ToolError`. */
  callTool?(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutput>;
  /** One answer of a model, without history and without tools. */
  complete?(prompt: string, options: CompletionOptions, signal: AbortSignal): Promise<unknown>;
  /** One piece of work for an agent: its last text, or what fits the schema. */
  runAgent?(prompt: string, options: AgentOptions, signal: AbortSignal): Promise<unknown>;
  /** How many calls `parallel` and `pipeline` make at once; 0 is all. */
  concurrency?(): number;
}

/** Artifacts by number; agents have names. */
const ARTIFACT_ID = /^\d+$/;

export interface CallPlace {
  bridge: EvalBridge;
  workspace: Workspace;
  signal: AbortSignal;
  touch?: (path: string) => Promise<void>;
}

/** Rejects with an error whose message is for the cell's author. */
export async function answerCall(
  { kind, args }: KernelCall,
  { bridge, workspace, signal, touch }: CallPlace,
): Promise<unknown> {
  switch (kind) {
    case "tool":
      return callTool(bridge, String(args.name), record(args.args), signal);
    case "completion":
      if (!bridge.complete) throw new ToolError("There is no model to ask here.");
      return bridge.complete(String(args.prompt), record(args.options), signal);
    case "agent":
      if (!bridge.runAgent) throw new ToolError("No agents can be started here.");
      return bridge.runAgent(String(args.prompt), record(args.options), signal);
    case "touch":
      return touch?.(String(args.path));
    case "concurrency":
      return bridge.concurrency?.() ?? null;
    case "output": {
      const id = String(args.id);
      if (!ARTIFACT_ID.test(id)) {
        return callTool(bridge, "read", { path: `agent://${id}` }, signal);
      }
      return (await (await workspace.artifacts()).read(id)).text;
    }
  }
}

async function callTool(
  bridge: EvalBridge,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  if (!bridge.callTool) throw new ToolError("No tools can be called from cells here.");
  try {
    const { content } = await bridge.callTool(name, args, signal);
    const images = content.filter((block) => block.type === "image");
    const text = textOf(content);
    return images.length === 0 ? text : { text, images };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The whole of what it says, not only its headline.
    throw new Error(textOf(error.content) || error.message, { cause: error });
  }
}

function textOf(content: readonly ToolContent[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
