// The Codex backend over a WebSocket: the request is one message, every event of the reply another,
// and the connection serves the next call too. Whatever goes wrong before the first event (a proxy
// that knows no sockets, a refused handshake, a connection that is gone) leaves the call to SSE,
// where the same failure has a status and a text.

import type { ConversationContext, Frame, OutgoingRequest } from "../../wire.ts";
import { asObject, asString, parseObject } from "../json.ts";
import { EventSocket, SocketBroken } from "./event-socket.ts";
import { quirksOf } from "./encode-request.ts";

const BETA = "responses_websockets=2026-02-06";
/** After these the connection is free for another request. */
const WHOLE = new Set(["response.completed", "response.incomplete"]);
/** The backend's word for a connection that it wants to be rid of; nothing is wrong with the request. */
const TOO_MANY = "websocket_connection_limit_reached";
/** Of the request as such, which a handshake does not have. */
const BODY_HEADERS = new Set(["accept", "content-type"]);

export async function converse(
  request: OutgoingRequest,
  { model, signal, connections }: ConversationContext,
): Promise<AsyncIterable<Frame> | undefined> {
  if (!quirksOf(model).prefersWebsocket) return undefined;
  const url = request.url.replace(/^http/, "ws");
  if (connections?.isRefused(url)) return undefined;
  const headers = handshakeHeaders(request.headers);
  const key = JSON.stringify([url, model.id, headers]);
  const kept = connections?.take(key) as EventSocket | undefined;
  let socket = kept;
  try {
    const used = (socket ??= await EventSocket.open(url, headers, signal));
    used.send(JSON.stringify({ type: "response.create", ...bodyOf(request) }));
    const first = await used.next(signal);
    const keep = connections && (() => connections.keep(key, used));
    if (!isUnwanted(first)) return replyOf(used, first, signal, keep);
  } catch (error) {
    socket?.close();
    if (!(error instanceof SocketBroken)) throw error;
  }
  socket?.close();
  // One that was kept may have been closed by the other side meanwhile: that says nothing of the next.
  if (!kept) connections?.refuse(url);
  return undefined;
}

/** Closed with the reply, whoever ends it, unless the whole of it has come. */
async function* replyOf(
  socket: EventSocket,
  first: string,
  signal: AbortSignal,
  keep: (() => void) | undefined,
): AsyncGenerator<Frame, void, undefined> {
  let isWhole = false;
  try {
    for (let data: string | undefined = first; data !== undefined;) {
      isWhole = WHOLE.has(typeOf(data) ?? "");
      yield { event: "", data };
      if (isWhole) return;
      data = await nextOrEnd(socket, signal);
    }
  } finally {
    if (keep && isWhole && socket.isOpen) keep();
    else socket.close();
  }
}

/** A connection that breaks in the middle is a body that ends there: the decoder says what is missing. */
async function nextOrEnd(socket: EventSocket, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await socket.next(signal);
  } catch (error) {
    if (error instanceof SocketBroken) return undefined;
    throw error;
  }
}

function handshakeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !BODY_HEADERS.has(name));
  return { ...Object.fromEntries(kept), "openai-beta": BETA };
}

/** Every reply is a stream here. */
function bodyOf({ body }: OutgoingRequest): Record<string, unknown> {
  const { stream: _always, ...rest } = parseObject(body) ?? {};
  return rest;
}

function isUnwanted(data: string): boolean {
  if (!data.includes(TOO_MANY)) return false;
  const event = parseObject(data);
  return event?.type === "error" && codeOf(event) === TOO_MANY;
}

function codeOf(event: Record<string, unknown>): string | undefined {
  return asString(asObject(event.error)?.code) ?? asString(event.code);
}

/** Only the few events whose name could end a reply are parsed here. */
function typeOf(data: string): string | undefined {
  if (![...WHOLE].some((type) => data.includes(type))) return undefined;
  return asString(parseObject(data)?.type);
}
