// Anthropic's cache markers on a Chat Completions body, for gateways in front of its
// models. Three of the four it allows: behind the tools, the instructions and the newest
// input, so that each turn reads what the last one wrote.

import { asArray, asObject, type Json } from "../json.ts";

const MARKER = { type: "ephemeral" };

export function addCacheMarkers(body: Json): void {
  const lastTool = asObject(asArray(body.tools).at(-1));
  if (lastTool) lastTool.cache_control = MARKER;
  const messages = asArray(body.messages).filter((m): m is Json => asObject(m) !== undefined);
  markLast(messages, (role) => role === "system" || role === "developer");
  markLast(messages, (role) => role === "user" || role === "tool");
}

/** Only a text part can carry a marker, so plain content becomes a list of one. */
function markLast(messages: Json[], wanted: (role: unknown) => boolean): void {
  const message = messages.findLast(({ role }) => wanted(role));
  if (!message) return;
  if (typeof message.content === "string") {
    message.content = [{ type: "text", text: message.content, cache_control: MARKER }];
    return;
  }
  const part = asArray(message.content)
    .map(asObject)
    .findLast((candidate) => candidate?.type === "text");
  if (part) part.cache_control = MARKER;
}
