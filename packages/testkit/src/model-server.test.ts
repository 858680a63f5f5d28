import { describe, expect, test } from "bun:test";
import { callModel, type CallOptions } from "@tau/ai/call";
import { modelFailure } from "@tau/ai/error";
import { textOf, userText, type AssistantMessage } from "@tau/ai/message";
import { FREE, type AuthStyle, type Model } from "@tau/ai/model";
import { HTTP_WIRES } from "@tau/ai/wire";
import { ModelServer, type Script } from "./model-server.ts";

type Wire = (typeof HTTP_WIRES)[number];

const AUTH: Partial<Record<Wire, AuthStyle>> = {
  "anthropic-messages": "x-api-key",
  "azure-openai-responses": "api-key",
  "google-generative-ai": "x-goog-api-key",
  "google-vertex": "x-goog-api-key",
};

/** Ollama counts what its cache gave as part of the prompt. */
const countsCache = (wire: Wire): boolean => wire !== "ollama-chat";

function modelAt(server: ModelServer, wire: Wire): Model {
  return {
    provider: "scripted",
    id: "m-1",
    name: "m-1",
    wire,
    baseUrl: server.baseUrl(wire),
    auth: AUTH[wire] ?? "bearer",
    contextWindow: 100_000,
    maxOutput: 1000,
    input: ["text", "image"],
    cost: FREE,
  };
}

async function ask(
  server: ModelServer,
  wire: Wire,
  options: CallOptions & { stream?: boolean } = {},
): Promise<AssistantMessage> {
  const { stream = true, ...call } = options;
  return callModel(
    {
      model: modelAt(server, wire),
      system: ["be brief"],
      messages: [userText("hi", 0)],
      tools: [
        { name: "look", description: "Looks.", parameters: { type: "object", properties: {} } },
      ],
      stream,
    },
    { credential: "key", ...call },
  ).result();
}

const FULL_REPLY: Script = [
  {
    thinking: "Hm, näive?",
    text: "Here 日本 👋",
    toolCalls: [
      { name: "look", arguments: { at: 'a "quoted" path', deep: { n: [1, 2.5, null, true] } } },
      { name: "look", arguments: {} },
    ],
    usage: { input: 120, output: 45, cacheRead: 7 },
  },
];

describe.each(HTTP_WIRES)("%s", (wire) => {
  for (const stream of [true, false]) {
    test(`one script, whole, ${stream ? "streamed" : "not streamed"}`, async () => {
      await using server = await ModelServer.start(FULL_REPLY);
      const reply = await ask(server, wire, { stream });
      expect(reply.error).toBeUndefined();
      expect(reply.stopReason).toBe("toolUse");
      expect(textOf(reply)).toBe("Here 日本 👋");
      expect(reply.content.find((block) => block.type === "thinking")).toMatchObject({
        text: "Hm, näive?",
      });
      const calls = reply.content.filter((block) => block.type === "toolCall");
      expect(calls.map(({ name, arguments: args }) => [name, args])).toEqual([
        ["look", { at: 'a "quoted" path', deep: { n: [1, 2.5, null, true] } }],
        ["look", {}],
      ]);
      expect(new Set(calls.map((call) => call.id)).size).toBe(2);
      const cached = countsCache(wire)
        ? { input: 120, cacheRead: 7 }
        : { input: 127, cacheRead: 0 };
      expect(reply.usage).toMatchObject({ ...cached, output: 45 });
    });
  }

  test("records what was asked, exactly and decoded", async () => {
    await using server = await ModelServer.start([{ text: "ok" }]);
    await ask(server, wire);
    const request = await server.request(1);
    expect(request.wire).toBe(wire);
    expect(JSON.parse(request.text)).toEqual(request.body);
    expect(request.decoded).toMatchObject({ modelId: "m-1", system: ["be brief"], stream: true });
    expect(request.decoded.messages.map(textOf)).toEqual(["hi"]);
    expect(request.decoded.tools.map((tool) => tool.name)).toEqual(["look"]);
  });

  test("delivers byte by byte, and late", async () => {
    await using server = await ModelServer.start([
      { text: "日本", delivery: { chunkBytes: 1, firstByteDelayMs: 20 } },
    ]);
    expect(textOf(await ask(server, wire))).toBe("日本");
  });

  test("falls silent: the client's timeout is what ends it", async () => {
    await using server = await ModelServer.start([
      { text: "never whole", delivery: { silentAfterBytes: 40 } },
    ]);
    const reply = await ask(server, wire, { idleTimeoutMs: 50 });
    expect(reply.error).toMatchObject({ kind: "timeout", retryable: true });
  });

  test("cuts the connection", async () => {
    await using server = await ModelServer.start([
      { text: "never whole", delivery: { disconnectAfterBytes: 40 } },
    ]);
    expect((await ask(server, wire)).error).toMatchObject({ kind: "network", retryable: true });
  });

  test("ends the body without the terminal event", async () => {
    await using server = await ModelServer.start([
      { text: "never whole", delivery: { endAfterBytes: 40 } },
    ]);
    expect((await ask(server, wire)).error).toMatchObject({ kind: "protocol" });
  });

  test("an error event inside a 200 stream", async () => {
    await using server = await ModelServer.start([
      { text: "half", streamError: modelFailure("overloaded", "too much") },
    ]);
    const reply = await ask(server, wire);
    expect(reply.error).toMatchObject({ kind: "overloaded", message: "too much" });
    expect(textOf(reply)).toBe("half");
  });

  test("an HTTP error with headers, in the vendor's own envelope", async () => {
    const failure = modelFailure("rate_limit", "slow down", { status: 429 });
    await using server = await ModelServer.start([
      { httpError: { failure, headers: { "retry-after": "7", "x-request-id": "r-1" } } },
    ]);
    expect((await ask(server, wire)).error).toMatchObject({
      kind: "rate_limit",
      message: "slow down",
      status: 429,
      retryAfterMs: 7000,
      requestId: "r-1",
    });
  });

  test("notices that the client went away", async () => {
    await using server = await ModelServer.start([
      { text: "never whole", delivery: { silentAfterBytes: 40 } },
    ]);
    const abort = new AbortController();
    const asking = ask(server, wire, { signal: abort.signal });
    const request = await server.request(1);
    const gone = new Promise((resolve) => {
      request.clientGone.addEventListener("abort", resolve);
    });
    abort.abort();
    expect((await asking).stopReason).toBe("aborted");
    await gone;
  });
});

test("a request that the script has no turn for is an error, not silence", async () => {
  await using server = await ModelServer.start([]);
  const reply = await ask(server, "openai-completions");
  expect(reply.error?.message).toBe("the script has no turn 1");
});

test("a turn may look at the request it answers", async () => {
  await using server = await ModelServer.start((request, turn) => ({
    text: `${turn}: ${request.decoded.messages.map(textOf).join()}`,
  }));
  expect(textOf(await ask(server, "anthropic-messages"))).toBe("1: hi");
  expect(textOf(await ask(server, "openai-responses"))).toBe("2: hi");
});
