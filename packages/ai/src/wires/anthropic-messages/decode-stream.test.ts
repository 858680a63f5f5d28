// Streams as the vendor and its imitators send them, including what ours never would.

import { describe, expect, test } from "bun:test";
import type { AssistantMessage } from "../../message.ts";
import { decodePieces, decodeWhole, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";

const ORIGIN = { provider: "anthropic", model: "claude-1", wire: "anthropic-messages" as const };

function read(...events: Record<string, unknown>[]): AssistantMessage {
  const text = events
    .map((e) => `event: ${String(e.type)}\ndata: ${JSON.stringify(e)}\n\n`)
    .join("");
  return messageOf(decodePieces(client, [new TextEncoder().encode(text)], ORIGIN));
}

const START = {
  type: "message_start",
  message: {
    id: "msg_1",
    usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 7 },
  },
};
const STOP = { type: "message_stop" };
const start = (index: number, content_block: unknown) => ({
  type: "content_block_start",
  index,
  content_block,
});
const delta = (index: number, value: unknown) => ({
  type: "content_block_delta",
  index,
  delta: value,
});
const stop = (index: number) => ({ type: "content_block_stop", index });
const end = (stop_reason: string, more: object = {}) => ({
  type: "message_delta",
  delta: { stop_reason, ...more },
  usage: { output_tokens: 9, input_tokens: null },
});
const say = (text: string) => [
  start(0, { type: "text", text: "" }),
  delta(0, { type: "text_delta", text }),
  stop(0),
];
const CALL = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
const json = (partial_json: string) => ({ type: "input_json_delta", partial_json });

describe("blocks", () => {
  test("usage is a running total in which null says nothing", () => {
    const message = read(START, { type: "ping" }, ...say("hi"), end("end_turn"), STOP);
    expect(message.usage).toEqual({ input: 5, output: 9, cacheRead: 7, cacheWrite: 0 });
    expect(message).toMatchObject({ stopReason: "stop", responseId: "msg_1" });
  });

  test("blocks of the vendor's own tools pass by", () => {
    const message = read(
      START,
      start(0, { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }),
      delta(0, json('{"query":"x"}')),
      stop(0),
      start(1, { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] }),
      stop(1),
      start(2, { type: "text", text: "" }),
      delta(2, { type: "text_delta", text: "Found." }),
      delta(2, { type: "citations_delta", citation: {} }),
      stop(2),
      { type: "something_new" },
      end("pause_turn"),
      STOP,
    );
    expect(message.content).toEqual([{ type: "text", text: "Found." }]);
    expect(message).toMatchObject({ stopReason: "stop", isPaused: true });
  });

  test("arguments that come whole with the start count", () => {
    const message = read(
      START,
      start(0, { ...CALL, input: { path: "a" } }),
      stop(0),
      end("tool_use"),
      STOP,
    );
    expect(message.content).toMatchObject([{ arguments: { path: "a" } }]);
    expect(message.stopReason).toBe("toolUse");
  });

  test("interleaved calls assemble by their index", () => {
    const message = read(
      START,
      start(0, CALL),
      start(1, { ...CALL, id: "toolu_2" }),
      delta(0, json('{"path":')),
      delta(1, json('{"path":"b"}')),
      delta(0, json('"a"}')),
      stop(1),
      stop(0),
      end("tool_use"),
      STOP,
    );
    expect(message.content).toMatchObject([
      { arguments: { path: "a" } },
      { arguments: { path: "b" } },
    ]);
  });

  test("an omitted thinking text keeps its signature", () => {
    const message = read(
      START,
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "signature_delta", signature: "sig" }),
      stop(0),
      end("end_turn"),
      STOP,
    );
    const opaque = { wire: ORIGIN.wire, model: ORIGIN.model, data: "sig" };
    expect(message.content).toEqual([{ type: "thinking", text: "", opaque }]);
  });
});

describe("endings", () => {
  test("a call that the limit cut off is never executable", () => {
    for (const cutOff of ["", '{"pa', '{"path":"a"']) {
      const message = read(
        START,
        start(0, CALL),
        delta(0, json(cutOff)),
        stop(0),
        end("max_tokens"),
        STOP,
      );
      expect(message.stopReason).toBe("length");
      expect(message.content).toMatchObject([{ malformed: cutOff, arguments: {} }]);
    }
    const open = read(START, start(0, CALL), delta(0, json("{}")), end("tool_use"), STOP);
    expect(open.stopReason).toBe("error");
  });

  test("a call without arguments is whole where the model says so, or goes on behind it", () => {
    const last = read(START, start(0, CALL), delta(0, json("")), stop(0), end("tool_use"), STOP);
    expect(last.content).toEqual([
      { type: "toolCall", id: "toolu_1", name: "read", arguments: {} },
    ]);
    const first = read(
      START,
      start(0, CALL),
      stop(0),
      start(1, { ...CALL, id: "toolu_2" }),
      delta(1, json('{"pa')),
      stop(1),
      end("max_tokens"),
      STOP,
    );
    expect(first.content[0]).not.toHaveProperty("malformed");
    expect(first.content[1]).toMatchObject({ malformed: '{"pa' });
  });

  test.each([
    [
      end("refusal", { stop_details: { type: "refusal", explanation: "No." } }),
      "content_filter",
      "No.",
    ],
    [end("model_context_window_exceeded"), "context_overflow", undefined],
    [{ type: "error", error: { type: "overloaded_error", message: "Busy" } }, "overloaded", "Busy"],
    [
      {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 9 > 8" },
      },
      "context_overflow",
      undefined,
    ],
  ] as const)("%o fails as %s", (event, kind, text) => {
    const message = read(START, ...say("partly"), event, STOP);
    expect(message).toMatchObject({ stopReason: "error", content: [{ text: "partly" }] });
    expect(message.error?.kind).toBe(kind);
    if (text) expect(message.error?.message).toBe(text);
  });

  test("without message_stop, without a reason, or with nothing at all it is a failure", () => {
    expect(read(START, ...say("hi"), end("end_turn")).stopReason).toBe("error");
    expect(read(START, ...say("hi"), STOP).stopReason).toBe("error");
    expect(read().error?.kind).toBe("protocol");
    expect(messageOf(decodeWhole(client, { content: [] }, ORIGIN)).stopReason).toBe("error");
    const body = { type: "error", error: { type: "api_error", message: "Oops" } };
    expect(messageOf(decodeWhole(client, body, ORIGIN)).error?.message).toBe("Oops");
  });

  test("errors of a body are told apart", () => {
    const failure = (status: number, type: string, message: string) =>
      client.decodeError(
        status,
        new Headers(),
        JSON.stringify({ type: "error", error: { type, message } }),
      );
    expect(failure(400, "invalid_request_error", "prompt is too long: 2 > 1").kind).toBe(
      "context_overflow",
    );
    expect(failure(400, "invalid_request_error", "messages: bad").kind).toBe("invalid_request");
    expect(failure(529, "overloaded_error", "Overloaded").kind).toBe("overloaded");
    expect(failure(401, "authentication_error", "bad key").kind).toBe("auth");
    expect(failure(413, "request_too_large", "too large").kind).toBe("context_overflow");
  });
});
