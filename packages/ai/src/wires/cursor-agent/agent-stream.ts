// One call of the service over HTTP/2, in both directions at once: messages go out whenever there is
// something to say, and come in as a sequence that is awaited. An end is an error with a type.

import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { retryAfterMs } from "../../asked-wait.ts";
import { ModelError } from "../../error.ts";
import { FrameTooLarge } from "../../frame-too-large.ts";
import { networkReason } from "../../network-reason.ts";
import { envelope, EnvelopeDecoder, type Envelope } from "./envelope.ts";
import { decodeError } from "./errors.ts";

/** Of messages that nobody has taken yet: what comes while a tool runs is a few updates. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** Enough to find the cause in. */
const ERROR_BODY_BYTES = 64 * 1024;
/** How long it may take to learn whether a body that ended was cut off with its connection. */
const CUT_MS = 50;
/** Of HTTP/1, or ours to set; HTTP/2 does not have them. */
const NOT_SENT =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade|host|content-length|http2-settings)$/;

/** The connection could not be made, or is no more. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

export class AgentStream {
  readonly #session: ClientHttp2Session;
  readonly #stream: ClientHttp2Stream;
  readonly #arrived: Envelope[] = [];
  #waitingBytes = 0;
  #refusal: { status: number; headers: Headers; body: Buffer } | undefined;
  #broken: Error | undefined;
  #isEnding = false;
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    const { origin, pathname } = new URL(url);
    this.#session = connect(origin);
    this.#session.on("error", (error) => this.#break(new StreamBroken(networkReason(error))));
    const sent = Object.entries(headers).filter(([name]) => !NOT_SENT.test(name));
    this.#stream = this.#session.request({
      ":method": "POST",
      ":path": pathname,
      ...Object.fromEntries(sent),
    });
    const decoder = new EnvelopeDecoder((message) => this.#take(message));
    this.#stream.on("response", (given) => this.#answered(given));
    this.#stream.on("data", (bytes: Buffer) => this.#read(decoder, bytes));
    this.#stream.on("end", () => this.#ended());
    this.#stream.on("error", (error) => this.#break(new StreamBroken(networkReason(error))));
    this.#stream.on("close", () => {
      if (!this.#isEnding) this.#break(new StreamBroken("the connection was closed"));
    });
  }

  get isOpen(): boolean {
    return this.#broken === undefined && !this.#isEnding && !this.#stream.destroyed;
  }

  send(message: Uint8Array): void {
    if (this.isOpen) this.#stream.write(envelope(message));
  }

  /**
   * The next message; "silence" if none comes within `ms`, "end" behind the last. Rejects with
   * `StreamBroken` once there will be none, and with the abort.
   */
  async next(signal: AbortSignal, ms?: number): Promise<Envelope | "silence" | "end"> {
    let isLate = false;
    const wake = (): void => this.#wake?.();
    const timer =
      ms === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            wake();
          }, ms);
    signal.addEventListener("abort", wake);
    try {
      for (;;) {
        signal.throwIfAborted();
        const message = this.#arrived.shift();
        if (message) {
          this.#waitingBytes -= message.message.length;
          return message;
        }
        if (this.#broken) throw this.#broken;
        if (this.#hasEnded) return "end";
        if (isLate) return "silence";
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
    }
  }

  close(): void {
    this.#break(new StreamBroken("the connection was closed"));
    // What goes wrong with a stream that nobody wants any more is no news.
    if (!this.#stream.destroyed) this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#session.destroy();
  }

  #read(decoder: EnvelopeDecoder, bytes: Buffer): void {
    if (this.#broken) return;
    if (this.#refusal) {
      if (this.#refusal.body.length < ERROR_BODY_BYTES) {
        this.#refusal.body = Buffer.concat([this.#refusal.body, bytes]);
      }
      return;
    }
    try {
      decoder.push(bytes);
    } catch (error) {
      this.#break(error as Error);
    }
  }

  #take(message: Envelope): void {
    this.#waitingBytes += message.message.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      throw new FrameTooLarge(`more than ${MAX_WAITING_BYTES} bytes came unasked`);
    }
    this.#arrived.push(message);
    this.#wake?.();
  }

  #answered(given: Readonly<Record<string, unknown>>): void {
    const status = Number(given[":status"]);
    if (status === 200) return;
    const headers = new Headers();
    for (const [name, value] of Object.entries(given)) {
      if (!name.startsWith(":")) headers.set(name, String(value));
    }
    this.#refusal = { status, headers, body: Buffer.alloc(0) };
  }

  #ended(): void {
    this.#isEnding = true;
    this.#stream.end();
    const { status, headers, body } = this.#refusal ?? {};
    if (status !== undefined && headers && body) {
      const failure = decodeError(status, headers, body.toString("utf8"));
      const requestId = headers.get("x-request-id") ?? undefined;
      const wait = failure.retryAfterMs ?? retryAfterMs(headers);
      this.#break(new ModelError({ ...failure, retryAfterMs: wait, requestId }));
      return;
    }
    // A connection that breaks ends the body first, and only then itself.
    setTimeout(() => {
      if (this.#session.closed || this.#session.destroyed) {
        this.#break(new StreamBroken("the connection was cut"));
      } else this.#hasEnded = true;
      this.#wake?.();
    }, CUT_MS);
  }

  #break(why: Error): void {
    this.#broken ??= why;
    this.#wake?.();
  }
}
