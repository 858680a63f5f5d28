// The loop, as a function: ask the model, run the tools it calls, ask again, until it
// calls none. It knows no files, no terminal and no vendor; it emits events and returns
// the messages it added.

import {
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type ToolCallBlock,
  type ToolResultMessage,
} from "@tau/ai/message";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import type { AgentEvent, RunEnd } from "./event.ts";
import type { ToolTable } from "./tool-table.ts";

/** Opens one model call. Failures come as the stream's terminal event, never thrown. */
export type ModelCaller = (request: ModelRequest, options: { signal: AbortSignal }) => ReplyStream;

export interface LoopOptions {
  /** Everything of a request that stays the same from turn to turn. */
  request: Omit<ModelRequest, "messages" | "tools">;
  /** The conversation so far, ending with what the model is to answer. */
  messages: readonly Message[];
  tools: ToolTable;
  callModel: ModelCaller;
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  /** Model calls a run may make; unlimited where absent. */
  maxTurns?: number;
}

export interface LoopResult {
  end: RunEnd;
  /** What the run added to the conversation, in order. */
  added: Message[];
}

export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const { emit, signal } = options;
  const added: Message[] = [];
  const finish = (end: RunEnd): LoopResult => {
    emit({ type: "agent_end", end });
    return { end, added };
  };
  emit({ type: "agent_start" });
  for (let turn = 1; ; turn++) {
    if (options.maxTurns !== undefined && turn > options.maxTurns) {
      return finish({ reason: "limit", limit: `${options.maxTurns} model calls` });
    }
    emit({ type: "turn_start", turn });
    const reply = await askModel(options, [...options.messages, ...added]);
    added.push(reply);
    emit({ type: "message_end", message: reply });
    if (reply.stopReason === "aborted") return finish({ reason: "aborted" });
    if (reply.stopReason === "error") return finish({ reason: "failed" });

    const results = await runCalls(options, toolCallsOf(reply));
    for (const result of results) {
      added.push(result);
      emit({ type: "message_end", message: result });
    }
    emit({ type: "turn_end", turn, message: reply, results });
    if (signal.aborted) return finish({ reason: "aborted" });
    if (results.length === 0) return finish({ reason: "done" });
  }
}

async function askModel(options: LoopOptions, messages: Message[]): Promise<AssistantMessage> {
  const stream = options.callModel(
    { ...options.request, messages, tools: options.tools.specs() },
    { signal: options.signal },
  );
  options.emit({ type: "message_start", role: "assistant" });
  for await (const event of stream) options.emit({ type: "message_update", event });
  return stream.result();
}

/** Runs a turn's calls in their order; neighbours that may share run side by side. */
async function runCalls(
  options: LoopOptions,
  calls: readonly ToolCallBlock[],
): Promise<ToolResultMessage[]> {
  const results: ToolResultMessage[] = [];
  let at = 0;
  while (at < calls.length) {
    const batch = [calls[at]!];
    while (isShared(options, batch.at(-1)!) && at + batch.length < calls.length) {
      const next = calls[at + batch.length]!;
      if (!isShared(options, next)) break;
      batch.push(next);
    }
    results.push(...(await Promise.all(batch.map((call) => runCall(options, call)))));
    at += batch.length;
  }
  return results;
}

function isShared(options: LoopOptions, call: ToolCallBlock): boolean {
  return options.tools.get(call.name)?.concurrency !== "exclusive";
}

async function runCall(options: LoopOptions, call: ToolCallBlock): Promise<ToolResultMessage> {
  const { emit, signal } = options;
  emit({ type: "tool_execution_start", call });
  const run = await options.tools.run(call, {
    signal,
    update: (text) => emit({ type: "tool_execution_update", callId: call.id, text }),
  });
  emit({ type: "tool_execution_end", call, ...run });
  return run.result;
}
