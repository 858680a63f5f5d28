// One model call over HTTP: encode, send, decode, and turn whatever goes wrong into the
// stream's one terminal event. It never throws and never retries; policy lives above.

import { limitResetMs, retryAfterMs } from "./asked-wait.ts";
import { describeFailure } from "./call-failure.ts";
import { CallWatch, type WatchOptions } from "./call-watch.ts";
import type { Credential } from "./credential.ts";
import type { Environment } from "./environment.ts";
import { asKind, modelFailure, type ModelFailure } from "./error.ts";
import { FrameTooLarge } from "./frame-too-large.ts";
import { createFramer } from "./framing.ts";
import type { KeptConnections } from "./kept-connections.ts";
import type { Model } from "./model.ts";
import { BrokenEncoding, quietFetch } from "./quiet-fetch.ts";
import { ReplyAssembler } from "./reply-assembler.ts";
import { ReplyStream } from "./reply-stream.ts";
import { headersOfRequest } from "./request-headers.ts";
import type { ModelRequest } from "./request.ts";
import { SentSecrets } from "./sent-secrets.ts";
import {
  loadWireClient,
  type CallTrace,
  type Frame,
  type OutgoingRequest,
  type ReadFile,
  type WireClient,
} from "./wire.ts";
import { waitInWords } from "./wires/body-wait.ts";

/** Enough to find the cause in; some gateways answer with whole web pages. */
const ERROR_BODY_BYTES = 64 * 1024;
/** Of a reply that comes as one document: far above what a model can say, with room for images. */
const REPLY_BODY_BYTES = 32 * 1024 * 1024;

export interface CallOptions extends WatchOptions {
  /** A key, or a way to find the credential once the call is under way. */
  credential?: string | (() => Promise<Credential | undefined>);
  /** For wires that sign with what the environment holds. */
  env?: Environment;
  /** For wires whose credentials may be in a file; without it there are no files. */
  readFile?: ReadFile;
  /** Sent with every request, below the model's own. */
  headers?: Readonly<Record<string, string>>;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** For wires that can use a connection for more than one call. */
  connections?: KeptConnections;
  trace?: CallTrace;
}

export function callModel(request: ModelRequest, options: CallOptions = {}): ReplyStream {
  const stream = new ReplyStream();
  const { provider, id, wire } = request.model;
  const secrets = new SentSecrets([provider, id]);
  const judge = (failure: ModelFailure): ModelFailure =>
    secrets.hideIn(judged(failure, request.model));
  const out = new ReplyAssembler({ provider, model: id, wire }, stream.push, Date.now(), judge);
  const watch = new CallWatch(request.model, options);
  void run(request, options, out, watch, secrets)
    .catch((error: unknown) => out.fail(describeFailure(error, request.model, watch)))
    .finally(() => watch.stop());
  return stream;
}

