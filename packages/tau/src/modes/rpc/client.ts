// The other end, for programs in TypeScript: starts Tau, sends commands, hears events and answers
// questions. It knows no command by name; the reference does.

import type { Verdict } from "../consent-answer.ts";
import {
  RpcError,
  type AskEvent,
  type RpcEvent,
  type RpcFailure,
  type RpcFrame,
  type RpcResponse,
} from "./protocol.ts";

const NEWLINE = "\n";

export interface RpcClientOptions {
  /** The program and its arguments; `tau --mode rpc` where absent. */
  command?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** `inherit` shows Tau's own words to whoever looks at this program's. */
  stderr?: "inherit" | "ignore" | "pipe";
}

/** A verdict on a call, or the value that an extension asks for: null for none. */
export type RpcAnswer =
  | {
      verdict: Verdict;
      /** For the model, with `no`. */
      reason?: string;
    }
  | { value: string | boolean | null };

/** The program ended before it had answered. */
export class RpcClosed extends Error {
  override readonly name = "RpcClosed";
}

interface Pending {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

export class RpcClient implements AsyncDisposable {
  readonly #process: Bun.Subprocess<"pipe", "pipe", "inherit" | "ignore" | "pipe">;
  readonly #pending = new Map<string, Pending>();
  readonly #listeners = new Set<(event: RpcEvent) => void>();
  readonly #waiting = new Set<(error: RpcClosed) => void>();
  readonly #reading: Promise<void>;
  #sent = 0;
  #isClosed = false;

  constructor(options: RpcClientOptions = {}) {
    const { command = ["tau", "--mode", "rpc"], cwd, env, stderr = "inherit" } = options;
    this.#process = Bun.spawn([...command], {
      cwd,
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr,
    });
    this.#reading = this.#read();
  }

  get pid(): number {
    return this.#process.pid;
  }

  get stderr(): ReadableStream<Uint8Array> | undefined {
    const { stderr } = this.#process;
    return stderr instanceof ReadableStream ? stderr : undefined;
  }

  /** The exit code, once it has ended and everything it said was heard. */
  get exited(): Promise<number> {
    return this.#reading.then(() => this.#process.exited);
  }

  /** Told of every event, in order. Returns the way to stop listening. */
  subscribe(listener: (event: RpcEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The first event from now on that fits. Rejects with `RpcClosed` when no more will come. */
  async next(fits: (event: RpcEvent) => boolean): Promise<RpcEvent> {
    const { promise, resolve, reject } = Promise.withResolvers<RpcEvent>();
    const stop = this.subscribe((event) => {
      if (fits(event)) resolve(event);
    });
    if (this.#isClosed) reject(closed());
    this.#waiting.add(reject);
    try {
      return await promise;
    } finally {
      stop();
      this.#waiting.delete(reject);
    }
  }

  /** Resolves with the response's data; rejects with `RpcError`, or `RpcClosed` where none will come. */
  send(type: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = `req_${++this.#sent}`;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // A closed pipe is told by the end of the output; nobody may be waiting for this one.
    promise.catch(() => {});
    if (this.#isClosed) reject(closed());
    else {
      this.#pending.set(id, { resolve, reject });
      this.sendLine(JSON.stringify({ ...fields, id, type }));
    }
    return promise;
  }

  /** One line as it is. */
  sendLine(line: string): void {
    this.#process.stdin.write(line + NEWLINE);
    void Promise.resolve(this.#process.stdin.flush()).catch(() => {
      // Nobody reads it: the end of the output tells everyone who waits.
    });
  }

  /** Starts a run and resolves with its end. */
  async run(message: string): Promise<RpcEvent> {
    // The end may be told in the same moment as the acknowledgement.
    const early: RpcEvent[] = [];
    const stop = this.subscribe((event) => {
      if (event.type === "agent_end") early.push(event);
    });
    try {
      const { runId } = (await this.send("prompt", { message })) as { runId: unknown };
      const isEnd = (event: RpcEvent): boolean =>
        event.type === "agent_end" && event.runId === runId;
      return early.find(isEnd) ?? (await this.next(isEnd));
    } finally {
      stop();
    }
  }

  /** Starts a run and resolves when all that it has set going is over, agents too: with `settled`. */
  async runToTheEnd(message: string): Promise<RpcEvent> {
    const early: RpcEvent[] = [];
    const stop = this.subscribe((event) => {
      if (event.type === "settled") early.push(event);
    });
    try {
      await this.run(message);
      // None that comes after the acknowledgement is of anything earlier.
      return early.at(-1) ?? (await this.next(({ type }) => type === "settled"));
    } finally {
      stop();
    }
  }

  /** Has every question answered from now on. Returns the way to stop. */
  answerWith(answer: (ask: RpcEvent & AskEvent) => RpcAnswer | Promise<RpcAnswer>): () => void {
    return this.subscribe((event) => {
      if (event.type !== "ask") return;
      const asked = event as RpcEvent & AskEvent;
      const refusal = (error: unknown): RpcAnswer =>
        asked.kind === "approval" ? { verdict: "no", reason: String(error) } : { value: null };
      void Promise.resolve(asked)
        .then(answer)
        .catch(refusal)
        .then((given) => this.send("answer", { ask: asked.id, ...given }))
        .catch((error: unknown) => {
          // Meanwhile nobody waits for it any more.
          const isLate = error instanceof RpcError && error.code === "refused";
          if (!isLate && !(error instanceof RpcClosed)) throw error;
        });
    });
  }

  /** Says that there is nothing more to say; resolves with the exit code. */
  async close(): Promise<number> {
    await this.#process.stdin.end();
    return this.exited;
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    this.#process.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isClosed) await this.close();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let parts: string[] = [];
    for await (const chunk of this.#process.stdout) {
      const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split(NEWLINE);
      parts.push(first);
      for (const line of rest) {
        this.#take(parts.join(""));
        parts = [line];
      }
    }
    this.#isClosed = true;
    for (const { reject } of this.#pending.values()) reject(closed());
    this.#pending.clear();
    for (const reject of this.#waiting) reject(closed());
  }

  #take(line: string): void {
    const frame = frameOf(line);
    if (!frame) {
      // Nothing behind it can be trusted to be whole.
      this.#process.kill();
      return;
    }
    if (frame.type !== "response") {
      for (const listener of this.#listeners) listener(frame as RpcEvent);
      return;
    }
    const response = frame as RpcResponse;
    const pending = this.#pending.get(String(response.id));
    this.#pending.delete(String(response.id));
    if (response.success) pending?.resolve(response.data);
    else pending?.reject(errorFrom(response.error));
  }
}

function frameOf(line: string): RpcFrame | undefined {
  try {
    return JSON.parse(line) as RpcFrame;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function errorFrom({ code, message }: RpcFailure): RpcError {
  return new RpcError(code, message);
}

function closed(): RpcClosed {
  return new RpcClosed("Tau has ended.");
}
