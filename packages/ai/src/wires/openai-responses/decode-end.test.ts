// Reasoning, and how a reply ends.

import { describe, expect, test } from "bun:test";
import { encodeSse } from "../../sse.ts";
import type { Json } from "../json.ts";
import { decodePieces, decodeWhole, messageOf } from "../wire-test-support.ts";
import { client } from "./client.ts";
import { ORIGIN } from "./own-replies.ts";
import {
  about,
  added,
  completed,
  done,
  incomplete,
  message,
  opaque,
  read,
  type Event,
} from "./scripted-events.ts";

describe("reasoning", () => {
  const item = (fields: Json = {}): Json => ({
    type: "reasoning",
    id: "rs_1",
    summary: [],
    ...fields,
  });
  const summary = [
    { type: "summary_text", text: "One." },
    { type: "summary_text", text: "Two." },
  ];
  const summaryDelta = (summary_index: number, delta: string): Event =>
    about("reasoning_summary_text.delta", 0, { summary_index, delta });
  const partAdded = (summary_index: number): Event =>
    about("reasoning_summary_part.added", 0, {
      summary_index,
      part: { type: "summary_text", text: "" },
    });

  test("has a blank line between the parts of its summary, and is kept for replay", () => {
    const encrypted = item({ summary, encrypted_content: "gAAA" });
    const reply = read(
      added(0, item()),
      partAdded(0),
      summaryDelta(0, "One"),
      summaryDelta(0, "."),
      about("reasoning_summary_text.done", 0, { summary_index: 0, text: "One." }),
      partAdded(1),
      summaryDelta(1, "Two."),
      done(0, encrypted),
      completed(),
    );
    const kept = { id: "rs_1", summary, encrypted_content: "gAAA" };
    expect(reply.content).toEqual([
      { type: "thinking", text: "One.\n\nTwo.", opaque: opaque(kept) },
    ]);
  });

  test("works where only closing events come", () => {
    const parts = (index: number, text: string): Event =>
      about("reasoning_summary_text.done", 0, { summary_index: index, text });
    const byParts = read(added(0, item()), parts(0, "One."), parts(1, "Two."), completed());
    expect(byParts.content).toMatchObject([{ text: "One.\n\nTwo." }]);
    expect(read(done(0, item({ summary })), completed()).content).toMatchObject([
      { type: "thinking", text: "One.\n\nTwo." },
    ]);
  });

  test("may come as plain text", () => {
    const content = [{ type: "reasoning_text", text: "hmm" }];
    const reply = read(
      added(0, item()),
      about("reasoning_text.delta", 0, { content_index: 0, delta: "hm" }),
      about("reasoning_text.done", 0, { content_index: 0, text: "hmm" }),
      done(0, item({ content })),
      completed(),
    );
    expect(reply.content).toMatchObject([{ type: "thinking", text: "hmm" }]);
  });

  test("without words is redacted, without anything it is nothing", () => {
    const reply = read(added(0, item()), done(0, item({ encrypted_content: "gAAA" })), completed());
    expect(reply.content).toMatchObject([{ type: "thinking", text: "", redacted: true }]);
    expect(read(added(0, item()), done(0, item()), completed()).content).toEqual([]);
  });
});

describe("the end", () => {
  test("counts cached and reasoning tokens apart", () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 5 },
    };
    expect(read(completed({ usage })).usage).toEqual({
      input: 40,
      output: 20,
      cacheRead: 60,
      cacheWrite: 0,
      reasoning: 5,
    });
  });

  test("is what the last event says", () => {
    expect(read(incomplete("max_output_tokens")).stopReason).toBe("length");
    expect(read(incomplete("content_filter")).error).toMatchObject({ kind: "content_filter" });
    const failed = (error: Json | null): Event => ({
      type: "response.failed",
      response: { status: "failed", error },
    });
    expect(read(failed({ code: "rate_limit_exceeded", message: "slow" })).error).toMatchObject({
      kind: "rate_limit",
      message: "slow",
      code: "rate_limit_exceeded",
    });
    expect(read(failed({ code: "invalid_prompt", message: "no" })).error).toMatchObject({
      kind: "invalid_request",
      retryable: false,
    });
    expect(read(failed(null)).error).toMatchObject({ kind: "overloaded" });
  });

  test("may be an error event, flat or nested", () => {
    const flat = { type: "error", code: "server_error", message: "oops", param: null };
    expect(read(flat).error).toMatchObject({ kind: "overloaded", message: "oops" });
    const nested = { type: "error", error: { type: "tokens", code: "rate_limit_exceeded" } };
    expect(read(nested).error).toMatchObject({ kind: "rate_limit" });
    const bare = { type: "error", code: null, message: "oops" };
    expect(read(bare).error).toMatchObject({ kind: "protocol", message: "oops" });
    expect(read(bare).error).not.toHaveProperty("code");
  });

  test("must come: an end mark of another wire is none", () => {
    const text = `${encodeSse(JSON.stringify(done(0, message("a"))))}data: [DONE]\n\n`;
    const events = decodePieces(client, [new TextEncoder().encode(text)], ORIGIN);
    expect(messageOf(events)).toMatchObject({
      content: [{ text: "a" }],
      error: { kind: "protocol" },
    });
  });

  test("of a whole reply is its status", () => {
    const whole = (body: unknown) => messageOf(decodeWhole(client, body, ORIGIN));
    expect(whole({ status: "completed", output: [message("a")] })).toMatchObject({
      stopReason: "stop",
      content: [{ text: "a" }],
    });
    expect(whole({ status: "failed", error: { code: "server_error" } }).error).toMatchObject({
      kind: "overloaded",
    });
    expect(whole({ error: { message: "no", type: "invalid_request_error" } }).error).toMatchObject({
      kind: "invalid_request",
    });
    for (const body of [{}, null, "x", { status: "queued" }])
      expect(whole(body).error).toMatchObject({ kind: "protocol" });
  });
});
