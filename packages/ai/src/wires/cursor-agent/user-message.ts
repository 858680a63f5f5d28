// What the user said, as the service wants it told. Its ids depend on its words and place alone, so
// that the same conversation has the same blobs each time.

import { createHash } from "node:crypto";
import type { PromptMessage } from "./agent-body.ts";
import type { USER_MESSAGE } from "./messages.ts";
import type { Value } from "./protobuf.ts";

type UserMessage = Extract<PromptMessage, { role: "user" }>;

export function userMessage({ content }: UserMessage, place: number): Value<typeof USER_MESSAGE> {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const images = content.flatMap((part) => {
    if (part.type !== "image") return [];
    const data = Buffer.from(part.image.slice(part.image.indexOf(",") + 1), "base64");
    const uuid = uuidOf(`${place} ${part.image}`);
    return [{ uuid, mimeType: part.mediaType, data: new Uint8Array(data) }];
  });
  const id = uuidOf(`${place} ${text}`);
  return { text, id, context: images.length > 0 ? { images } : undefined };
}

/** In the form of a random one. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join("-");
}
