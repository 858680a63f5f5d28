// Tool-call ids in a form that hosts of this wire take.

import { stableId } from "../stable-id.ts";

/** OpenAI refuses longer ones. */
const MAX_ID_CHARS = 40;
const MINTED_CHARS = 24;
const MISTRAL_ID_CHARS = 9;

/**
 * Visible ASCII passes as it is: hosts that number their calls with dots and colons want
 * them back so. What another wire joined with a bar keeps its first part.
 */
export function fitCallId(id: string): string {
  const bar = id.indexOf("|");
  const call = bar < 0 ? id : id.slice(0, bar);
  if (call.length <= MAX_ID_CHARS && /^[!-~]+$/.test(call)) return call;
  return `call_${stableId(id, MINTED_CHARS)}`;
}

export function mistralCallId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : stableId(id, MISTRAL_ID_CHARS);
}
