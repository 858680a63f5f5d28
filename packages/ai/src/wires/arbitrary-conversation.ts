// Random neutral conversations for the wires' property tests. They are as messy as a
// real log gets: replies cut off at any point, results without a call and calls without
// a result, ids used twice, blocks of other vendors, texts that are empty. A wire that
// survives these survives a session that was interrupted, resumed and moved elsewhere.

import fc from "fast-check";
import { modelFailure, type ModelErrorKind } from "../error.ts";
import type {
  AssistantBlock,
  AssistantMessage,
  DeveloperMessage,
  Message,
  StopReason,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from "../message.ts";
import { FREE, THINKING_LEVELS, type Model } from "../model.ts";
import type { ReplyOrigin } from "../reply-assembler.ts";
import type { ModelRequest, ToolSpec } from "../request.ts";
import type { Usage } from "../usage.ts";
import type { WireId } from "../wire.ts";
import {
  arbitraryBlock,
  arbitraryContent,
  arbitraryText,
  arbitraryTextBlock,
  arbitraryUsage,
  ORIGINS,
  TOOL_CALL_IDS,
  TOOL_NAMES,
  type AssistantOptions,
} from "./arbitrary-block.ts";

const FAILURE_KINDS: readonly ModelErrorKind[] = [
  "rate_limit",
  "overloaded",
  "network",
  "timeout",
  "protocol",
  "content_filter",
];

export function arbitraryUserMessage(): fc.Arbitrary<UserMessage> {
  return arbitraryContent().map((content) => ({ role: "user", content, timestamp: 0 }));
}

export function arbitraryDeveloperMessage(): fc.Arbitrary<DeveloperMessage> {
  return fc
    .array(arbitraryTextBlock(), { maxLength: 2 })
    .map((content) => ({ role: "developer", content, timestamp: 0 }));
}

export function arbitraryAssistantMessage(
  options: AssistantOptions = {},
): fc.Arbitrary<AssistantMessage> {
  return arbitraryOrigin(options).chain((origin) =>
    fc
      .record({
        blocks: fc.array(arbitraryBlock(origin, options), { maxLength: 5 }),
        stop: options.complete
          ? fc.constant<StopReason>("stop")
          : fc.constantFrom<StopReason>("stop", "stop", "stop", "length", "error", "aborted"),
        failure: fc.constantFrom(...FAILURE_KINDS),
        usage: arbitraryUsage(),
      })
      .map(({ blocks, stop, failure, usage }) => {
        const content = options.complete ? distinctIds(blocks) : blocks;
        return settle({ origin, content, stop, failure, usage });
      }),
  );
}

function arbitraryOrigin(options: AssistantOptions): fc.Arbitrary<ReplyOrigin> {
  if (options.origin) return fc.constant(options.origin);
  const any = fc.constantFrom(...ORIGINS);
  return options.likely ? fc.oneof(fc.constant(options.likely), any) : any;
}

function settle(parts: {
  origin: ReplyOrigin;
  content: AssistantBlock[];
  stop: StopReason;
  failure: ModelErrorKind;
  usage: Usage;
}): AssistantMessage {
  const { origin, content, stop, failure, usage } = parts;
  const calls = content.some((block) => block.type === "toolCall");
  const message: AssistantMessage = {
    role: "assistant",
    content,
    ...origin,
    stopReason: stop === "stop" && calls ? "toolUse" : stop,
    usage,
    timestamp: 0,
  };
  if (stop === "error") message.error = modelFailure(failure, "it failed");
  if (stop === "aborted") message.error = modelFailure("aborted", "it was aborted");
  return message;
}

function distinctIds(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  return blocks.map((block, at) =>
    block.type === "toolCall" ? { ...block, id: `toolu_${at}` } : block,
  );
}

export function arbitraryToolResult(
  call?: Pick<ToolCallBlock, "id" | "name">,
): fc.Arbitrary<ToolResultMessage> {
  return fc
    .record({
      id: call ? fc.constant(call.id) : fc.constantFrom(...TOOL_CALL_IDS),
      name: call ? fc.constant(call.name) : fc.constantFrom(...TOOL_NAMES),
      content: arbitraryContent(),
      isError: fc.boolean(),
    })
    .map(({ id, name, content, isError }) => ({
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content,
      isError,
      timestamp: 0,
    }));
}

/** A reply and what the log holds behind it: each result may be late, doubled or missing. */
function arbitraryTurn(options: AssistantOptions): fc.Arbitrary<Message[]> {
  return arbitraryAssistantMessage(options).chain((assistant) => {
    const calls = assistant.content.filter((block) => block.type === "toolCall");
    const results = calls.map((call) =>
      fc.array(arbitraryToolResult(call), { minLength: 0, maxLength: 2 }).map((made) => {
        // One result is the rule; none and two are the accidents.
        return made.length === 2 && made[0]!.isError ? made.slice(0, 1) : made;
      }),
    );
    const between = fc.array(arbitraryUserMessage(), { maxLength: 1 });
    return fc.tuple(fc.tuple(...results), between).chain(([lists, notes]) => {
      const behind: Message[] = [...(lists as ToolResultMessage[][]).flat(), ...notes];
      return fc
        .shuffledSubarray(behind, { minLength: behind.length, maxLength: behind.length })
        .map((shuffled): Message[] => [assistant, ...shuffled]);
    });
  });
}

/** A whole log, or any part of one. */
export function arbitraryMessages(options: AssistantOptions = {}): fc.Arbitrary<Message[]> {
  const single = (message: fc.Arbitrary<Message>): fc.Arbitrary<Message[]> =>
    message.map((one) => [one]);
  return fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: arbitraryTurn(options) },
        { weight: 4, arbitrary: single(arbitraryUserMessage()) },
        { weight: 1, arbitrary: single(arbitraryDeveloperMessage()) },
        { weight: 1, arbitrary: single(arbitraryToolResult()) },
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.flat());
}

