// A reply in which nothing was said is not one: a server that answers with an empty body, or only with the
// mark of its end, has failed, and is asked again like one whose line was cut.

import { describe, expect, test } from "bun:test";
import { callModel } from "../call.ts";
import { decideRecovery, DEFAULT_RETRY } from "../failure-policy.ts";
import { FREE, type Model } from "../model.ts";
import { HTTP_WIRES, type HttpWireId } from "../wire.ts";

function modelOn(wire: HttpWireId): Model {
  return {
    provider: "p",
    id: "m",
    name: "m",
    wire,
    baseUrl: "http://127.0.0.1:1",
    auth: "none",
    contextWindow: 1000,
    maxOutput: 100,
    input: ["text"],
    cost: FREE,
  };
}

async function replyTo(wire: HttpWireId, body: string, contentType: string) {
  const request = { model: modelOn(wire), system: [], messages: [], tools: [], stream: true };
  return callModel(request, {
    credential: "k",
    env: {
      AWS_BEARER_TOKEN_BEDROCK: "k",
      GOOGLE_CLOUD_API_KEY: "k",
      GOOGLE_CLOUD_PROJECT: "p",
      GOOGLE_CLOUD_LOCATION: "global",
    },
    fetch: async () => new Response(body, { headers: { "content-type": contentType } }),
  }).result();
}

const FRESH = {
  refreshed: false,
  waits: 0,
  canRefresh: false,
  otherCredentials: 0,
  otherModels: 0,
};

const EMPTY: readonly [string, string, string][] = [
  ["nothing at all", "", "text/event-stream"],
  ["nothing, without a type", "", ""],
  ["nothing, as JSON", "", "application/json"],
  ["the mark of the end alone", "data: [DONE]\n\n", "text/event-stream"],
  ["comments and the mark", ": waiting\n\ndata: [DONE]\n\n", "text/event-stream"],
];

describe.each([...HTTP_WIRES])("%s", (wire) => {
  test.each(EMPTY)("%s is a failure that is tried again", async (_name, body, contentType) => {
    const reply = await replyTo(wire, body, contentType);
    expect(reply).toMatchObject({ stopReason: "error", content: [] });
    expect(decideRecovery(reply.error!, FRESH, DEFAULT_RETRY).type).toBe("wait");
  });
});

describe("openai-completions", () => {
  const chunk = (delta: object, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const end = "data: [DONE]\n\n";

  test("a role, and then the end", async () => {
    const body = chunk({ role: "assistant" }) + end;
    const reply = await replyTo("openai-completions", body, "text/event-stream");
    expect(reply.error).toMatchObject({ kind: "protocol", retryable: true });
  });

  test("a model that stops without a word has answered", async () => {
    const body = chunk({ role: "assistant" }) + chunk({}, "stop") + end;
    const reply = await replyTo("openai-completions", body, "text/event-stream");
    expect(reply).toMatchObject({ stopReason: "stop", content: [] });
  });

  test("words without a reason for their end are an answer", async () => {
    const reply = await replyTo(
      "openai-completions",
      chunk({ content: "hi" }) + end,
      "text/event-stream",
    );
    expect(reply).toMatchObject({ stopReason: "stop" });
  });
});
