// What compaction tests have in common: a session to build, a model, and a summariser whose
// answers are given and whose questions are kept.

import { textOf, userText, type AssistantBlock, type Message } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import type { Usage } from "@tau/ai/usage";
import { TreeModel } from "../../../session/context/test/tree-model.ts";
import { defaultsOf } from "../../../config/setting-group.ts";
import { COMPACTION_ROWS } from "../settings.ts";
import type { AskRequest, CompactionDeps, CompactionInput } from "../strategy.ts";

const DEFAULT_COMPACTION = defaultsOf(COMPACTION_ROWS);

export const MODEL: Model = {
  provider: "p",
  id: "m",
  name: "m",
  wire: "openai-completions",
  baseUrl: "http://127.0.0.1:1",
  auth: "none",
  contextWindow: 200_000,
  maxOutput: 16_000,
  input: ["text"],
  cost: FREE,
};

export function reply(
  content: AssistantBlock[] | string,
  extra: { usage?: Partial<Usage>; stopReason?: "stop" | "toolUse" | "length" } = {},
): Message & { role: "assistant" } {
  return {
    role: "assistant",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    provider: MODEL.provider,
    model: MODEL.id,
    wire: MODEL.wire,
    stopReason: extra.stopReason ?? "stop",
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...extra.usage },
    timestamp: 0,
  };
}

export function call(
  id: string,
  name = "bash",
  args: Record<string, unknown> = {},
): AssistantBlock {
  return { type: "toolCall", id, name, arguments: args };
}

export function result(id: string, text: string, toolName = "bash"): Message {
  const content = [{ type: "text" as const, text }];
  return { role: "toolResult", toolCallId: id, toolName, content, isError: false, timestamp: 0 };
}

export function user(text: string): Message {
  return userText(text, 0);
}

/** About this many tokens. */
export function long(tokens: number, word = "word"): string {
  return `${word} `.repeat(Math.ceil((tokens * 4) / (word.length + 1)));
}

export function sessionOf(...messages: Message[]): TreeModel {
  const model = new TreeModel();
  for (const message of messages) model.append({ type: "message", message });
  return model;
}

export function inputOf(
  session: TreeModel,
  changes: Partial<CompactionInput> & { keep?: number } = {},
): CompactionInput {
  const { keep, ...rest } = changes;
  return {
    branch: session.branch(),
    reason: "threshold",
    settings: {
      ...DEFAULT_COMPACTION,
      keepRecentTokens: keep ?? DEFAULT_COMPACTION.keepRecentTokens,
    },
    model: MODEL,
    system: ["You are Tau."],
    tools: [],
    ...rest,
  };
}

export class ScriptedAsk {
  readonly requests: AskRequest[] = [];
  readonly #answers: string[];
  readonly deps: CompactionDeps;

  /** The last answer is given again and again. */
  constructor(...answers: string[]) {
    this.#answers = answers;
    this.deps = {
      ask: async (request) => {
        this.requests.push(request);
        return this.#answers.length > 1 ? this.#answers.shift()! : (this.#answers[0] ?? "");
      },
      // Where the line would count it, it is sent at once.
      askService: (service, request) => service.send(request, new AbortController().signal),
    };
  }

  get prompts(): string[] {
    return this.requests.map((request) => request.messages.map(textOf).join("\n"));
  }
}
