// Images as `data:` URLs, the way both OpenAI wires carry them.

import type { ImageBlock } from "../message.ts";
import { WireRequestError } from "../wire.ts";

const DATA_URL = /^data:([^;,]+);base64,(.*)$/s;

export function toDataUrl(image: ImageBlock): string {
  return `data:${image.mimeType};base64,${image.data}`;
}

/** A server of ours fetches nothing on a caller's behalf, so other URLs are refused. */
export function fromDataUrl(url: string): ImageBlock {
  const parts = DATA_URL.exec(url);
  if (!parts) throw new WireRequestError("images must be base64 data URLs");
  return { type: "image", mimeType: parts[1]!, data: parts[2]! };
}
