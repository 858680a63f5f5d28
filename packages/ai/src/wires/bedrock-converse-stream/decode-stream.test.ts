// Streams and errors as Bedrock sends them, ends and oddities included.

import { describe, expect, test } from "bun:test";
import { encodeEventStream } from "../../aws-event-stream.ts";
import { modelFailure, type ModelErrorKind } from "../../error.ts";
import type { AssistantMessage } from "../../message.ts";
import type { Json } from "../json.ts";
import { decodePieces, decodeWhole, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { server } from "./server.ts";

const ORIGIN = { provider: "p", model: "m", wire: "bedrock-converse-stream" } as const;

type Event = [name: string, payload: Json];

const event = ([name, payload]: Event): Uint8Array =>
  encodeEventStream(payload, { ":event-type": name, ":message-type": "event" });

function read(...events: (Event | Uint8Array)[]): AssistantMessage {
  const bytes = events.map((one) => (one instanceof Uint8Array ? one : event(one)));
  return messageOf(decodePieces(client, bytes, ORIGIN));
}

const START: Event = ["messageStart", { role: "assistant" }];
const delta = (contentBlockIndex: number, content: Json): Event => [
  "contentBlockDelta",
  { contentBlockIndex, delta: content, p: "abcdef" },
];
const call = (contentBlockIndex: number): Event => [
  "contentBlockStart",
  { contentBlockIndex, start: { toolUse: { toolUseId: `t${contentBlockIndex}`, name: "read" } } },
];
const stop = (contentBlockIndex: number): Event => ["contentBlockStop", { contentBlockIndex }];
const end = (stopReason: string): Event => ["messageStop", { stopReason }];
const METADATA: Event = [
  "metadata",
  {
    usage: {
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 22,
      cacheReadInputTokens: 4,
      cacheWriteInputTokens: 3,
    },
    metrics: { latencyMs: 1 },
  },
];

test("text, reasoning and parallel calls, with the counts behind the end", () => {
  const reply = read(
    START,
    delta(0, { reasoningContent: { text: "h" } }),
    delta(0, { reasoningContent: { text: "m" } }),
    delta(0, { reasoningContent: { signature: "c2ln" } }),
    stop(0),
    delta(1, { text: "So " }),
    delta(1, { text: "be it." }),
    stop(1),
    call(2),
    delta(2, { toolUse: { input: '{"pa' } }),
    delta(2, { toolUse: { input: 'th":"a"}' } }),
    stop(2),
    call(3),
    stop(3),
    end("tool_use"),
    METADATA,
  );
  expect(reply).toMatchObject({
    stopReason: "toolUse",
    usage: { input: 10, output: 5, cacheRead: 4, cacheWrite: 3 },
    content: [
      {
        type: "thinking",
        text: "hm",
        opaque: { wire: ORIGIN.wire, model: "m", data: "c2ln" },
      },
      { type: "text", text: "So be it." },
      { type: "toolCall", id: "t2", name: "read", arguments: { path: "a" } },
      { type: "toolCall", id: "t3", name: "read", arguments: {} },
    ],
  });
});

test("withheld reasoning is kept", () => {
  const reply = read(
    START,
    delta(0, { reasoningContent: { redactedContent: "cmVk" } }),
    stop(0),
    end("end_turn"),
  );
  expect(reply.content).toMatchObject([{ text: "", redacted: true, opaque: { data: "cmVk" } }]);
});

describe("the end", () => {
  const reasons: [string, Partial<AssistantMessage>][] = [
    ["end_turn", { stopReason: "stop" }],
    ["stop_sequence", { stopReason: "stop" }],
    ["max_tokens", { stopReason: "length" }],
    ["guardrail_intervened", { stopReason: "error" }],
    ["content_filtered", { stopReason: "error" }],
    ["model_context_window_exceeded", { stopReason: "error" }],
    ["malformed_tool_use", { stopReason: "error" }],
  ];
  const kinds: Record<string, ModelErrorKind> = {
    guardrail_intervened: "content_filter",
    content_filtered: "content_filter",
    model_context_window_exceeded: "context_overflow",
    malformed_tool_use: "protocol",
  };

  test.each(reasons)("%s", (reason, expected) => {
    const reply = read(START, delta(0, { text: "x" }), stop(0), end(reason), METADATA);
    expect(reply).toMatchObject(expected);
    expect(reply.error?.kind).toBe(kinds[reason] as ModelErrorKind);
    expect(reply.usage.input).toBe(10);
  });

  test("may lack the counts, not the reason", () => {
    expect(read(START, delta(0, { text: "x" }), stop(0), end("end_turn")).stopReason).toBe("stop");
    expect(read(START, delta(0, { text: "x" }), stop(0), METADATA).error?.kind).toBe("protocol");
  });

  test("cuts off a call that has no arguments yet, and one that nobody closed", () => {
    const bare = read(START, call(0), stop(0), end("max_tokens"), METADATA);
    expect(bare.content).toMatchObject([{ malformed: "" }]);
    const open = read(START, call(0), delta(0, { toolUse: { input: "{" } }), end("tool_use"));
    expect(open.error?.kind).toBe("protocol");
    expect(open.content).toMatchObject([{ malformed: "{" }]);
  });
});

describe("errors", () => {
  const exception = (type: string, message: string): Uint8Array =>
    encodeEventStream({ message }, { ":message-type": "exception", ":exception-type": type });

  test("in a stream", () => {
    const cases: [string, string, ModelErrorKind][] = [
      ["throttlingException", "slow", "rate_limit"],
      ["validationException", "bad", "invalid_request"],
      ["validationException", "Input is too long for requested model.", "context_overflow"],
      ["internalServerException", "oops", "overloaded"],
      ["modelStreamErrorException", "oops", "overloaded"],
      ["serviceUnavailableException", "oops", "overloaded"],
      ["modelTimeoutException", "late", "timeout"],
      ["unheardOfException", "?", "protocol"],
    ];
    for (const [type, message, kind] of cases) {
      const reply = read(START, delta(0, { text: "ha" }), exception(type, message));
      expect(reply).toMatchObject({ stopReason: "error", content: [{ text: "ha" }] });
      expect(reply.error).toMatchObject({ kind, message, code: type });
    }
  });

  test("over HTTP, by the name in the head or in the body", () => {
    const headers = new Headers({
      "x-amzn-errortype": "ThrottlingException:http://internal.amazon.com/coral/",
      "x-amzn-requestid": "r-1",
    });
    expect(client.decodeError(429, headers, '{"message":"slow"}')).toMatchObject({
      kind: "rate_limit",
      message: "slow",
      code: "ThrottlingException",
      requestId: "r-1",
    });
    const body = '{"__type":"com.amazon.coral.service#ExpiredTokenException","Message":"old"}';
    expect(client.decodeError(403, new Headers(), body)).toMatchObject({
      kind: "auth",
      message: "old",
    });
    const overflow =
      "The model returned the following errors: prompt is too long: 208310 tokens > 200000 maximum";
    const validation = new Headers({ "x-amzn-errortype": "ValidationException" });
    expect(
      client.decodeError(400, validation, JSON.stringify({ message: overflow })),
    ).toMatchObject({ kind: "context_overflow" });
    expect(client.decodeError(503, new Headers(), "<html>")).toMatchObject({ kind: "overloaded" });
  });

  test("of ours are read back as what they were", () => {
    const kinds: ModelErrorKind[] = [
      "auth",
      "rate_limit",
      "overloaded",
      "context_overflow",
      "invalid_request",
      "timeout",
    ];
    for (const kind of kinds) {
      const told = modelFailure(kind, "because", { requestId: "r" });
      const { status, headers, body } = server.encodeError(told);
      const got = client.decodeError(status, new Headers(headers), JSON.stringify(body));
      expect(got).toMatchObject({ kind, requestId: "r" });
    }
  });
});

test("a whole reply without a reason is not whole", () => {
  const body = { output: { message: { role: "assistant", content: [{ text: "x" }] } } };
  expect(messageOf(decodeWhole(client, body, ORIGIN)).error?.kind).toBe("protocol");
});
