// Token counts for a model that has no tokens: an estimate, so that the meters which
// users see work offline too. Deterministic, and linear without serialising anything big.

import type { Message } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";

/** The usual rule of thumb for English and code. */
const CHARACTERS_PER_TOKEN = 4;

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

export function requestTokens(request: ModelRequest): number {
  let characters = 0;
  for (const block of request.system) characters += block.length;
  for (const tool of request.tools) characters += tool.name.length + tool.description.length;
  for (const message of request.messages) characters += charactersOf(message);
  return estimateTokens(characters);
}

function charactersOf(message: Message): number {
  let characters = 0;
  for (const block of message.content) {
    if (block.type === "text" || block.type === "thinking") characters += block.text.length;
    else if (block.type === "toolCall") characters += JSON.stringify(block.arguments).length;
  }
  return characters;
}
