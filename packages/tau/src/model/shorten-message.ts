// A message that is too long for its model, as it is sent: its beginning and its end, and between them how
// much was left out and where the whole is. Only what is sent is changed; the session keeps the original.

import type { ImageBlock, Message, TextBlock } from "@tau/ai/message";
import { messageTokens, textTokens, TOKENS_PER_IMAGE } from "../base/message-tokens.ts";

/** What was asked or done first says more than how it ended. */
const HEAD_SHARE = 2 / 3;
/** Of a message with pictures; the rest is for its words. */
const IMAGE_SHARE = 1 / 2;

type Said = Exclude<Message, { role: "assistant" }>;
type Block = TextBlock | ImageBlock;

/** What a model itself said and called stays as it was: vendors sign it, and it is never that long. */
export function isShortenable(message: Message): message is Said {
  return message.role !== "assistant";
}

/** At about `tokens`, without the marks. `whole`: where all of it can be read. */
export function shortenMessage(message: Said, tokens: number, whole: string): Message {
  if (messageTokens(message) <= tokens) return message;
  const blocks = message.content as readonly Block[];
  const images = blocks.filter((block) => block.type === "image").length;
  const shown = Math.min(images, Math.floor((tokens * IMAGE_SHARE) / TOKENS_PER_IMAGE));
  const texts = blocks.flatMap((block) => (block.type === "text" ? [textTokens(block.text)] : []));
  const most = levelFor(texts, tokens - shown * TOKENS_PER_IMAGE);
  let seen = 0;
  const content = blocks.map((block): Block => {
    if (block.type === "text") return { type: "text", text: shortenText(block.text, most, whole) };
    if (seen++ < shown) return block;
    const text = `[image: ${block.name ?? block.mimeType}; left out, because the conversation would not fit]`;
    return { type: "text", text };
  });
  return { ...message, content } as Message;
}

function shortenText(text: string, tokens: number, whole: string): string {
  const all = textTokens(text);
  if (all <= tokens) return text;
  const kept = Math.max(0, Math.floor((text.length * tokens) / all));
  const head = Math.ceil(kept * HEAD_SHARE);
  const missing = text.length - kept;
  const mark = `[… ${missing.toLocaleString("en")} characters (about ${(all - tokens).toLocaleString("en")} tokens) are left out here: this is too long for the model's context window. The whole is in ${whole}. …]`;
  const tail = text.slice(text.length - (kept - head));
  // The cut may have gone through a surrogate pair.
  return `${text.slice(0, head)}\n\n${mark}\n\n${tail}`.toWellFormed();
}

/** The largest size to which all that is larger can be cut so that the sum is at most `total`. */
export function levelFor(sizes: readonly number[], total: number): number {
  let left = total;
  const sorted = [...sizes].sort((one, other) => one - other);
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.max(0, Math.floor(share));
    left -= size;
  }
  return Infinity;
}