async function run(
  request: ModelRequest,
  options: CallOptions,
  out: ReplyAssembler,
  watch: CallWatch,
  secrets: SentSecrets,
): Promise<void> {
  const { model } = request;
  if (model.wire === "in-process") {
    throw new TypeError(`${model.provider}/${model.id} runs in this process and has no endpoint`);
  }
  watch.signal.throwIfAborted();
  const client = await loadWireClient(model.wire);
  const credential = await credentialOf(options);
  secrets.add(credential?.token);
  const send = options.fetch ?? quietFetch;
  const outgoing = await prepare(client, request, credential, options, watch);
  secrets.addHeaders(outgoing.headers);
  if (URL.canParse(outgoing.url)) secrets.addParameters(new URL(outgoing.url).searchParams);
  const { signal } = watch;
  const { connections, trace } = options;
  const alive = (): void => watch.sawBytes();
  const frames = await client.converse?.(outgoing, { model, signal, connections, alive, trace });
  if (frames) return decodeFrames(client, frames, out, watch);
  const response = await send(outgoing.url, {
    method: "POST",
    headers: outgoing.headers,
    body: outgoing.body,
    signal: watch.signal,
    redirect: "error",
  });
  await request.onResponse?.(response);
  if (!response.ok) {
    // Before anything is cut from it: half a key is too much of it too.
    const body = secrets.hide(await readRefusal(response));
    const failure = client.decodeError(response.status, response.headers, body);
    const { withBlame } = await import("./wires/find-blame.ts");
    const blamed = withBlame(failure, body, request, outgoing.body);
    out.fail(withHttpContext(blamed, response));
    return;
  }
  const type = response.headers.get("content-type") ?? "";
  if (/\bjson\b/.test(type)) {
    const text = await readBounded(response, REPLY_BODY_BYTES, () => watch.sawBytes());
    if (text.length >= REPLY_BODY_BYTES) throw new FrameTooLarge("the reply is too large");
    client.decodeReply(JSON.parse(text), out);
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

/** What the host's own code means, where its row says so, and the wait that its words ask for. */
function judged(told: ModelFailure, { failureCodes }: Model): ModelFailure {
  const kind = told.code === undefined ? undefined : failureCodes?.[told.code];
  const failure = kind === undefined ? told : asKind(told, kind);
  const wait = failure.retryAfterMs ?? wordedWait(failure);
  return wait === undefined ? failure : { ...failure, retryAfterMs: wait };
}

function wordedWait({ retryable, message }: ModelFailure): number | undefined {
  return retryable ? waitInWords(message) : undefined;
}

async function credentialOf({ credential }: CallOptions): Promise<Credential | undefined> {
  if (typeof credential === "string") return { origin: "flag", token: credential, label: "key" };
  return credential?.();
}

async function prepare(
  client: WireClient,
  request: ModelRequest,
  credential: Credential | undefined,
  options: CallOptions,
  watch: CallWatch,
): Promise<OutgoingRequest> {
  const model = modelFor(request.model, credential);
  const encoded = client.encodeRequest({ ...request, model });
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...options.headers,
    ...encoded.headers,
    ...headersOfRequest(request),
  };
  const outgoing: OutgoingRequest = {
    url: (credential?.baseUrl ?? model.baseUrl).replace(/\/+$/, "") + encoded.path,
    headers,
    body: JSON.stringify(await lookedAt(request, encoded.body, watch.signal)),
  };
  if (!client.authorize && credential && model.auth !== "none") {
    if (model.auth === "bearer") headers["authorization"] = `Bearer ${credential.token}`;
    else headers[model.auth] = credential.token;
  }
  setHeaders(headers, credential?.headers);
  setHeaders(headers, model.headers);
  if (!client.authorize) return outgoing;
  return client.authorize(outgoing, {
    model,
    credential,
    env: options.env ?? {},
    signal: watch.signal,
    fetch: options.fetch ?? fetch,
    readFile: options.readFile,
  });
}

/** Whoever looks may hang: a call that is stopped does not wait for them. */
async function lookedAt(
  { onPayload }: ModelRequest,
  body: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!onPayload) return body;
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return (await Promise.race([onPayload(body), stopped.promise])) ?? body;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A login may be sent in another way than a key, and need quirks of its own. */
function modelFor(model: Model, credential: Credential | undefined): Model {
  if (!credential?.auth && !credential?.quirks) return model;
  return {
    ...model,
    auth: credential.auth ?? model.auth,
    quirks: { ...model.quirks, ...credential.quirks },
  };
}

/** Names in one case, so that a header is replaced and not sent twice. */
function setHeaders(headers: Record<string, string>, given: Model["headers"]): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
}

async function decodeFrames(
  client: WireClient,
  frames: AsyncIterable<Frame>,
  out: ReplyAssembler,
  watch: CallWatch,
): Promise<void> {
  const sink = client.decodeStream(out);
  for await (const frame of frames) {
    watch.sawBytes();
    watch.sawFrame();
    sink.frame(frame);
    if (out.ended) return;
  }
  sink.end();
  out.failIfUnfinished();
}

async function decodeBody(
  client: WireClient,
  response: Response,
  out: ReplyAssembler,
  watch: CallWatch,
): Promise<void> {
  const sink = client.decodeStream(out);
  const framer = await createFramer(client.framing, (frame) => {
    watch.sawFrame();
    if (!out.ended) sink.frame(frame);
  });
  if (response.body) {
    for await (const chunk of response.body) {
      // Behind a complete reply nothing is of interest but the end of the body.
      if (out.ended) continue;
      watch.sawBytes();
      framer.push(chunk);
      if (out.ended) watch.drain();
    }
  }
  if (!out.ended) framer.end();
  if (!out.ended) sink.end();
  out.failIfUnfinished();
}

/** Even if its text cannot be read, a refusal has a status. */
async function readRefusal(response: Response): Promise<string> {
  try {
    return await readBounded(response, ERROR_BODY_BYTES);
  } catch (error) {
    if (error instanceof BrokenEncoding) return "";
    throw error;
  }
}

async function readBounded(
  response: Response,
  limit: number,
  onBytes?: () => void,
): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body) {
    onBytes?.();
    text += decoder.decode(chunk, { stream: true });
    if (text.length > limit) return text.slice(0, limit);
  }
  return text;
}

function withHttpContext(failure: ModelFailure, response: Response): ModelFailure {
  const { headers } = response;
  const requestId = headers.get("request-id") ?? headers.get("x-request-id") ?? undefined;
  const wait =
    failure.retryAfterMs ??
    retryAfterMs(headers) ??
    wordedWait(failure) ??
    (failure.kind === "rate_limit" ? limitResetMs(headers) : undefined);
  return {
    ...failure,
    status: response.status,
    retryAfterMs: wait,
    requestId,
  };
}
