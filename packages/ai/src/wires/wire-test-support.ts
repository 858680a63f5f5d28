// What the wires' tests share: a message told as the events it would have arrived in,
// events read back from bytes cut anywhere, and a small HTTP server around the server
// half of a wire, so that the vendors' own SDKs can be its judges.

import { EventStreamDecoder } from "../aws-event-stream.ts";
import { type ModelFailure, modelFailure } from "../error.ts";
import type { StreamEvent } from "../event.ts";
import type { Framer } from "../framing.ts";
import type { AssistantMessage } from "../message.ts";
import { NdjsonDecoder } from "../ndjson.ts";
import { ReplyAssembler, type OpenBlock, type ReplyOrigin } from "../reply-assembler.ts";
import { SseDecoder } from "../sse.ts";
import { ReplyFramer } from "./cursor-agent/reply-frames.ts";
import {
  WireRequestError,
  type DecodedRequest,
  type Frame,
  type Framing,
  type WireClient,
  type WireReplyMeta,
  type WireServer,
} from "../wire.ts";

export const META: WireReplyMeta = { id: "msg_test_1", modelId: "model-1", createdAt: 0 };

/** Characters a delta: small, so that surrogate pairs get torn apart too. */
const DELTA_CHARS = 3;

/** The stream that ends in `message`, as its model would have sent it. */
export function eventsOf(message: AssistantMessage): StreamEvent[] {
  const events: StreamEvent[] = [];
  const { provider, model, wire } = message;
  const out = new ReplyAssembler({ provider, model, wire }, (event) => events.push(event), 0);
  out.start();
  out.usage(message.usage);
  for (const block of message.content) {
    if (block.type === "text") tell(out.openText(), block.text, block.opaque?.data);
    else if (block.type === "thinking") {
      const open = out.openThinking({ redacted: block.redacted === true });
      tell(open, block.text, block.opaque?.data);
    } else {
      const text = block.malformed ?? JSON.stringify(block.arguments);
      tell(out.openToolCall(block), text, block.opaque?.data);
    }
  }
  if (message.error) out.fail(message.error);
  else out.finish(message.stopReason === "length" ? "length" : "stop");
  return events;
}

function tell(block: OpenBlock, text: string, opaque: string | undefined): void {
  for (let at = 0; at < text.length; at += DELTA_CHARS) {
    block.append(text.slice(at, at + DELTA_CHARS));
  }
  if (opaque !== undefined) block.keep(opaque);
  block.close();
}

export function encodeEvents(
  server: WireServer,
  events: readonly StreamEvent[],
  meta = META,
): Uint8Array {
  const encode = server.encodeStream(meta);
  const encoder = new TextEncoder();
  const parts = events.map((event) => {
    const part = encode(event);
    return typeof part === "string" ? encoder.encode(part) : part;
  });
  return new Uint8Array(Buffer.concat(parts));
}

const FRAMERS: Record<Framing, new (onFrame: (frame: Frame) => void) => Framer> = {
  sse: SseDecoder,
  ndjson: NdjsonDecoder,
  "aws-event-stream": EventStreamDecoder,
  connect: ReplyFramer,
};

/** Reads a body that arrives in the given pieces, the way `callModel` does. */
export function decodePieces(
  client: WireClient,
  pieces: Iterable<Uint8Array>,
  origin: ReplyOrigin,
): StreamEvent[] {
  const events: StreamEvent[] = [];
  const out = new ReplyAssembler(origin, (event) => events.push(event), 0);
  const sink = client.decodeStream(out);
  const decoder = new FRAMERS[client.framing]((frame) => {
    if (!out.ended) sink.frame(frame);
  });
  try {
    for (const piece of pieces) decoder.push(piece);
    decoder.end();
    sink.end();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    out.fail(modelFailure("protocol", error.message));
  }
  out.failIfUnfinished();
  return events;
}

export function decodeWhole(client: WireClient, body: unknown, origin: ReplyOrigin): StreamEvent[] {
  const events: StreamEvent[] = [];
  const out = new ReplyAssembler(origin, (event) => events.push(event), 0);
  client.decodeReply(body, out);
  out.failIfUnfinished();
  return events;
}

export function messageOf(events: readonly StreamEvent[]): AssistantMessage {
  const last = events.at(-1);
  if (last?.type !== "done" && last?.type !== "error") throw new Error("no terminal event");
  return last.message;
}

/** Cuts `bytes` behind each of the given places. */
export function* cut(bytes: Uint8Array, places: readonly number[]): Generator<Uint8Array> {
  let from = 0;
  for (const place of [...places].sort((a, b) => a - b)) {
    const to = bytes.length === 0 ? 0 : place % bytes.length;
    if (to <= from) continue;
    yield bytes.subarray(from, to);
    from = to;
  }
  yield bytes.subarray(from);
}

/** What the model says, or how the request fails before it says anything. */
export type Script = (request: DecodedRequest) => AssistantMessage | ModelFailure;

export interface WireTestServer extends AsyncDisposable {
  url: string;
  /** Raw bodies, as they came. */
  bodies: unknown[];
  requests: DecodedRequest[];
}

export function serveWire(wire: WireServer, script: Script): WireTestServer {
  const { handle, bodies, requests } = answering(wire, script);
  const http = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: handle });
  return {
    url: `http://127.0.0.1:${http.port}`,
    bodies,
    requests,
    [Symbol.asyncDispose]: () => http.stop(true),
  };
}

/** For whoever serves it over something else. */
export function answering(wire: WireServer, script: Script) {
  const bodies: unknown[] = [];
  const requests: DecodedRequest[] = [];
  const handle = async (http: Request): Promise<Response> => {
    const url = new URL(http.url);
    if (!wire.matches(http.method, url)) return new Response("no such path", { status: 404 });
    const body: unknown = await http.json();
    bodies.push(body);
    let request: DecodedRequest;
    try {
      request = wire.decodeRequest(url, http.headers, body);
    } catch (error) {
      if (!(error instanceof WireRequestError)) throw error;
      return refuse(wire, modelFailure("invalid_request", error.message));
    }
    requests.push(request);
    const reply = script(request);
    if (!("role" in reply)) return refuse(wire, reply);
    const meta = { ...META, modelId: request.modelId };
    if (!request.stream) return Response.json(wire.encodeReply(reply, meta));
    const bytes = encodeEvents(wire, eventsOf(reply), meta);
    const type = wire.streamType ?? "text/event-stream";
    return new Response(bytes, { headers: { "content-type": type } });
  };
  return { handle, bodies, requests };
}

function refuse(wire: WireServer, failure: ModelFailure): Response {
  const { status, headers, body } = wire.encodeError(failure);
  return Response.json(body, { status, headers });
}
