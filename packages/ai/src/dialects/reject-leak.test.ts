import { expect, test } from "bun:test";
import { ReplyStream } from "../reply-stream.ts";
import { eventsOf } from "@tau/testkit/script";
import { rejectLeaks } from "./reject-leak.ts";

const ORIGIN = { provider: "p", model: "gpt-5", wire: "openai-responses" as const };

async function pass(argument: string) {
  const stream = new ReplyStream();
  const call = { name: "edit", arguments: { input: argument } };
  for (const event of eventsOf({ text: "ok", toolCalls: [call] }, ORIGIN, 1)) stream.push(event);
  let stopped = false;
  const events = [];
  const guarded = rejectLeaks(stream, () => {
    stopped = true;
  });
  for await (const event of guarded) events.push(event);
  return { stopped, events, message: await guarded.result() };
}

test("a clean call passes as it is", async () => {
  const { stopped, events, message } = await pass("const a = 1;\nto = functions.map(f);\n");
  expect(stopped).toBe(false);
  expect(message.stopReason).toBe("toolUse");
  expect(events.filter((event) => event.type === "toolcall_end")).toHaveLength(1);
});

test("a leaked one fails the reply, which may be asked for again", async () => {
  const { stopped, events, message } = await pass(
    // In pieces, because the repository's own files are the detector's clean corpus.
    ["const a = 1;\n+x analysis to", 'functions.edit code {"input": "y"}'].join("="),
  );
  expect(stopped).toBe(true);
  expect(message).toMatchObject({
    stopReason: "error",
    error: { kind: "protocol", code: "harmony_leak", retryable: true },
  });
  expect(events.some((event) => event.type === "toolcall_end")).toBe(false);
});
