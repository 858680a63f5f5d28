// A provider of the family's that answers by itself (`streamSimple`): its function is asked like any other model,
// over the one line, and what it streams becomes a reply. Nothing is believed of it that was not said: a stream
// that ends without an end is a failure, and one that is stopped is not waited for.

import { AsyncLocalStorage } from "node:async_hooks";
import { ModelError, modelFailure, type ModelFailure } from "@tau/ai/error";
import { ReplyAssembler, type OpenBlock } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import type { TargetCaller } from "../../model/model-target.ts";
import { toFamilyMessage } from "./family-messages.ts";
import { toFamilyModel } from "./family-model.ts";

type Fields = Record<string, unknown>;

export type StreamSimple = (model: object, context: object, options: object) => unknown;

/** `api`: the family's name for the way that the provider is spoken to. */
export function streamClient(stream: StreamSimple, api: unknown): TargetCaller {
  return (request, { signal, credential }) => {
    const reply = new ReplyStream();
    const { provider, id: model } = request.model;
    const out = new ReplyAssembler({ provider, model, wire: "in-process" }, reply.push);
    const name = `${provider}/${model}`;
    if (within.getStore() === name) {
      out.fail(failed(`${name} asks itself for its answer`));
      return reply;
    }
    const stop = (): void => out.fail(modelFailure("aborted", "The reply was stopped."));
    signal.addEventListener("abort", stop, { once: true });
    const run = async (): Promise<void> => {
      const apiKey = (await credential())?.token;
      const context = contextOf(request);
      const asked = { ...toFamilyModel(request.model), api: api ?? provider };
      const events = await stream(asked, context, { ...optionsOf(request), signal, apiKey });
      await read(events as AsyncIterable<Fields>, out);
    };
    void within
      .run(name, run)
      .catch((error: unknown) => out.fail(failed(error)))
      .finally(() => signal.removeEventListener("abort", stop));
    return reply;
  };
}

/** Which of them is answering: one that hands its question on must not hand it to itself. */
const within = new AsyncLocalStorage<string>();

function failed(error: unknown): ModelFailure {
  if (error instanceof ModelError) return error.failure;
  const words = error instanceof Error ? error.message : String(error);
  return modelFailure("protocol", `The extension's provider failed: ${words}`, {
    retryable: false,
  });
}

function contextOf({ system, messages, tools }: ModelRequest): object {
  return {
    systemPrompt: system.join("\n\n"),
    messages: messages.map((message) => toFamilyMessage(message)),
    tools: tools.map((tool) => ({ ...tool })),
  };
}

function optionsOf({ maxOutput, temperature, thinking, cacheKey }: ModelRequest): object {
  const reasoning = thinking === "off" ? undefined : thinking;
  return { maxTokens: maxOutput, temperature, reasoning, sessionId: cacheKey };
}

async function read(events: AsyncIterable<Fields>, out: ReplyAssembler): Promise<void> {
  const open = new Map<unknown, OpenBlock>();
  for await (const event of events) {
    if (out.ended) return;
    take(event, open, out);
  }
  out.failIfUnfinished();
}

function take(event: Fields, open: Map<unknown, OpenBlock>, out: ReplyAssembler): void {
  const { type, contentIndex: at, delta } = event;
  const block = open.get(at);
  switch (type) {
    case "start":
      return out.start();
    case "text_start":
    case "thinking_start":
      open.set(at, type === "text_start" ? out.openText() : out.openThinking());
      return;
    case "toolcall_start": {
      const call = callAt(event);
      if (call) open.set(at, out.openToolCall(call));
      return;
    }
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      block?.append(String(delta));
      return;
    case "text_end":
    case "thinking_end":
      block?.close();
      return;
    case "toolcall_end":
      return endCall((event.toolCall ?? {}) as Fields, block, out);
    case "done":
      return finish(event, open, out);
    case "error": {
      const { errorMessage } = (event.error ?? {}) as Fields;
      const words = String(errorMessage ?? "it gave no reason");
      return out.fail(
        event.reason === "aborted"
          ? modelFailure("aborted", "The reply was stopped.")
          : failed(words),
      );
    }
  }
}

/** Some know what is called only at the end. */
function callAt({ partial, contentIndex }: Fields): { id: string; name: string } | undefined {
  const { content } = (partial ?? {}) as { content?: readonly Fields[] };
  const { id, name } = content?.[Number(contentIndex)] ?? {};
  if (typeof id !== "string" || typeof name !== "string" || id === "" || name === "") {
    return undefined;
  }
  return { id, name };
}

function endCall(call: Fields, block: OpenBlock | undefined, out: ReplyAssembler): void {
  const { id, name, arguments: args = {} } = call;
  const whole = block ?? out.openToolCall({ id: String(id), name: String(name) });
  whole.settle(JSON.stringify(args));
  whole.close();
}

/** A provider that does not stream says everything at the end. */
function finish(
  { message, reason }: Fields,
  open: ReadonlyMap<unknown, OpenBlock>,
  out: ReplyAssembler,
): void {
  const { content, usage } = (message ?? {}) as { content?: readonly Fields[]; usage?: Fields };
  if (open.size === 0 && out.message.content.length === 0) {
    for (const block of content ?? []) whole(block, out);
  }
  for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) {
    const count = usage?.[key];
    if (typeof count === "number" && count >= 0) out.usage({ [key]: count });
  }
  out.finish(reason === "length" || reason === "toolUse" ? reason : "stop");
}

function whole(block: Fields, out: ReplyAssembler): void {
  if (block.type === "toolCall") return endCall(block, undefined, out);
  const made = block.type === "thinking" ? out.openThinking() : out.openText();
  made.append(String(block.type === "thinking" ? block.thinking : block.text));
  made.close();
}
