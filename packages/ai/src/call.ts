// One model call over HTTP: encode, send, decode, and turn whatever goes wrong into the
// stream's one terminal event. It never throws and never retries; policy lives above.

import { modelFailure, retryAfterMs, type ModelFailure } from "./error.ts";
import type { Model } from "./model.ts";
import { ReplyAssembler } from "./reply-assembler.ts";
import { ReplyStream } from "./reply-stream.ts";
import type { ModelRequest } from "./request.ts";
import { SseDecoder, SseFrameTooLarge } from "./sse.ts";
import { loadWireClient, type EncodedRequest, type WireClient } from "./wire.ts";

/** Prefill of a long context takes minutes on some hosts. */
export const FIRST_EVENT_TIMEOUT_MS = 300_000;
/** Once a reply runs, even a slow host sends something (or a keep-alive) within this. */
export const IDLE_TIMEOUT_MS = 120_000;
/** Enough to find the cause in; some gateways answer with whole web pages. */
const ERROR_BODY_BYTES = 64 * 1024;
/**
 * How long the end of the body is waited for behind a complete reply. A body read to its
 * end leaves the connection for the next call, which saves it a handshake.
 */
const DRAIN_MS = 250;

export interface CallOptions {
  /** API key or access token; sent as the model's `auth` says. */
  credential?: string;
  signal?: AbortSignal;
  firstEventTimeoutMs?: number;
  idleTimeoutMs?: number;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export function callModel(request: ModelRequest, options: CallOptions = {}): ReplyStream {
  const stream = new ReplyStream();
  const { provider, id, wire } = request.model;
  const out = new ReplyAssembler({ provider, model: id, wire }, stream.push);
  const watch = new CallWatch(request.model, options);
  void run(request, options, out, watch)
    .catch((error: unknown) => out.fail(describeFailure(error, request.model, watch)))
    .finally(() => watch.stop());
  return stream;
}

async function run(
  request: ModelRequest,
  options: CallOptions,
  out: ReplyAssembler,
  watch: CallWatch,
): Promise<void> {
  const { model } = request;
  if (model.wire === "in-process") {
    throw new TypeError(`${model.provider}/${model.id} runs in this process and has no endpoint`);
  }
  watch.signal.throwIfAborted();
  const client = await loadWireClient(model.wire);
  const encoded = client.encodeRequest(request);
  const send = options.fetch ?? fetch;
  const response = await send(joinUrl(model.baseUrl, encoded.path), {
    method: "POST",
    headers: headersOf(model, encoded, options.credential),
    body: JSON.stringify(encoded.body),
    signal: watch.signal,
    redirect: "error",
  });
  if (!response.ok) {
    const body = await readBounded(response, ERROR_BODY_BYTES);
    out.fail(
      withHttpContext(client.decodeError(response.status, response.headers, body), response),
    );
    return;
  }
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json") && !type.includes("ndjson")) {
    client.decodeReply(await response.json(), out);
    out.failIfUnfinished();
  } else if (type.includes("html")) {
    out.fail(
      modelFailure("protocol", `${model.baseUrl} answered with a web page; check the base URL.`, {
        retryable: false,
        status: response.status,
      }),
    );
  } else await decodeBody(client, response, out, watch);
}

async function decodeBody(
  client: WireClient,
  response: Response,
  out: ReplyAssembler,
  watch: CallWatch,
): Promise<void> {
  const sink = client.decodeStream(out);
  const decoder = new SseDecoder((frame) => {
    if (!out.ended) sink.frame(frame);
  });
  if (response.body) {
    for await (const chunk of response.body) {
      // Behind a complete reply nothing is of interest but the end of the body.
      if (out.ended) continue;
      watch.sawBytes();
      decoder.push(chunk);
      if (out.ended) watch.drain();
    }
  }
  if (!out.ended) decoder.end();
  if (!out.ended) sink.end();
  out.failIfUnfinished();
}

