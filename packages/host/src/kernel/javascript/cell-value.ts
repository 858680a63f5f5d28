// What a JavaScript value looks like: as text for the model, and as a picture, Markdown or JSON
// where it is one.

import type { MimeBundle } from "../kernel-frame.ts";

/** Of one value as text. Whoever wants more prints it, and finds it in the output's artifact. */
const MAX_TEXT = 1_000_000;
/** Of one value as JSON; beyond, text alone has to do. */
const MAX_JSON = 1_000_000;
/** Of one picture, in base64. */
const MAX_IMAGE = 28 * 1024 * 1024;
const DEPTH = 4;

/** The value of a last expression. */
export function valueBundle(value: unknown): MimeBundle {
  return { "text/plain": inspected(value) };
}

/** For `display`: text as it is, structures as JSON too. */
export function displayBundle(value: unknown): MimeBundle {
  if (typeof value === "string") return { "text/plain": bounded(value) };
  if (typeof value !== "object" || value === null) return valueBundle(value);
  const typed = value as { type?: unknown; data?: unknown; mimeType?: unknown; text?: unknown };
  if (typed.type === "image" && typeof typed.mimeType === "string") {
    return pictureBundle(typed.mimeType, typed.data);
  }
  if (typed.type === "markdown" && typeof typed.text === "string") {
    return { "text/markdown": bounded(typed.text) };
  }
  const json = asJson(value);
  return json === undefined
    ? valueBundle(value)
    : { "application/json": json, "text/plain": inspected(value) };
}

function pictureBundle(mimeType: string, data: unknown): MimeBundle {
  const encoded =
    data instanceof Uint8Array
      ? Buffer.from(data).toString("base64")
      : typeof data === "string"
        ? data.replace(/^data:[^,]*,/, "")
        : undefined;
  if (encoded === undefined) return { "text/plain": "[an image without data]" };
  if (encoded.length > MAX_IMAGE) return { "text/plain": "[an image that is too large to show]" };
  return { [mimeType]: encoded, "text/plain": "" };
}

function asJson(value: object): unknown {
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain && Object.getPrototypeOf(value) !== null) return undefined;
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > MAX_JSON ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    // Circles and big integers are no JSON; text can show them.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function inspected(value: unknown): string {
  try {
    return bounded(Bun.inspect(value, { colors: false, depth: DEPTH }));
  } catch (error) {
    return `[a value that cannot be shown: ${String(error)}]`;
  }
}

function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const half = MAX_TEXT / 2;
  const cut = text.length - 2 * half;
  return `${text.slice(0, half)}\n[… ${cut} characters left out …]\n${text.slice(-half)}`;
}
