// A host for the tests of a call: it answers Chat Completions requests as each test says,
// over real sockets, and tells when the other side hung up.

import { expect } from "bun:test";
import { callModel, type CallOptions } from "./call.ts";
import type { StreamEvent } from "./event.ts";
import type { AssistantMessage } from "./message.ts";
import type { Model } from "./model.ts";
import type { ReplyStream } from "./reply-stream.ts";
import { encodeSse } from "./sse.ts";
import { testModel, testRequest } from "./wires/openai-testing.ts";

/** Longer than any test may take: a limit that must not be the one that fires. */
export const NEVER_MS = 60_000;
export const SOON_MS = 20;
export const SSE_HEADERS = { "content-type": "text/event-stream" };

export interface Host extends AsyncDisposable {
  baseUrl: string;
  requests: { request: Request; body: unknown; clientPort: number }[];
}

export function host(answer: (request: Request) => Response | Promise<Response>): Host {
  const requests: Host["requests"] = [];
  const http = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request, server) => {
      const clientPort = server.requestIP(request)?.port ?? 0;
      requests.push({ request, body: await request.json(), clientPort });
      return answer(request);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${http.port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => void (await http.stop(true)),
  };
}

export const chunk = (delta: unknown, finish: string | null = null): string =>
  encodeSse(JSON.stringify({ id: "c1", choices: [{ index: 0, delta, finish_reason: finish }] }));
export const DONE = encodeSse("[DONE]");
export const HELLO = chunk({ content: "Hello" });
export const STOP = chunk({}, "stop");
export const CALL = chunk({
  tool_calls: [{ index: 0, id: "a", function: { name: "t", arguments: '{"path":"/et' } }],
});

/** A body that is sent and then left open until the client goes away. */
export function openBody(text: string): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return new Response(body, { headers: SSE_HEADERS });
}

export const closed = (request: Request): Promise<void> =>
  new Promise((resolve) => request.signal.addEventListener("abort", () => resolve()));

export const streamed = (text: string) => (): Response =>
  new Response(text, { headers: SSE_HEADERS });

export function call(
  baseUrl: string,
  options: CallOptions = {},
  over: Partial<Model> = {},
): ReplyStream {
  return callModel(testRequest(testModel("openai-completions", { baseUrl, ...over })), {
    firstEventTimeoutMs: NEVER_MS,
    idleTimeoutMs: NEVER_MS,
    ...options,
  });
}

export async function outcome(
  stream: ReplyStream,
): Promise<{ events: StreamEvent[]; message: AssistantMessage }> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  const ends = events.filter(({ type }) => type === "done" || type === "error");
  expect(ends).toHaveLength(1);
  expect(events.at(-1)).toBe(ends[0]!);
  return { events, message: await stream.result() };
}

export async function failureOf(baseUrl: string, options?: CallOptions): Promise<AssistantMessage> {
  const { message } = await outcome(call(baseUrl, options));
  expect(message.error).toBeDefined();
  return message;
}
