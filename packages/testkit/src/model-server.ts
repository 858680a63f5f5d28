// A model server that says what a script tells it to, on every wire that Tau speaks, and
// keeps every request it got. The only fake in the test suite: no model can be reached
// from a test, everything else is real.

import type { StreamEvent } from "@tau/ai/event";
import {
  HTTP_WIRES,
  loadWireServer,
  type DecodedRequest,
  type WireId,
  type WireReplyMeta,
  type WireServer,
} from "@tau/ai/wire";
import { deliver } from "./deliver.ts";
import { ConnectFront } from "./connect-front.ts";
import {
  eventsOf,
  isHttpError,
  type ScriptedHttpError,
  type ScriptedReply,
  type ScriptedTurn,
} from "./script.ts";

type HttpWire = Exclude<WireId, "in-process">;

export interface RecordedRequest {
  wire: HttpWire;
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  /** The body exactly as it arrived. */
  text: string;
  body: Record<string, unknown>;
  decoded: DecodedRequest;
  /** `performance.timeOrigin`-based milliseconds at which its body was complete. */
  receivedAt: number;
  /** The same for the moment at which its reply had been sent whole. */
  repliedAt?: number;
  /** Aborts when the client goes away before the reply is complete. */
  clientGone: AbortSignal;
}

/** A list is played once, in order; a function answers every request. */
export type Script =
  | readonly (ScriptedTurn | ((request: RecordedRequest) => ScriptedTurn))[]
  | ((request: RecordedRequest, turn: number) => ScriptedTurn);

/** What a client of each wire is configured with. */
const BASE_PATH: Record<HttpWire, string> = {
  "openai-completions": "/v1",
  "openai-responses": "/v1",
  "azure-openai-responses": "/openai/v1",
  "openai-codex-responses": "/backend-api",
  "anthropic-messages": "",
  "google-generative-ai": "",
  "google-vertex": "/v1/projects/scripted/locations/global",
  "google-gemini-cli": "/v1internal",
  "bedrock-converse-stream": "",
  "ollama-chat": "",
  "cursor-agent": "",
  "tau-native": "",
};

export class ModelServer implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #script: Script;
  readonly #wires: Map<HttpWire, WireServer>;
  readonly #server: Bun.Server<undefined>;
  /** For the one wire that needs HTTP/2. */
  #front!: ConnectFront;
  readonly #stop = new AbortController();
  #arrivals: (() => void)[] = [];

  private constructor(script: Script, wires: Map<HttpWire, WireServer>) {
    this.#script = script;
    this.#wires = wires;
    this.#server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      // Silent streams are part of the job.
      idleTimeout: 0,
      fetch: (request) => this.#answer(request),
    });
  }

  static async start(script: Script): Promise<ModelServer> {
    const loaded = HTTP_WIRES.map(async (id) => [id, await loadWireServer(id)] as const);
    const wires = new Map(await Promise.all(loaded));
    const server = new ModelServer(script, wires);
    const gathered = wires.get("cursor-agent")!;
    server.#front = await ConnectFront.start(gathered, (request) => server.#answer(request));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  baseUrl(wire: HttpWire): string {
    const origin = wire === "cursor-agent" ? this.#front.origin : this.origin;
    return origin + BASE_PATH[wire];
  }

  /** Resolves with the n-th request (from 1) once it has arrived. */
  async request(n: number): Promise<RecordedRequest> {
    while (this.requests.length < n) {
      await new Promise<void>((wake) => {
        this.#arrivals.push(wake);
      });
    }
    return this.requests[n - 1]!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all([this.#front[Symbol.asyncDispose](), this.#server.stop(true)]);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const found = [...this.#wires].find(([, server]) => server.matches(request.method, url));
    if (!found)
      return new Response(`no wire serves ${request.method} ${url.pathname}`, { status: 404 });
    const [wire, server] = found;
    const text = await request.text();
    let recorded: RecordedRequest;
    try {
      const body = JSON.parse(text) as Record<string, unknown>;
      recorded = {
        wire,
        method: request.method,
        path: url.pathname + url.search,
        headers: request.headers,
        text,
        body,
        decoded: server.decodeRequest(url, request.headers, body),
        receivedAt: performance.timeOrigin + performance.now(),
        clientGone: request.signal,
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return Response.json({ error: { message: `unreadable request: ${why}` } }, { status: 400 });
    }
    this.requests.push(recorded);
    const turn = this.requests.length;
    for (const wake of this.#arrivals.splice(0)) wake();
    const scripted = this.#turn(recorded, turn);
    if (!scripted) {
      const message = `the script has no turn ${turn}`;
      return Response.json({ error: { message } }, { status: 500 });
    }
    if (isHttpError(scripted)) return httpError(server, scripted);
    return this.#reply(server, recorded, scripted, turn);
  }

  #turn(request: RecordedRequest, turn: number): ScriptedTurn | undefined {
    if (typeof this.#script === "function") return this.#script(request, turn);
    const next = this.#script[turn - 1];
    return typeof next === "function" ? next(request) : next;
  }

  #reply(
    server: WireServer,
    request: RecordedRequest,
    reply: ScriptedReply,
    turn: number,
  ): Response {
    const { modelId, stream } = request.decoded;
    const meta: WireReplyMeta = { id: `reply_${turn}`, modelId, createdAt: Date.now() };
    const origin = { provider: "scripted", model: modelId, wire: request.wire };
    const events = eventsOf(reply, origin, turn);
    const delivery = reply.delivery ?? {};
    const onSent = (): void => {
      request.repliedAt = performance.timeOrigin + performance.now();
    };
    if (stream) {
      const encode = server.encodeStream(meta);
      return deliver(events.map(encode), {
        ...delivery,
        contentType: server.streamType ?? "text/event-stream",
        stop: AbortSignal.any([this.#stop.signal, request.clientGone]),
        onSent,
      });
    }
    const last = events.at(-1) as Extract<StreamEvent, { type: "done" | "error" }>;
    if (last.type === "error") return httpError(server, { httpError: { failure: last.error } });
    return deliver([JSON.stringify(server.encodeReply(last.message, meta))], {
      ...delivery,
      contentType: "application/json",
      stop: AbortSignal.any([this.#stop.signal, request.clientGone]),
      onSent,
    });
  }
}

function httpError(server: WireServer, { httpError: error }: ScriptedHttpError): Response {
  const encoded = error.failure ? server.encodeError(error.failure) : undefined;
  const body = error.body ?? JSON.stringify(encoded?.body ?? { error: { message: "scripted" } });
  const headers = { "content-type": "application/json", ...encoded?.headers, ...error.headers };
  return new Response(body, { status: error.status ?? encoded?.status ?? 500, headers });
}
