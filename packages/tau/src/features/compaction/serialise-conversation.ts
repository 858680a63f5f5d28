// A conversation as text to be summarised. What people and models said is whole; tool traffic,
// which is most of a session and the least of its meaning, is cut in the middle and says so.

import type { AssistantBlock, ImageBlock, Message, TextBlock } from "@tau/ai/message";

/** Characters. A result's beginning and end tell what it was; the file itself can be read again. */
const MAX_RESULT_CHARS = 2000;
const MAX_ARGUMENT_CHARS = 500;
const MAX_CALL_CHARS = 2000;
/** Thinking is the way to what was said, which is there in full. */
const MAX_THINKING_CHARS = 1000;
/** Most of what is cut is cut from the end: errors and names tend to come first. */
const HEAD_SHARE = 0.6;

export function serialiseMessages(messages: readonly Message[]): string {
  return messages
    .map(serialiseMessage)
    .filter((text) => text !== "")
    .join("\n\n");
}

export function serialiseMessage(message: Message): string {
  switch (message.role) {
    case "user":
      return `[User]: ${plain(message.content)}`;
    case "developer":
      return `[Application]: ${plain(message.content)}`;
    case "toolResult": {
      const kind = message.isError ? "Failed result" : "Result";
      return `[${kind} of ${message.toolName}]: ${cutMiddle(plain(message.content), MAX_RESULT_CHARS)}`;
    }
    case "assistant": {
      const parts = message.content.map(serialiseBlock).filter((text) => text !== "");
      if (message.error) parts.push(`[The reply failed]: ${message.error.kind}`);
      return parts.join("\n");
    }
  }
}

function serialiseBlock(block: AssistantBlock): string {
  switch (block.type) {
    case "text":
      return block.text.trim() === "" ? "" : `[Assistant]: ${block.text}`;
    case "thinking":
      return block.text.trim() === ""
        ? ""
        : `[Assistant, thinking]: ${cutMiddle(block.text, MAX_THINKING_CHARS)}`;
    case "toolCall": {
      const args = block.malformed ?? serialiseArguments(block.arguments);
      return `[Call]: ${block.name}(${cutMiddle(args, MAX_CALL_CHARS)})`;
    }
  }
}

function serialiseArguments(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([key, value]) => `${key}: ${cutMiddle(JSON.stringify(value) ?? "", MAX_ARGUMENT_CHARS)}`)
    .join(", ");
}

function plain(content: readonly (TextBlock | ImageBlock)[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "[image]")).join("\n");
}

/** At most `maxChars` of a text and a note about what is missing. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.ceil(maxChars * HEAD_SHARE);
  const tail = maxChars - head;
  const missing = text.length - maxChars;
  const cut = `${text.slice(0, head)} [… ${missing} characters left out …] ${text.slice(text.length - tail)}`;
  // The cut may have gone through a surrogate pair.
  return cut.toWellFormed();
}

/** Keeps what was said from closing the tag that it is quoted in. */
export function quoted(tag: string, text: string): string {
  const inside = text.replaceAll(new RegExp(`<(/?)${tag}`, "gi"), `<$1 ${tag}`);
  return `<${tag}>\n${inside}\n</${tag}>`;
}
