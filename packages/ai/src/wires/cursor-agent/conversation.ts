// One run of the service's agent, from the request to the end of its turn. It answers what the agent
// asks for on the way (the context, blobs, its own tools) and hands over what it says. Calls of our
// tools end a reply but not the run: it waits, kept alive, for the request that brings the results.

import type { KeptConnection } from "../../kept-connections.ts";
import { ModelError, modelFailure } from "../../error.ts";
import type { Frame } from "../../wire.ts";
import { TOOL_SERVER_ID, type AgentBody } from "./agent-body.ts";
import { AgentStream } from "./agent-stream.ts";
import { Blobs } from "./blobs.ts";
import { resultsFor, type WaitingCall } from "./continuation.ts";
import { CLIENT_MESSAGE, DONE, SERVER_MESSAGE, TODO } from "./messages.ts";
import { decode, encode, type Value } from "./protobuf.ts";
import { decline, refuse } from "./refusals.ts";
import {
  callFrame,
  CALLS_WAIT,
  endFrame,
  framesOf,
  TURN_ENDED,
  type ServerMessage,
} from "./reply-frames.ts";
import { requestContext, runRequest, toolOf } from "./run-request.ts";

/** The service takes a client for gone that says nothing for much longer. */
const HEARTBEAT_MS = 5000;
/** Calls of one reply come together; behind the last of them, the service waits. */
const CALLS_TOGETHER_MS = 200;
/** Behind the end of a turn that does not say what it used, a last account may come. */
const LAST_ACCOUNT_MS = 250;
/** A model that keeps asking for tools which it does not have is not going to stop. */
const MAX_REFUSALS = 40;

export interface Watcher {
  signal: AbortSignal;
  /** Something came, though no part of the reply. */
  alive: () => void;
  trace?: (what: string, data?: unknown) => void;
}

export class Conversation implements KeptConnection {
  readonly #stream: AgentStream;
  readonly #blobs = new Blobs();
  readonly #heartbeat: ReturnType<typeof setInterval>;
  #body: AgentBody;
  #waiting: WaitingCall[] = [];
  #hasWaited = false;
  #refusals = 0;

  constructor(url: string, headers: Readonly<Record<string, string>>, body: AgentBody) {
    this.#body = body;
    this.#stream = new AgentStream(url, headers);
    this.#stream.send(runRequest(body, this.#blobs));
    const beat = encode(CLIENT_MESSAGE, { heartbeat: {} });
    this.#heartbeat = setInterval(() => this.#stream.send(beat), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  get isOpen(): boolean {
    return this.#stream.isOpen;
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#stream.close();
  }

  /** Sends the results that `body` brings; false if it is anything but the same conversation with them. */
  goOn(body: AgentBody): boolean {
    const results = resultsFor(this.#waiting, this.#body, body);
    if (!results) return false;
    this.#body = body;
    this.#waiting = [];
    for (const { id, execId, result } of results) this.#done({ id, execId, result });
    return true;
  }

  /** Until the turn or the call ends, or calls wait; `keep` is told if the run goes on behind that. */
  async *reply(watcher: Watcher, keep?: () => void): AsyncGenerator<Frame, void, undefined> {
    let isKept = false;
    let last: Frame | undefined;
    let quietSince = performance.now();
    try {
      for (;;) {
        const patience = this.#patience(last !== undefined);
        const left = patience && Math.max(0, patience - (performance.now() - quietSince));
        const next = await this.#stream.next(watcher.signal, left);
        if (next === "silence" && !last) {
          isKept = this.#hasWaited = keep !== undefined;
          yield CALLS_WAIT;
          return;
        }
        if (typeof next === "string" || (next.isEnd && last)) {
          if (last) yield last;
          return;
        }
        if (next.isEnd) {
          yield endFrame(next.message);
          return;
        }
        const said = decode(SERVER_MESSAGE, next.message);
        watcher.trace?.("server", said);
        watcher.alive();
        // A heartbeat says nothing about whether more is to come.
        if (!said.update?.heartbeat) quietSince = performance.now();
        for (const frame of [...this.#callsIn(said), ...framesOf(said)]) {
          if (frame.event !== TURN_ENDED) yield frame;
          else if (frame.data === "{}" || this.#hasWaited) last = { ...frame, data: "{}" };
          else {
            yield frame;
            return;
          }
        }
      }
    } finally {
      if (isKept && this.isOpen) keep?.();
      else this.close();
    }
  }

  /** How long a silence may be before it means something; undefined: as long as the call may take. */
  #patience(hasEnded: boolean): number | undefined {
    if (hasEnded) return LAST_ACCOUNT_MS;
    return this.#waiting.length > 0 ? CALLS_TOGETHER_MS : undefined;
  }

  /** Answers what is asked; what is left is calls of our tools. */
  #callsIn(said: ServerMessage): Frame[] {
    if (said.blobs) this.#blob(said.blobs);
    if (said.question) {
      this.#countRefusal();
      this.#stream.send(decline(said.question));
    }
    if (!said.todo) return [];
    const { id = 0, execId = "", context, call, toolServers } = decode(TODO, said.todo);
    if (context) {
      const answer = { success: { context: requestContext(this.#body) } };
      this.#done({ id, execId, context: answer });
    } else if (toolServers) {
      this.#done({
        id,
        execId,
        toolServers: { success: { servers: this.#servers(toolServers.ids) } },
      });
    } else if (call?.asksOnly) {
      // Whether it may run is decided when it is to run.
      this.#done({ id, execId, result: { approved: {} } });
    } else if (call) {
      this.#waiting.push({ id, execId, name: call.toolName || call.name || "" });
      return [callFrame(call)];
    } else {
      this.#countRefusal();
      for (const message of refuse(said.todo, id, execId)) this.#stream.send(message);
    }
    return [];
  }

  #servers(
    wanted: readonly string[] = [],
  ): { name: string; id: string; tools: ReturnType<typeof toolOf>[]; status: string }[] {
    if (wanted.length > 0 && !wanted.includes(TOOL_SERVER_ID)) return [];
    const tools = this.#body.tools.map(toolOf);
    return [{ name: TOOL_SERVER_ID, id: TOOL_SERVER_ID, tools, status: "connected" }];
  }

  #blob({ id, get, set }: NonNullable<ServerMessage["blobs"]>): void {
    if (get) {
      const data = this.#blobs.get(get.name ?? new Uint8Array());
      this.#stream.send(encode(CLIENT_MESSAGE, { blobs: { id, got: { data } } }));
    } else if (set) {
      const isKept = this.#blobs.keep(set.name ?? new Uint8Array(), set.data ?? new Uint8Array());
      const error = isKept ? undefined : { message: "no room for more blobs" };
      this.#stream.send(encode(CLIENT_MESSAGE, { blobs: { id, set: { error } } }));
    }
  }

  #done(answer: Value<typeof DONE>): void {
    this.#stream.send(encode(CLIENT_MESSAGE, { done: encode(DONE, answer) }));
  }

  #countRefusal(): void {
    if (++this.#refusals <= MAX_REFUSALS) return;
    throw new ModelError(
      modelFailure(
        "protocol",
        `The model asked ${MAX_REFUSALS} times for Cursor's own tools, which Tau does not run; try another model.`,
        { retryable: false, code: "foreign_tools" },
      ),
    );
  }
}
