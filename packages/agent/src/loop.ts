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

/** What of a request stays the same from turn to turn. */
export type RequestFrame = Omit<ModelRequest, "messages" | "tools">;

/** What to do about a reply that failed. */
export type Recovery =
  /** Ask again, possibly another model. */
  { type: "retry"; request?: Partial<RequestFrame>; callModel?: ModelCaller } | { type: "give_up" };

export interface LoopOptions {
  request: RequestFrame;
  /** The conversation so far, ending with what the model is to answer. */
  messages: readonly Message[];
  tools: ToolTable;
  callModel: ModelCaller;
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  /**
   * Asked about every failed reply; it may wait, and must return when the signal aborts.
   * The failed reply's calls were not run, so asking again repeats nothing.
   */
  recover?: (failed: AssistantMessage) => Promise<Recovery>;
  /** Told of every reply that did not fail, so that `recover` can start over. */
  recovered?: () => void;
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
  // A recovery may change the model for the rest of the run.
  const asking = { ...options };
  emit({ type: "agent_start" });
  for (let turn = 1; ; turn++) {
    if (options.maxTurns !== undefined && turn > options.maxTurns) {
      return finish({ reason: "limit", limit: `${options.maxTurns} model calls` });
    }
    emit({ type: "turn_start", turn });
    const reply = await askUntilSettled(asking, [...options.messages, ...added]);
    added.push(reply);
    emit({ type: "message_end", message: reply });
    // Whoever stops a recovery stops the run; that the call had failed before is no news.
    if (reply.stopReason === "aborted" || (reply.stopReason === "error" && signal.aborted)) {
      return finish({ reason: "aborted" });
    }
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

async function askUntilSettled(
  options: LoopOptions,
  messages: Message[],
): Promise<AssistantMessage> {
  for (;;) {
    const reply = await askModel(options, messages);
    if (reply.stopReason !== "error") {
      options.recovered?.();
      return reply;
    }
    const recovery = await options.recover?.(reply);
    if (recovery?.type !== "retry") return reply;
    options.emit({ type: "reply_discarded", message: reply });
    options.request = { ...options.request, ...recovery.request };
    options.callModel = recovery.callModel ?? options.callModel;
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
