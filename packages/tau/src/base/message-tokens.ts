// What a message weighs, estimated: no tokenizer knows every model, and loading one costs
// more than it tells. Each message is weighed once; whoever needs to be exact corrects the
// sum by what the last reply was measured at (features/compaction/estimate-tokens.ts).

import type { Message } from "@tau/ai/message";
import type { ToolSpec } from "@tau/ai/request";

/** English and code come to about four characters a token in every tokenizer of note. */
const TOKENS_PER_ASCII_CHARACTER = 1 / 4;
/** Accented Latin, Greek, Cyrillic, Hebrew, Arabic: about two characters a token. */
const TOKENS_PER_ALPHABETIC_CHARACTER = 1 / 2;
/** Chinese, Japanese, Korean and symbols: a token each; a surrogate pair counts as two. */
const TOKENS_PER_OTHER_CHARACTER = 1;
const FIRST_NON_ASCII = 0x80;
const FIRST_BEYOND_ALPHABETS = 0x800;

/** What vendors charge for an image of about a megapixel. */
export const TOKENS_PER_IMAGE = 1600;
/** Role, separators and ids around the content. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_TOOL_CALL = 12;

/** Messages are never changed, so that each is weighed once however often it is sent. */
const known = new WeakMap<Message, number>();

export function textTokens(text: string): number {
  let ascii = 0;
  let alphabetic = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < FIRST_NON_ASCII) ascii++;
    else if (code < FIRST_BEYOND_ALPHABETS) alphabetic++;
  }
  const other = text.length - ascii - alphabetic;
  return Math.ceil(
    ascii * TOKENS_PER_ASCII_CHARACTER +
      alphabetic * TOKENS_PER_ALPHABETIC_CHARACTER +
      other * TOKENS_PER_OTHER_CHARACTER,
  );
}

export function messageTokens(message: Message): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  let tokens = TOKENS_PER_MESSAGE;
  for (const block of message.content) {
    switch (block.type) {
      case "text":
        tokens += textTokens(block.text);
        break;
      case "thinking":
        // Withheld thinking is sent back as the bytes it came in.
        tokens += textTokens(block.text === "" ? (block.opaque?.data ?? "") : block.text);
        break;
      case "toolCall":
        tokens += TOKENS_PER_TOOL_CALL + textTokens(block.name);
        tokens += textTokens(block.malformed ?? JSON.stringify(block.arguments));
        break;
      case "image":
        tokens += TOKENS_PER_IMAGE;
        break;
    }
  }
  known.set(message, tokens);
  return tokens;
}

export function messagesTokens(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) tokens += messageTokens(message);
  return tokens;
}

/** What goes with every request besides the conversation. */
export function overheadTokens(system: readonly string[], tools: readonly ToolSpec[]): number {
  let tokens = 0;
  for (const block of system) tokens += textTokens(block);
  for (const { name, description, parameters } of tools) {
    tokens += textTokens(name) + textTokens(description) + textTokens(JSON.stringify(parameters));
  }
  return tokens;
}
