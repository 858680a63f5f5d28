// Cursor's agent service as a script plays it: a run is a conversation in which the script speaks,
// asks the client to do things and waits for the answers, on one HTTP/2 stream.

import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AgentBody } from "@tau/ai/wires/cursor-agent/agent-body";
import { MODELS_PATH } from "@tau/ai/wires/cursor-agent/agent-body";
import { callMessage, end, message } from "@tau/ai/wires/cursor-agent/encode-stream";
import { EnvelopeDecoder } from "@tau/ai/wires/cursor-agent/envelope";
import { RequestGatherer, type ClientMessage } from "@tau/ai/wires/cursor-agent/gather-request";
import {
  CLIENT_MESSAGE,
  DONE,
  MODEL_LIST,
  type SERVER_MESSAGE,
} from "@tau/ai/wires/cursor-agent/messages";
import { decode, encode, field, type Value } from "@tau/ai/wires/cursor-agent/protobuf";

export interface CallResult {
  text: string;
  isError: boolean;
}

export type AgentScript = (run: AgentRun, turn: number) => Promise<void> | void;

export interface AgentServerOptions {
  models?: Value<typeof MODEL_LIST>["models"];
  /** Answers a request with an HTTP status, before anything else; undefined lets it pass. */
  refuse?: (
    path: string,
    headers: Headers,
  ) => { status: number; headers?: Record<string, string>; body: string } | undefined;
}

export class CursorAgentServer implements AsyncDisposable {
  readonly runs: AgentRun[] = [];
  readonly paths: string[] = [];
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();

  private constructor(script: AgentScript, options: AgentServerOptions) {
    this.#server = createServer();
    this.#server.on("session", (session) => {
      this.#sessions.add(session);
      for (const name of ["close", "error"]) session.on(name, () => this.#sessions.delete(session));
    });
    this.#server.on("stream", (stream, given) => {
      this.#receive(stream as ServerHttp2Stream, given, script, options);
    });
  }

  static async start(
    script: AgentScript,
    options: AgentServerOptions = {},
  ): Promise<CursorAgentServer> {
    const server = new CursorAgentServer(script, options);
    await new Promise<void>((resolve) => {
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
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

  #receive(
    stream: ServerHttp2Stream,
    given: Readonly<Record<string, unknown>>,
    script: AgentScript,
    options: AgentServerOptions,
  ): void {
    const path = String(given[":path"]);
    const headers = new Headers();
    for (const [name, value] of Object.entries(given)) {
      if (!name.startsWith(":")) headers.set(name, String(value));
    }
    this.paths.push(path);
    const refusal = options.refuse?.(path, headers);
    if (refusal) {
      stream.respond({ ":status": refusal.status, ...refusal.headers });
      stream.end(refusal.body);
    } else if (path.endsWith(MODELS_PATH)) {
      stream.respond({ ":status": 200, "content-type": "application/proto" });
      stream.end(encode(MODEL_LIST, { models: options.models ?? [] }));
    } else {
      stream.respond({ ":status": 200, "content-type": "application/connect+proto" });
      const run = new AgentRun(stream, headers, (ready) => {
        this.runs.push(ready);
        void script(ready, this.runs.length);
      });
      run.listen();
    }
  }
}

export class AgentRun {
  readonly headers: Headers;
  /** What was asked. */
  body!: AgentBody;
  heartbeats = 0;
  /** Requests that the client has given up on. */
  readonly closed: number[] = [];
  readonly gone: Promise<void>;
  readonly #stream: ServerHttp2Stream;
  readonly #onReady: (run: AgentRun) => void;
  readonly #answers = new Map<number, (said: ClientMessage) => void>();
  #asked = 100;

  constructor(stream: ServerHttp2Stream, headers: Headers, onReady: (run: AgentRun) => void) {
    this.#stream = stream;
    this.headers = headers;
    this.#onReady = onReady;
    this.gone = new Promise((resolve) => {
      stream.on("close", resolve);
      stream.on("error", () => resolve());
    });
  }

  listen(): void {
    const gatherer = new RequestGatherer((bytes) => this.send(bytes));
    const decoder = new EnvelopeDecoder((one) => this.#take(decode(CLIENT_MESSAGE, one.message)));
    let isReady = false;
    this.#stream.on("data", (bytes: Buffer) => {
      if (isReady) decoder.push(bytes);
      else {
        const body = gatherer.push(bytes);
        if (body === undefined) return;
        isReady = true;
        this.body = body;
        this.#onReady(this);
      }
    });
  }

  /** Verbatim. */
  send(bytes: Uint8Array): void {
    if (!this.#stream.destroyed) this.#stream.write(bytes);
  }

  say(said: Value<typeof SERVER_MESSAGE>): void {
    this.send(message(said));
  }

  text(text: string): void {
    this.say({ update: { text: { text } } });
  }

  /** Asks for a call of one of the client's tools; resolves with its result. */
  async call(
    name: string,
    args: Record<string, unknown>,
    callId = `call_${this.#asked + 1}`,
  ): Promise<CallResult> {
    const id = ++this.#asked;
    this.send(callMessage(id, callId, name, args));
    const { done } = await this.#answer(id);
    const { success } = decode(DONE, done!).result ?? {};
    const text = (success?.content ?? []).map((part) => part.text?.text ?? "").join("");
    return { text, isError: success?.isError ?? false };
  }

  /** Asks for something of the service's own, by its number; resolves with what the client says. */
  async native(no: number, request: Uint8Array): Promise<ClientMessage> {
    const id = ++this.#asked;
    const todo = encode(
      { id: field(1, "int"), it: field(no, "bytes"), execId: field(15, "text") },
      { id, it: request, execId: `exec-${id}` },
    );
    this.say({ todo });
    return this.#answer(id);
  }

  blob(what: { get: Uint8Array } | { name: Uint8Array; data: Uint8Array }): Promise<ClientMessage> {
    const id = ++this.#asked;
    if ("get" in what) this.say({ blobs: { id, get: { name: what.get } } });
    else this.say({ blobs: { id, set: what } });
    return this.#answer(id);
  }

  /** Asks the user something, by its number; resolves with the answer. */
  async question(no: number): Promise<Uint8Array> {
    const id = ++this.#asked;
    const table = { id: field(1, "int"), it: field(no, "bytes") };
    this.say({ question: encode(table, { id, it: new Uint8Array() }) });
    return (await this.#answer(id)).answer!;
  }

  finish(usage: { input?: number; output?: number } = {}): void {
    this.say({ update: { turnEnded: usage } });
    this.#stream.end(end({}));
  }

  fail(error: unknown): void {
    this.#stream.end(end({ error }));
  }

  /** Without a word. */
  cut(): void {
    this.#stream.session?.destroy();
  }

  #answer(id: number): Promise<ClientMessage> {
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
    });
  }

  #take(said: ClientMessage): void {
    if (said.heartbeat) this.heartbeats++;
    if (said.notDone?.close) this.closed.push(said.notDone.close.id ?? 0);
    const answered = said.answer && decode({ id: field(1, "int") }, said.answer).id;
    if (answered !== undefined) this.#answers.get(answered)?.(said);
    const id = said.done
      ? decode(DONE, said.done).id
      : (said.blobs?.id ?? said.notDone?.failure?.id);
    if (id !== undefined) this.#answers.get(id)?.(said);
  }
}
