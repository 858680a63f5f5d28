// A wire is one vendor API, as a pair of codecs and their inverses. The client half is
// what the agent speaks; the server half is what a gateway and the test server speak.
// Each is a module of its own, loaded on first use, so that starting loads no wire.

import type { KeptConnections } from "./kept-connections.ts";
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
  | "google-gemini-cli"
  | "bedrock-converse-stream"
  | "ollama-chat"
  | "cursor-agent"
  /** Tau's own: neutral requests and events, for gateways and hosts that speak Tau. */
  | "tau-native"
  /** Models that run inside this process, such as the offline demo. */
  | "in-process";

/** How a streamed body is cut into frames. */
export type Framing = "sse" | "ndjson" | "aws-event-stream" | "connect";

/** One frame, such as one SSE event; `event` is empty where the wire names none. */
export interface Frame {
  event: string;
  data: string;
  /** The framing itself says that this is a failure; `event` then names it. */
  failed?: true;
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
  /** Where a cloud keeps credentials in files; rejects as the file system would. */
  readFile?: ReadFile;
}

export type ReadFile = (path: string) => Promise<string>;

export interface ConversationContext {
  model: Model;
  signal: AbortSignal;
  /** Without it, a connection ends with its reply. */
  connections?: KeptConnections;
  /** Told what comes that is no part of the reply: whoever sends it is still there. */
  alive?: () => void;
  trace?: CallTrace;
}

/** For whoever looks into a protocol that nobody has written down. */
export type CallTrace = (what: string, data?: unknown) => void;

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
  /**
   * Another way for a reply to come than as the body of a response. Undefined: the model does not
   * want it, or it did not work and nothing of the reply has come; the request is then sent as usual.
   */
  converse?(
    request: OutgoingRequest,
    context: ConversationContext,
  ): Promise<AsyncIterable<Frame> | undefined>;
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
  /**
   * For wires over HTTP/2 on which a request is itself a conversation: takes what the client sends,
   * asks it for the rest, and gives the body once it is complete.
   */
  gather?(send: (bytes: Uint8Array) => void): { push(bytes: Uint8Array): unknown };
  decodeRequest(url: URL, headers: Headers, body: unknown): DecodedRequest;
  /** The content type of a streamed reply; `text/event-stream` where it does not say. */
  readonly streamType?: string;
  /** Turns events into what is streamed; several frames an event, or none. */
  encodeStream(meta: WireReplyMeta): (event: StreamEvent) => string | Uint8Array;
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

/**
 * A wire that is a special case of another stands in front of it: who serves several
 * wires asks them in this order, and the first that matches a request has it.
 */
const CLIENTS: Record<HttpWireId, () => Promise<{ client: WireClient }>> = {
  "openai-completions": () => import("./wires/openai-completions/client.ts"),
  "azure-openai-responses": () => import("./wires/azure-openai-responses/client.ts"),
  "openai-codex-responses": () => import("./wires/openai-codex-responses/client.ts"),
  "openai-responses": () => import("./wires/openai-responses/client.ts"),
  "anthropic-messages": () => import("./wires/anthropic-messages/client.ts"),
  "google-vertex": () => import("./wires/google-vertex/client.ts"),
  "google-gemini-cli": () => import("./wires/google-gemini-cli/client.ts"),
  "google-generative-ai": () => import("./wires/google-generative-ai/client.ts"),
  "bedrock-converse-stream": () => import("./wires/bedrock-converse-stream/client.ts"),
  "ollama-chat": () => import("./wires/ollama-chat/client.ts"),
  "cursor-agent": () => import("./wires/cursor-agent/client.ts"),
  "tau-native": () => import("./wires/tau-native/client.ts"),
};

const SERVERS: Record<HttpWireId, () => Promise<{ server: WireServer }>> = {
  "openai-completions": () => import("./wires/openai-completions/server.ts"),
  "azure-openai-responses": () => import("./wires/azure-openai-responses/server.ts"),
  "openai-codex-responses": () => import("./wires/openai-codex-responses/server.ts"),
  "openai-responses": () => import("./wires/openai-responses/server.ts"),
  "anthropic-messages": () => import("./wires/anthropic-messages/server.ts"),
  "google-vertex": () => import("./wires/google-vertex/server.ts"),
  "google-gemini-cli": () => import("./wires/google-gemini-cli/server.ts"),
  "google-generative-ai": () => import("./wires/google-generative-ai/server.ts"),
  "bedrock-converse-stream": () => import("./wires/bedrock-converse-stream/server.ts"),
  "ollama-chat": () => import("./wires/ollama-chat/server.ts"),
  "cursor-agent": () => import("./wires/cursor-agent/server.ts"),
  "tau-native": () => import("./wires/tau-native/server.ts"),
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
