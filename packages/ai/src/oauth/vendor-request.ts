// One request to a vendor's login endpoints: bounded in time and size, never redirected
// (a redirect would carry secrets elsewhere), and failures sorted into those that the
// vendor has decided and those that may pass.

import { asObject, asString, parseObject, type Json } from "../wires/json.ts";
import { OAuthError, type OAuthContext } from "./oauth.ts";
import { plainWords } from "./plain-words.ts";

/** Below the lease under which a login is renewed, so that nobody else starts meanwhile. */
const TIMEOUT_MS = 20_000;
/** Tokens with claims are a few kilobytes; what is much longer is no such reply. */
const MAX_BODY_BYTES = 256 * 1024;

const REVOKED_CODES: ReadonlySet<string> = new Set([
  "invalid_grant",
  "invalid_token",
  "revoked",
  "token_revoked",
  "refresh_token_expired",
  "refresh_token_reused",
  "refresh_token_invalidated",
]);

export interface VendorReply {
  status: number;
  ok: boolean;
  /** Undefined where it is no JSON object. */
  body: Json | undefined;
  /** A web page: written by something between us and the vendor, or for people. */
  isPage: boolean;
}

export interface VendorRequest {
  method: "GET" | "POST";
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  json?: Json;
}

export async function requestVendor(
  url: string,
  request: VendorRequest,
  context: OAuthContext,
): Promise<VendorReply> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const init: RequestInit = {
    method: request.method,
    headers: { accept: "application/json", ...contentType(request), ...request.headers },
    redirect: "manual",
    signal: AbortSignal.any([context.signal, timeout]),
  };
  const body = bodyOf(request);
  if (body !== undefined) init.body = body;
  try {
    const response = await context.fetch(url, init);
    const text = await readBounded(response);
    const type = response.headers.get("content-type") ?? "";
    return {
      status: response.status,
      ok: response.ok,
      body: parseObject(text),
      isPage: type.includes("html") || /^\s*</.test(text),
    };
  } catch (error) {
    if (error instanceof OAuthError) throw error;
    context.signal.throwIfAborted();
    const host = new URL(url).host;
    const why = timeout.aborted
      ? `${host} did not answer within ${TIMEOUT_MS / 1000} s`
      : `${host} cannot be reached`;
    throw new OAuthError(why, { definitive: false });
  }
}

/** The vendor's code for what went wrong, in either of the two shapes that are in use. */
function errorCode(reply: VendorReply): string | undefined {
  const { error, code } = reply.body ?? {};
  const nested = asObject(error);
  return asString(error) ?? asString(nested?.code) ?? asString(nested?.type) ?? asString(code);
}

/** `secrets` are what was sent: a vendor that repeats them must not make us show them. */
export function failureOf(
  what: string,
  reply: VendorReply,
  secrets: readonly string[],
): OAuthError {
  const code = errorCode(reply);
  const words = vendorWords(reply) ?? code;
  const reason = words ? plainWords(words, secrets) : `status ${reply.status}`;
  const isClientError = reply.status < 500 && reply.status !== 429;
  const isRefusal = (reply.status === 401 || reply.status === 403) && !reply.isPage;
  const isRevoked = isClientError && code !== undefined && REVOKED_CODES.has(code);
  return new OAuthError(`${what}: ${reason}`, {
    code,
    status: reply.status,
    definitive: isRefusal || isRevoked,
  });
}

function vendorWords(reply: VendorReply): string | undefined {
  const { error_description: description, message, error } = reply.body ?? {};
  return asString(description) ?? asString(asObject(error)?.message) ?? asString(message);
}

function contentType(request: VendorRequest): Record<string, string> {
  if (request.form) return { "content-type": "application/x-www-form-urlencoded" };
  return request.json ? { "content-type": "application/json" } : {};
}

function bodyOf(request: VendorRequest): string | undefined {
  if (request.form) return new URLSearchParams(request.form).toString();
  return request.json ? JSON.stringify(request.json) : undefined;
}

async function readBounded(response: Response): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) {
      const limit = `${MAX_BODY_BYTES / 1024} KB`;
      throw new OAuthError(`the reply is longer than ${limit}`, { definitive: false });
    }
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
