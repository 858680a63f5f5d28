// A wire is one vendor API, as a pair of codecs and their inverses. The client half is
// what the agent speaks; the server half is what a gateway and the test server speak.
// Each is a module of its own, loaded on first use, so that starting loads no wire.

import type { Credential } from "./credential.ts";
import type { Environment } from "./environment.ts";
import type { StreamEvent } from "./event.ts";
import type { ModelFailure } from "./error.ts";
import type { AssistantMessage } from "./message.ts";
import type { Model } from "./model.ts";
import type { ReplyAssembler } from "./reply-assembler.ts";
import type { ModelRequest } from "./request.ts";

export type WireId =
  | "openai-completions"
  | "openai-responses"
  | "openai-codex-responses"
  | "azure-openai-responses"
  | "anthropic-messages"
  | "google-generative-ai"
  | "google-vertex"
  | "bedrock-converse-stream"
  | "ollama-chat"
  /** Tau's own: neutral requests and events, for gateways and hosts that speak Tau. */
  | "tau-native"
  /** Models that run inside this process, such as the offline demo. */
  | "in-process";

/** How a streamed body is cut into frames. */
export type Framing = "sse" | "ndjson" | "aws-event-stream";

/** One frame, such as one SSE event; `event` is empty where the wire names none. */
export interface Frame {
  event: string;
  data: string;
}

export interface EncodedRequest {
  /** Appended to the model's base URL; begins with a slash. */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** A request as it goes out, for wires that must sign it or find its token elsewhere. */
export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface AuthorizationContext {
  model: Model;
  credential: Credential | undefined;
  env: Environment;
  signal: AbortSignal;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

export interface FrameSink {
  frame(frame: Frame): void;
  /** The body ended. A reply without its terminal frame is a failure, not a short reply. */
  end(): void;
}

export interface WireClient {
  readonly framing: Framing;
  /**
   * Where a key in a header is not enough: signs the request, or exchanges the credential
   * for a token. Throws `ModelError` where it cannot. Without it the key is sent as the
   * model's `auth` says.
   */
  authorize?(request: OutgoingRequest, context: AuthorizationContext): Promise<OutgoingRequest>;
  encodeRequest(request: ModelRequest): EncodedRequest;
  decodeStream(out: ReplyAssembler): FrameSink;
  /** A whole (non-streamed) reply; gives the same events as its streamed form. */
  decodeReply(body: unknown, out: ReplyAssembler): void;
  decodeError(status: number, headers: Headers, body: string): ModelFailure;
}

/** An incoming request, as far as it is not the receiver's own business (auth, model choice). */
export interface DecodedRequest extends Omit<ModelRequest, "model"> {
  modelId: string;
}

export interface WireReplyMeta {
  id: string;
  modelId: string;
  createdAt: number;
}

export interface WireServer {
  /** Whether a request line belongs to this wire. */
  matches(method: string, url: URL): boolean;
  decodeRequest(url: URL, headers: Headers, body: unknown): DecodedRequest;
  /** Turns events into stream text; several frames an event, or none. */
  encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string;
  encodeReply(message: AssistantMessage, meta: WireReplyMeta): unknown;
  encodeError(failure: ModelFailure): {
    status: number;
    headers: Record<string, string>;
    body: unknown;
  };
}

/** A request that the server half cannot make sense of; becomes the vendor's 400. */
export class WireRequestError extends Error {
  override readonly name = "WireRequestError";
}

export type HttpWireId = Exclude<WireId, "in-process">;

const CLIENTS: Partial<Record<HttpWireId, () => Promise<{ client: WireClient }>>> = {
  "openai-completions": () => import("./wires/openai-completions/client.ts"),
  "openai-responses": () => import("./wires/openai-responses/client.ts"),
  "anthropic-messages": () => import("./wires/anthropic-messages/client.ts"),
  "google-generative-ai": () => import("./wires/google-generative-ai/client.ts"),
};

const SERVERS: Partial<Record<HttpWireId, () => Promise<{ server: WireServer }>>> = {
  "openai-completions": () => import("./wires/openai-completions/server.ts"),
  "openai-responses": () => import("./wires/openai-responses/server.ts"),
  "anthropic-messages": () => import("./wires/anthropic-messages/server.ts"),
  "google-generative-ai": () => import("./wires/google-generative-ai/server.ts"),
};

export const HTTP_WIRES = Object.keys(CLIENTS) as HttpWireId[];

export async function loadWireClient(id: HttpWireId): Promise<WireClient> {
  return (await found(CLIENTS[id], id)()).client;
}

export async function loadWireServer(id: HttpWireId): Promise<WireServer> {
  return (await found(SERVERS[id], id)()).server;
}

function found<T>(load: T | undefined, id: string): T {
  if (load === undefined) throw new TypeError(`there is no wire "${id}"`);
  return load;
}
