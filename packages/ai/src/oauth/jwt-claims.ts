// What a vendor's token says about its owner. Nothing is verified: the token came from the
// vendor's own endpoint a moment ago, and only the vendor relies on it.

import { parseObject, type Json } from "../wires/json.ts";

export function claimsOf(token: string | undefined): Json | undefined {
  const payload = token?.split(".")[1];
  if (!payload) return undefined;
  const text = decode(payload);
  return text === undefined ? undefined : parseObject(text);
}

function decode(base64Url: string): string | undefined {
  try {
    const binary = atob(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
  } catch (error) {
    // Opaque tokens may have dots too.
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
