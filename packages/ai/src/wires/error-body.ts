// The error inside a body, whatever it is wrapped in: servers nest it, write it as text inside
// JSON inside text, and gateways pack what the server behind them said into theirs.

import { asArray, asObject, asString, parseObject, type Json } from "./json.ts";

/** Gateways in front of gateways; nobody nests deeper. */
const MAX_DEPTH = 4;

/** The object that says what went wrong, with its reason as `message`. */
export function errorOf(body: Json): Json {
  return unwrapped(body, MAX_DEPTH);
}

function unwrapped(body: Json, depth: number): Json {
  const inner = asObject(body.error) ?? asObject(body.detail) ?? quoted(body.error);
  if (inner && depth > 0) {
    const found = unwrapped(inner, depth - 1);
    // What only the envelope has: a status, a request id.
    return { code: body.code, status: body.status, ...found };
  }
  return { ...body, message: reasonOf(body) };
}

/** An error that was sent as the text of another. */
function quoted(value: unknown): Json | undefined {
  const text = asString(value);
  return text?.startsWith("{") ? parseObject(text) : undefined;
}

function reasonOf(error: Json): string | undefined {
  return (
    asString(error.message) ??
    asString(error.error) ??
    asString(error.detail) ??
    asString(error.msg) ??
    listed(error.detail) ??
    listed(asObject(error.message)?.detail)
  );
}

/** FastAPI's list of what is wrong with a request. */
function listed(value: unknown): string | undefined {
  const reasons = asArray(value).flatMap((item) => asString(asObject(item)?.msg) ?? []);
  return reasons.length > 0 ? reasons.join("; ") : undefined;
}

/** What the server behind a gateway said, where the gateway passes it on. */
export function upstreamOf(error: Json): { body: Json; name: string | undefined } | undefined {
  const metadata = asObject(error.metadata);
  const raw = asString(metadata?.raw);
  if (!metadata || !raw) return undefined;
  const body = parseObject(raw) ?? { message: raw };
  return { body: errorOf(body), name: asString(metadata.provider_name) };
}
