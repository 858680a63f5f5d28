// From a command's words and images to a message. An image is what its bytes say, whatever it is called.

import type { ImageBlock, UserMessage } from "@tau/ai/message";
import { array, literal, optional, strictObject, string } from "valibot";
import { imageType } from "../../session/prompt-message.ts";
import { RpcError } from "./protocol.ts";

/** What is read of an image at all; it is scaled to the vendor's limits when it is sent. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const IMAGE = strictObject({ type: literal("image"), mimeType: string(), data: string() });

/** The fields of every command that says something to the model. */
export const SAID_FIELDS = { message: string(), images: optional(array(IMAGE)) } as const;

export interface Said {
  message: string;
  images?: { type: "image"; mimeType: string; data: string }[] | undefined;
}

/** Throws an `RpcError` where there is nothing in it, or no image where one should be. */
export function saidMessage({ message, images = [] }: Said): UserMessage {
  const content: UserMessage["content"] = images.map(imageBlock);
  if (message.trim() !== "") content.push({ type: "text", text: message });
  if (content.length === 0) {
    throw new RpcError("invalid", "message: it is empty; add text or an image");
  }
  return { role: "user", content, timestamp: Date.now() };
}

function imageBlock({ data }: { data: string }, at: number): ImageBlock {
  const where = `images[${at}].data`;
  if (!BASE64.test(data)) throw new RpcError("invalid", `${where}: expected base64`);
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > MAX_IMAGE_BYTES) {
    const megabytes = (bytes.length / 1024 / 1024).toFixed(1);
    throw new RpcError("invalid", `${where}: has ${megabytes} MB; send one of at most 20 MB`);
  }
  const mimeType = imageType(bytes);
  if (!mimeType) {
    throw new RpcError("invalid", `${where}: is not a PNG, JPEG, GIF or WebP image`);
  }
  return { type: "image", mimeType, data };
}
