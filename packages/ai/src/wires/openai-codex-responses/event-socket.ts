// A WebSocket as a sequence of texts: one is awaited at a time, and an end is an error with a type.

import { FrameTooLarge } from "../../frame-too-large.ts";
import type { KeptConnection } from "../../kept-connections.ts";
import { MAX_FRAME_CHARS } from "../../sse.ts";

/** A handshake is two messages; whoever takes longer is not going to answer. */
const HANDSHAKE_MS = 10_000;

/** The connection could not be made, or is no more. */
export class SocketBroken extends Error {
  override readonly name = "SocketBroken";
}

export class EventSocket implements KeptConnection {
  readonly #socket: WebSocket;
  readonly #arrived: string[] = [];
  #broken: Error | undefined;
  #wake: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(data));
    socket.addEventListener("close", () => this.#break(new SocketBroken("the socket was closed")));
    socket.addEventListener("error", () => this.#break(new SocketBroken("the socket failed")));
    socket.addEventListener("open", () => this.#wake?.());
  }

  static async open(
    url: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<EventSocket> {
    signal.throwIfAborted();
    const opened = new EventSocket(new WebSocket(url, { headers }));
    const timer = setTimeout(
      () => opened.#break(new SocketBroken("no answer to the handshake")),
      HANDSHAKE_MS,
    );
    try {
      await opened.#until(() => opened.isOpen, signal);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get isOpen(): boolean {
    return this.#broken === undefined && this.#socket.readyState === WebSocket.OPEN;
  }

  send(text: string): void {
    // What came unasked since the last reply belongs to nobody.
    this.#arrived.length = 0;
    this.#socket.send(text);
  }

  /** The next text; rejects with `SocketBroken` once there will be none, and with the abort. */
  async next(signal: AbortSignal): Promise<string> {
    await this.#until(() => this.#arrived.length > 0, signal);
    return this.#arrived.shift()!;
  }

  close(): void {
    this.#broken ??= new SocketBroken("the socket was closed");
    this.#socket.close();
  }

  async #until(isThere: () => boolean, signal: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#wake?.();
    signal.addEventListener("abort", onAbort);
    try {
      while (!isThere()) {
        signal.throwIfAborted();
        if (this.#broken) throw this.#broken;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #take(data: unknown): void {
    // The backend speaks JSON; bytes are none of its events.
    if (typeof data !== "string") return;
    if (data.length > MAX_FRAME_CHARS) {
      this.#break(new FrameTooLarge(`an event is larger than ${MAX_FRAME_CHARS} characters`));
      this.#socket.close();
      return;
    }
    this.#arrived.push(data);
    this.#wake?.();
  }

  #break(why: Error): void {
    this.#broken ??= why;
    this.#wake?.();
  }
}
