// The Codex backend as it answers over both of its transports: events as messages of a WebSocket,
// and the same events as a body. What a socket does wrong is the test's to choose.

import type { StreamEvent } from "@tau/ai/event";
import { SseDecoder } from "@tau/ai/sse";
import { loadWireServer, type WireServer } from "@tau/ai/wire";

/** What becomes of a request on a socket. */
export type SocketTurn =
  | { events: readonly StreamEvent[] }
  /** Verbatim. */
  | { messages: readonly string[] }
  /** After so many of the events, the connection is cut. */
  | { events: readonly StreamEvent[]; cutAfter: number };

export interface CodexSocketScript {
  /** Absent: every handshake is refused. */
  socket?: (request: Record<string, unknown>, turn: number) => SocketTurn;
  body: readonly StreamEvent[];
}

interface Arrival {
  over: "socket" | "body";
  /** Which connection, from 1; 0 for bodies. */
  connection: number;
  headers: Headers;
  body: Record<string, unknown>;
}

interface SocketData {
  connection: number;
  headers: Headers;
}

export class CodexSocketServer implements AsyncDisposable {
  readonly arrivals: Arrival[] = [];
  handshakes = 0;
  open = 0;
  readonly #script: CodexSocketScript;
  readonly #wire: WireServer;
  readonly #server: Bun.Server<SocketData>;

  private constructor(script: CodexSocketScript, wire: WireServer) {
    this.#script = script;
    this.#wire = wire;
    this.#server = Bun.serve<SocketData>({
      hostname: "127.0.0.1",
      port: 0,
      idleTimeout: 0,
      fetch: (request, server) => this.#answer(request, server),
      websocket: {
        open: () => void this.open++,
        close: () => void this.open--,
        message: (socket, text) => this.#reply(socket, String(text)),
      },
    });
  }

  static async start(script: CodexSocketScript): Promise<CodexSocketServer> {
    return new CodexSocketServer(script, await loadWireServer("openai-codex-responses"));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#server.port}/backend-api/codex`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request, server: Bun.Server<SocketData>): Promise<Response | undefined> {
    const { headers } = request;
    if (headers.get("upgrade") === "websocket") {
      const connection = ++this.handshakes;
      if (!this.#script.socket) return new Response("no sockets here", { status: 403 });
      return server.upgrade(request, { data: { connection, headers } })
        ? undefined
        : new Response();
    }
    const body = (await request.json()) as Record<string, unknown>;
    this.arrivals.push({ over: "body", connection: 0, headers, body });
    const type = { "content-type": "text/event-stream" };
    return new Response(this.#encoded(this.#script.body), { headers: type });
  }

  #reply(socket: Bun.ServerWebSocket<SocketData>, text: string): void {
    const body = JSON.parse(text) as Record<string, unknown>;
    const { connection, headers } = socket.data;
    const turn = this.arrivals.filter(({ over }) => over === "socket").length;
    this.arrivals.push({ over: "socket", connection, headers, body });
    const answer = this.#script.socket!(body, turn);
    const messages = "messages" in answer ? answer.messages : this.#messages(answer.events);
    const until = "cutAfter" in answer ? answer.cutAfter : messages.length;
    for (const message of messages.slice(0, until)) socket.send(message);
    if ("cutAfter" in answer) socket.close();
  }

  #messages(events: readonly StreamEvent[]): string[] {
    const messages: string[] = [];
    const decoder = new SseDecoder(({ data }) => void messages.push(data));
    decoder.push(new TextEncoder().encode(this.#encoded(events)));
    decoder.end();
    return messages;
  }

  #encoded(events: readonly StreamEvent[]): string {
    const encode = this.#wire.encodeStream({ id: "resp_1", modelId: "m", createdAt: 0 });
    return events.map((event) => String(encode(event))).join("");
  }
}
