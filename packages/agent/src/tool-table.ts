// The tools of one session: what the model is told of them, and the only way to run
// them. Whatever a call meets (unknown name, wrong arguments, a tool's own refusal, a
// bug) it ends in one result message that the model can act on.

import type { ToolCallBlock, ToolResultMessage } from "@tau/ai/message";
import type { JsonSchema, ToolSpec } from "@tau/ai/request";
import { toJsonSchema } from "@valibot/to-json-schema";
import { getDotPath, safeParse, type BaseIssue } from "valibot";
import { boundOutput } from "./bound-output.ts";
import { ToolError, type Tool, type ToolContent, type ToolOutput } from "./tool.ts";

export interface ToolRun {
  result: ToolResultMessage;
  details?: unknown;
  /** Something that is no `ToolError`: worth a line in the log of whoever runs Tau. */
  bug?: unknown;
}

export class ToolTable {
  #tools: Map<string, Tool>;
  #specs: ToolSpec[] | undefined;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name);
  }

  /** In a fixed order and made once: the vendor's prompt cache depends on equal bytes. */
  specs(): readonly ToolSpec[] {
    this.#specs ??= [...this.#tools.values()].map(({ name, description, parameters }) => {
      const { $schema: _dialect, ...schema } = toJsonSchema(parameters) as JsonSchema;
      return { name, description, parameters: schema };
    });
    return this.#specs;
  }

  async run(
    call: ToolCallBlock,
    options: { signal: AbortSignal; update: (text: string) => void },
  ): Promise<ToolRun> {
    const tool = this.#tools.get(call.name);
    if (!tool) return { result: failed(call, this.#unknown(call.name)) };
    if (call.malformed !== undefined) {
      const text =
        "The arguments were cut off or are not a JSON object. Send the call again, whole.";
      return { result: failed(call, text) };
    }
    const parsed = safeParse(tool.parameters, withoutNulls(call.arguments));
    if (!parsed.success) return { result: failed(call, describeIssues(tool, parsed.issues)) };
    try {
      options.signal.throwIfAborted();
      const output = await tool.execute(parsed.output, {
        id: call.id,
        signal: options.signal,
        update: options.update,
      });
      return withDetails({ result: settled(call, output.content, Outcome.ok) }, output);
    } catch (error) {
      if (options.signal.aborted) return { result: failed(call, "The call was aborted.") };
      if (error instanceof ToolError) {
        return { result: settled(call, error.content, Outcome.failed) };
      }
      const message = error instanceof Error ? error.message : String(error);
      return { result: failed(call, `The tool ${call.name} broke: ${message}`), bug: error };
    }
  }

  #unknown(name: string): string {
    return `There is no tool "${name}". The tools are: ${[...this.#tools.keys()].join(", ")}.`;
  }
}

enum Outcome {
  ok,
  failed,
}

function withDetails(run: ToolRun, output: ToolOutput): ToolRun {
  return output.details === undefined ? run : { ...run, details: output.details };
}

function failed(call: ToolCallBlock, text: string): ToolResultMessage {
  return settled(call, [{ type: "text", text }], Outcome.failed);
}

function settled(
  call: ToolCallBlock,
  content: readonly ToolContent[],
  outcome: Outcome,
): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: content.map((block) =>
      block.type === "text" ? { ...block, text: boundOutput(block.text).text } : block,
    ),
    isError: outcome === Outcome.failed,
    timestamp: Date.now(),
  };
}

/** Models fill optional parameters with null under strict schemas: absent is what they mean. */
function withoutNulls(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function describeIssues(tool: Tool, issues: readonly BaseIssue<unknown>[]): string {
  const lines = issues.map((issue) => `- ${getDotPath(issue) ?? "arguments"}: ${issue.message}`);
  return `The arguments of ${tool.name} do not fit:\n${lines.join("\n")}`;
}
