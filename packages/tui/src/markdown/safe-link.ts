// Clickable text. The address comes from a model or a web page: it must not be able to end
// the sequence or name a scheme that runs something.

import type { Paint } from "../theme/theme.ts";
import { hyperlink } from "../width.ts";

const SAFE_SCHEMES = /^(https?:\/\/|mailto:|file:\/\/)/i;
/** Terminals cut or refuse longer ones. */
const MAX_URL_CHARS = 2_000;

/** The address as it may stand in the sequence; undefined where it may not. */
export function safeUrl(url: string): string | undefined {
  if (url.length > MAX_URL_CHARS || !SAFE_SCHEMES.test(url)) return undefined;
  const encoded = url.replace(/[^\x21-\x7e]/gu, (char) => encodeURIComponent(char.toWellFormed()));
  return encoded.length <= MAX_URL_CHARS ? encoded : undefined;
}

/** Makes text lead to a safe address. */
export const linkTo =
  (url: string): Paint =>
  (text) =>
    text === "" ? "" : hyperlink(text, url);
