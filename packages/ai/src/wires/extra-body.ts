// Fields that a user adds to every request of a host. They may tune the request but not
// become it: what the encoder derives from the conversation stays the encoder's.

import { asObject, type Json } from "./json.ts";

const PROTECTED = new Set(["model", "messages", "input", "stream", "tools", "tool_choice"]);

/** Objects merge key by key, so that an addition does not throw away what it adds to. */
export function addExtraBody(body: Json, extra: Json | undefined): void {
  if (!extra) return;
  for (const [key, value] of Object.entries(extra)) {
    if (PROTECTED.has(key)) continue;
    const mine = asObject(body[key]);
    const theirs = asObject(value);
    body[key] = mine && theirs ? { ...mine, ...theirs } : value;
  }
}
