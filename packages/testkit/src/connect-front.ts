// Connect over HTTP/2 in front of a server that answers requests: what a client tells over a
// conversation becomes one request, and its answer the rest of that conversation. For wires whose
// requests are gathered.

import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { end } from "@tau/ai/wires/cursor-agent/encode-stream";
import type { WireServer } from "@tau/ai/wire";

export class ConnectFront implements AsyncDisposable {
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(server: Http2Server) {
    this.#server = server;
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
      // A client that goes away in the middle is part of the job.
      session.on("error", () => this.#sessions.delete(session));
    });
  }

  static async start(
    wire: WireServer,
    answer: (request: Request) => Promise<Response>,
  ): Promise<ConnectFront> {
    const server = createServer();
    server.on("stream", (stream, headers) => {
      receive(stream as ServerHttp2Stream, headersOf(headers), wire, answer);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return new ConnectFront(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as { port: number }).port}`;
  }

  /** Clients that are connected at the moment. */
  get connected(): number {
    return this.#sessions.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    this.#server.close();
  }
}

function receive(
  stream: ServerHttp2Stream,
  headers: { path: string; given: Headers },
  wire: WireServer,
  answer: (request: Request) => Promise<Response>,
): void {
  const gone = new AbortController();
  stream.on("close", () => gone.abort());
  stream.on("error", () => gone.abort());
  const { path, given } = headers;
  stream.respond({ ":status": 200, "content-type": wire.streamType ?? "application/octet-stream" });
  const gatherer = wire.gather!((bytes) => stream.write(bytes));
  let isAsked = false;
  stream.on("data", (bytes: Buffer) => {
    if (isAsked) return;
    const body = gatherer.push(bytes);
    if (body === undefined) return;
    isAsked = true;
    const request = new Request(`http://front${path}`, {
      method: "POST",
      headers: given,
      body: JSON.stringify(body),
      signal: gone.signal,
    });
    void answer(request).then((response) => pass(response, stream));
  });
}

async function pass(response: Response, stream: ServerHttp2Stream): Promise<void> {
  if (!response.ok) {
    // The status went out with the first question; from then on a failure is the last message.
    const metadata = Object.fromEntries(
      [...response.headers].map(([name, value]) => [name, [value]]),
    );
    stream.end(end({ error: await response.json(), metadata }));
    return;
  }
  try {
    for await (const chunk of response.body ?? []) {
      if (stream.destroyed) return;
      stream.write(chunk);
    }
    stream.end();
  } catch {
    // A scripted cut: without a proper end, and without the connection.
    stream.session?.destroy();
  }
}

function headersOf(headers: Readonly<Record<string, unknown>>): { path: string; given: Headers } {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(":")) given.set(name, String(value));
  }
  return { path: String(headers[":path"]), given };
}
