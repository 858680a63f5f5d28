// One server that is asked for its models: bounded in time and size, and whatever goes
// wrong is a typed failure. Nothing here follows a redirect, because a key goes along.

import { ModelError, modelFailure, type ModelErrorKind } from "../error.ts";
import { networkReason } from "../network-reason.ts";
import { BrokenEncoding, quietFetch } from "../quiet-fetch.ts";

/** The longest list of a public gateway is about a quarter of this. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;

export interface ConnectionOptions {
  baseUrl: string;
  headers?: Readonly<Record<string, string>>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  signal?: AbortSignal;
  /** For the whole discovery, however many requests it takes. */
  timeoutMs?: number;
}

export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #timeout: AbortSignal;
  readonly #signal: AbortSignal;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    this.#signal = options.signal
      ? AbortSignal.any([options.signal, this.#timeout])
      : this.#timeout;
  }

  /** As it was given, without slashes at the end. */
  get base(): string {
    return this.#options.baseUrl.replace(/\/+$/, "");
  }

  /** The server itself: the base without its API version. */
  get root(): string {
    return this.base.replace(/\/v\d+$/, "");
  }

  get(url: string): Promise<unknown> {
    return this.#json(url, { method: "GET" });
  }

  post(url: string, body: unknown): Promise<unknown> {
    return this.#json(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** For servers that speak something else: whatever goes wrong is told as everywhere here. */
  async through<T>(
    ask: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (!URL.canParse(this.base)) {
      throw this.#failure("invalid_request", `"${this.base}" is not a URL.`);
    }
    try {
      this.#signal.throwIfAborted();
      return await ask(this.#options.headers ?? {}, this.#signal);
    } catch (error) {
      if (error instanceof ModelError) throw error;
      throw this.#unanswered(error);
    }
  }

  /** For what is good to know and not needed: undefined where the server does not tell. */
  async ask(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof ModelError && error.failure.kind !== "aborted") return undefined;
      throw error;
    }
  }

  async #json(url: string, init: RequestInit): Promise<unknown> {
    const { fetch: send = quietFetch, headers } = this.#options;
    if (!URL.canParse(url)) throw this.#failure("invalid_request", `"${url}" is not a URL.`);
    try {
      this.#signal.throwIfAborted();
      const response = await send(url, {
        ...init,
        headers: { accept: "application/json", ...headers, ...(init.headers as object) },
        redirect: "error",
        signal: this.#signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw this.#refusal(response.status);
      }
      return this.#parse(await this.#read(response));
    } catch (error) {
      if (error instanceof ModelError) throw error;
      throw this.#unanswered(error);
    }
  }

  async #read(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = "";
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES) {
        throw this.#failure("protocol", `${this.#host} answered with more than 8 MB.`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      throw this.#failure("protocol", `${this.#host} sent an answer that is not JSON.`);
    }
  }

  #refusal(status: number): ModelError {
    if (status === 401 || status === 403) {
      return this.#failure("auth", `${this.#host} needs an API key to list its models.`, status);
    }
    if (status === 429) return this.#failure("rate_limit", `${this.#host} is busy.`, status);
    const kind = status >= 500 ? "overloaded" : "protocol";
    return this.#failure(kind, `${this.#host} answered with status ${status}.`, status);
  }

  #unanswered(error: unknown): ModelError {
    if (this.#options.signal?.aborted) {
      return this.#failure("aborted", "Listing models was aborted.");
    }
    if (this.#timeout.aborted) {
      return this.#failure("timeout", `${this.#host} did not list its models in time.`);
    }
    if (error instanceof Error && (error as { code?: unknown }).code === "UnexpectedRedirect") {
      return this.#failure("protocol", `${this.#host} redirects elsewhere; check the base URL.`);
    }
    if (error instanceof BrokenEncoding) {
      const why = `${this.#host} sent an answer that cannot be read: ${error.message}.`;
      return this.#failure("protocol", why);
    }
    return this.#failure("network", `Cannot reach ${this.#host}: ${networkReason(error)}`);
  }

  get #host(): string {
    return URL.canParse(this.base) ? new URL(this.base).host : this.base;
  }

  #failure(kind: ModelErrorKind, message: string, status?: number): ModelError {
    return new ModelError(modelFailure(kind, message, { status }));
  }
}

/** A field of something that came over the network. */
export function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function positive(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 1
    ? Math.floor(value)
    : undefined;
}