function headersOf(
  model: Model,
  encoded: EncodedRequest,
  credential: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...encoded.headers,
  };
  if (credential !== undefined && model.auth !== "none") {
    if (model.auth === "bearer") headers["authorization"] = `Bearer ${credential}`;
    else headers[model.auth] = credential;
  }
  for (const [name, value] of Object.entries(model.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return headers;
}

function joinUrl(base: string, path: string): string {
  return base.replace(/\/+$/, "") + path;
}

async function readBounded(response: Response, limit: number): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) return text.slice(0, limit);
  }
  return text;
}

function withHttpContext(failure: ModelFailure, response: Response): ModelFailure {
  const { headers } = response;
  const requestId = headers.get("request-id") ?? headers.get("x-request-id") ?? undefined;
  const wait = failure.retryAfterMs ?? retryAfterMs(headers);
  return {
    ...failure,
    status: response.status,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** The one abort signal of a call: the caller's wish, or a silence that lasted too long. */
class CallWatch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #idleMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silentMs: number;
  timedOutAfterMs: number | undefined;

  constructor(model: Model, options: CallOptions) {
    this.#caller = options.signal;
    this.#idleMs = Math.max(options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, idleFloorMs(model));
    this.#silentMs = options.firstEventTimeoutMs ?? FIRST_EVENT_TIMEOUT_MS;
    if (this.#caller?.aborted) this.#onCallerAbort();
    else this.#caller?.addEventListener("abort", this.#onCallerAbort, { once: true });
    this.#timer = setTimeout(this.#onSilence, this.#silentMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get callerAborted(): boolean {
    return this.#caller?.aborted ?? false;
  }

  /** Called per network chunk, so it must not allocate a timer each time. */
  sawBytes(): void {
    if (this.#silentMs === this.#idleMs && this.#timer && "refresh" in this.#timer) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#silentMs = this.#idleMs;
    this.#timer = setTimeout(this.#onSilence, this.#idleMs);
  }

  /** The reply is complete: a server that keeps the socket open is cut off soon. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onSilence, DRAIN_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onCallerAbort);
    // Also closes a socket that the server left open behind a finished reply.
    this.#controller.abort();
  }

  readonly #onCallerAbort = (): void => this.#controller.abort(this.#caller?.reason);

  readonly #onSilence = (): void => {
    this.timedOutAfterMs = this.#silentMs;
    this.#controller.abort();
  };
}

/** Hosts known to fall silent while they think say so in their row. */
function idleFloorMs(model: Model): number {
  const floor = model.quirks?.streamIdleTimeoutMs;
  return typeof floor === "number" && floor > 0 ? floor : 0;
}

function describeFailure(error: unknown, model: Model, watch: CallWatch): ModelFailure {
  if (watch.callerAborted) return modelFailure("aborted", "The call was aborted.");
  if (watch.timedOutAfterMs !== undefined) {
    const seconds = Math.round(watch.timedOutAfterMs / 1000);
    return modelFailure("timeout", `${model.provider} sent nothing for ${seconds} s.`);
  }
  if (error instanceof SseFrameTooLarge || error instanceof SyntaxError) {
    return modelFailure(
      "protocol",
      `${model.provider} sent something unreadable: ${error.message}`,
    );
  }
  if (isNetworkError(error) && error.code === UNEXPECTED_REDIRECT) {
    return modelFailure(
      "protocol",
      `${hostOf(model.baseUrl)} redirects elsewhere; check the base URL.`,
      { code: error.code, retryable: false },
    );
  }
  if (isNetworkError(error)) {
    return modelFailure("network", `Cannot reach ${hostOf(model.baseUrl)}: ${error.message}`, {
      code: error.code,
    });
  }
  // A bug of ours must not look like the network's fault, nor take the session down.
  const message = error instanceof Error ? error.message : String(error);
  return modelFailure("protocol", `Unexpected failure: ${message}`, { retryable: false });
}

/** Following a redirect would send the credential to a host that nobody chose. */
const UNEXPECTED_REDIRECT = "UnexpectedRedirect";

/** Bun's fetch rejects with a coded Error; the standard's TypeError comes from other runtimes. */
function isNetworkError(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" && !(error instanceof RangeError);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
