// How long a refusal asks to wait, where its body says so: in a field, or only in words.

import { boundedMs, DURATION, durationMs, limitResetMs, waitUntil } from "../asked-wait.ts";
import { asArray, asNumber, asObject, asString, type Json } from "./json.ts";

const RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";
/** Vendors say it early; what comes after may be the request, repeated. */
const REASON_CHARS = 600;

/** "Please try again in 6m0s", "retry after 12 seconds", "wait 20 s", "resets in 3 hours". */
const ASKED = new RegExp(
  "\\b(?:try(?:ing)? again|retry(?:ing)?(?: your request)?|wait(?:ing)?|resets?|available(?: again)?)" +
    `(?: in| after| for)?(?: at least| about| approximately)? (${DURATION})`,
  "i",
);

/** From the fields of an error object. */
export function waitOfError(error: Json): number | undefined {
  return (
    retryInfoMs(error) ??
    preciseMs(error.retry_after_ms) ??
    waitUntil(textOf(error.retry_after)) ??
    passedOnMs(error)
  );
}

/** From its words. */
export function waitInWords(message: string): number | undefined {
  const asked = ASKED.exec(message.slice(0, REASON_CHARS));
  return asked ? durationMs(asked[1]!) : undefined;
}

/** Google's, also from whoever passes its errors on. A protobuf duration. */
function retryInfoMs(error: Json): number | undefined {
  for (const item of asArray(error.details)) {
    const detail = asObject(item);
    const isInfo = detail?.["@type"] === RETRY_INFO || detail?.["@type"] === undefined;
    const wait = isInfo ? durationMs(asString(detail?.retryDelay) ?? "") : undefined;
    if (wait !== undefined) return wait;
  }
  return durationMs(asString(error.retryDelay) ?? "");
}

function preciseMs(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : boundedMs(number);
}

function textOf(value: unknown): string | null {
  return asString(value) ?? asNumber(value)?.toString() ?? null;
}

/** A gateway's headers about the limit, in its body. */
function passedOnMs(error: Json): number | undefined {
  const headers = new Headers();
  for (const [name, value] of Object.entries(asObject(asObject(error.metadata)?.headers) ?? {})) {
    const text = textOf(value);
    // A foreign name or value may be none that a header could have.
    if (text !== null && /^[\w-]+$/.test(name) && /^[ -~]*$/.test(text)) headers.set(name, text);
  }
  return limitResetMs(headers);
}
