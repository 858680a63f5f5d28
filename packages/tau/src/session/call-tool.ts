// A tool called by a program instead of the model: a code cell, an extension. It is checked, judged
// and bounded like any other call; only it is not part of the conversation.

import { HookCalls } from "@tau/agent/hook-calls";
import type { Hooks } from "@tau/agent/hooks";
import { judgeCall, type Asker } from "@tau/agent/judge-call";
import type { ToolTable } from "@tau/agent/tool-table";
import { ToolError, type ToolContent, type ToolOutput } from "@tau/agent/tool";
import type { SessionEvent } from "./session-event.ts";

export interface ToolCaller {
  tools: ToolTable;
  hooks: Hooks;
  ask: Asker | undefined;
  emit: (event: SessionEvent) => void;
}

/** Rejects with a `ToolError` where the call is refused or fails. */
export async function callTool(
  { tools, hooks, ask, emit }: ToolCaller,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const calls = new HookCalls(hooks, { signal, emit });
  const id = `inner-${crypto.randomUUID()}`;
  const call = { type: "toolCall" as const, id, name, arguments: { ...args } };
  const judgement = await judgeCall({ hooks: calls, tools, ask, signal }, call);
  if (!judgement.ok) throw new ToolError(judgement.why);
  const ran = await tools.execute(judgement.prepared, { signal, update: () => {} });
  const { result, details } = calls.has("tool_result")
    ? await calls.toolResult(call, ran, { wasRun: true })
    : ran;
  const content = result.content as ToolContent[];
  if (!result.isError) return details === undefined ? { content } : { content, details };
  const words = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  throw new ToolError(words.split("\n")[0] ?? "The call failed.", content);
}