export function arbitraryModel(wire: WireId): fc.Arbitrary<Model> {
  const own = ORIGINS.filter((origin) => origin.wire === wire);
  return fc
    .record({
      origin: fc.constantFrom(...own),
      input: fc.constantFrom<Model["input"][]>(["text"], ["text", "image"]),
      thinks: fc.boolean(),
      maxOutput: fc.constantFrom(512, 4096, 64_000),
    })
    .map(({ origin, input, thinks, maxOutput }) => ({
      provider: origin.provider,
      id: origin.model,
      name: origin.model,
      wire,
      baseUrl: "http://127.0.0.1:1",
      auth: "none",
      contextWindow: 200_000,
      maxOutput,
      input,
      cost: FREE,
      thinking: thinks ? THINKING_LEVELS.filter((level) => level !== "off") : undefined,
    }));
}

function arbitraryTools(): fc.Arbitrary<ToolSpec[]> {
  return fc.subarray([...TOOL_NAMES]).map((names) =>
    names.map((name) => ({
      name,
      description: `Use ${name}.`,
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, depth: { type: "integer" } },
        required: ["path"],
      },
    })),
  );
}

/** Options are drawn independently, also those which exclude one another on some wire. */
export function arbitraryRequest(
  wire: WireId,
  options: AssistantOptions = {},
): fc.Arbitrary<ModelRequest> {
  return arbitraryModel(wire).chain((model) => {
    // Half of a session is the model's own, or nothing of it could ever be replayed.
    const likely = { provider: model.provider, model: model.id, wire };
    return fc
      .record(
        {
          model: fc.constant(model),
          system: fc.array(arbitraryText(), { maxLength: 3 }),
          messages: arbitraryMessages({ likely, ...options }),
          tools: arbitraryTools(),
          stream: fc.boolean(),
          toolChoice: fc.constantFrom<NonNullable<ModelRequest["toolChoice"]>[]>(
            "auto",
            "none",
            "required",
            { name: TOOL_NAMES[0] },
          ),
          maxOutput: fc.integer({ min: 1, max: 100_000 }),
          temperature: fc.constantFrom(0, 0.5, 1),
          topP: fc.constantFrom(0.1, 0.95, 1),
          thinking: fc.constantFrom(...THINKING_LEVELS),
          cacheKey: fc.constant("session-1"),
        },
        { requiredKeys: ["model", "system", "messages", "tools", "stream"] },
      )
      .map((request) => request as ModelRequest);
  });
}
