// Runs for tests: a model that says what a script says, tools of one word, and a log in
// memory that can be slow, fail, and be read back as after a restart.

import { modelFailure } from "@tau/ai/error";
import type { StreamEvent } from "@tau/ai/event";
import { toolCallsOf, userText, type AssistantMessage, type Message } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { eventsOf, type ScriptedReply } from "@tau/testkit/script";
import { strictObject, string } from "valibot";
import type { AgentEvent } from "../event.ts";
import { runLoop, type LoopOptions, type LoopResult } from "../loop.ts";
import { undelivered, type MailRecord, type PendingMail } from "../mail.ts";
import type { MailPort } from "../mailbox.ts";
import type { RecordItem } from "../record.ts";
import { ToolTable } from "../tool-table.ts";
import { defineTool, textOutput, type Tool, type ToolConcurrency } from "../tool.ts";

export const model: Model = {
  provider: "scripted",
  id: "m",
  name: "m",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  cost: FREE,
};

const origin = { provider: "scripted", model: "m", wire: "in-process" as const };

export interface Scripted {
  call: LoopOptions["callModel"];
  /** What was sent, as it was then: a run's requests share one growing array. */
  requests: ModelRequest[];
}

/** `at_once`: whole replies. `live`: event by event, and an abort ends the reply where it is. */
export function scripted(
  replies: readonly ScriptedReply[],
  pace: "at_once" | "live" = "at_once",
  otherwise?: ScriptedReply,
): Scripted {
  const requests: ModelRequest[] = [];
  const call: LoopOptions["callModel"] = (request, { signal }) => {
    requests.push({ ...request, messages: [...request.messages] });
    const reply = replies[requests.length - 1] ?? otherwise;
    if (!reply) throw new Error(`no reply scripted for request ${requests.length}`);
    const stream = new ReplyStream();
    const events = eventsOf(reply, origin, requests.length);
    if (pace === "live") void play(events, stream, signal);
    else for (const event of events) stream.push(event);
    return stream;
  };
  return { call, requests };
}

async function play(
  events: readonly StreamEvent[],
  stream: ReplyStream,
  signal: AbortSignal,
): Promise<void> {
  const content: AssistantMessage["content"] = [];
  const last = events.at(-1) as Extract<StreamEvent, { type: "done" | "error" }>;
  for (const event of events) {
    await Promise.resolve();
    if (signal.aborted) {
      const error = modelFailure("aborted", "stopped");
      const message = { ...last.message, content, stopReason: "aborted" as const, error };
      stream.push({ type: "error", reason: "aborted", error, message });
      return;
    }
    if ("block" in event) content.push(event.block);
    stream.push(event);
  }
}

export function wordTool(
  name: string,
  concurrency: ToolConcurrency,
  execute: (word: string, signal: AbortSignal) => Promise<string>,
  traits: Partial<Pick<Tool, "polls" | "timeoutMs">> = {},
): Tool {
  return defineTool({
    name,
    description: name,
    parameters: strictObject({ word: string() }),
    tier: "read",
    concurrency,
    execute: async ({ word }, { signal }) => textOutput(await execute(word, signal)),
    ...traits,
  });
}

export const echo = (word: string) => ({ name: "echo", arguments: { word } });
export const echoTool = (): Tool => wordTool("echo", "shared", async (word) => `<${word}>`);

export interface TestRun extends LoopResult {
  events: AgentEvent[];
  requests: ModelRequest[];
}

export async function run(
  replies: readonly ScriptedReply[],
  options: Partial<LoopOptions> = {},
): Promise<TestRun> {
  const { call, requests } = scripted(replies);
  const events: AgentEvent[] = [];
  const result = await runLoop({
    request: { model, system: ["be brief"], stream: true },
    messages: options.prompt ? [] : [userText("hi", 0)],
    tools: new ToolTable([echoTool()]),
    callModel: call,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    ...options,
  });
  return { ...result, events, requests };
}

/** What a session's log would hold: all of an append, or nothing. */
export class MemoryLog implements MailPort {
  readonly items: RecordItem[] = [];
  readonly mail: MailRecord[] = [];
  readonly #pause: () => Promise<unknown>;

  constructor(pause: () => Promise<unknown> = () => Promise.resolve()) {
    this.#pause = pause;
  }

  readonly record = async (items: RecordItem[]): Promise<void> => {
    await this.#pause();
    this.items.push(...items);
    for (const item of items) {
      if (item.type === "delivered") this.#note(item.mailIds, "delivered");
    }
  };

  async queued(mail: PendingMail): Promise<void> {
    await this.#pause();
    const { id, delivery, message } = mail;
    this.mail.push({ mailId: id, state: "queued", delivery, message });
  }

  async delivered(ids: readonly string[]): Promise<void> {
    this.#note(ids, "delivered");
  }

  async withdrawn(ids: readonly string[]): Promise<void> {
    this.#note(ids, "withdrawn");
  }

  #note(ids: readonly string[], state: MailRecord["state"]): void {
    for (const mailId of ids) this.mail.push({ mailId, state });
  }

  get conversation(): Message[] {
    return this.items.flatMap((item) => (item.type === "message" ? [item.message] : []));
  }

  get waiting(): PendingMail[] {
    return undelivered(this.mail);
  }
}

/** Calls without a result right behind their message, and results without a call. */
export function unpaired(messages: readonly Message[]): string[] {
  const wrong: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (open[0] === message.toolCallId) open.shift();
      else wrong.push(`result ${message.toolCallId}`);
      continue;
    }
    wrong.push(...open);
    open = message.role === "assistant" ? toolCallsOf(message).map((call) => call.id) : [];
  }
  return [...wrong, ...open];
}
