// A function call has two names on this wire: `call_id`, which its output refers to, and
// the id of the item that carries it. The neutral id is `<call_id>|<item_id>`, or the
// call id alone where there is no item id worth keeping.

import { stableId } from "../stable-id.ts";

const MAX_ID_CHARS = 64;
const MINTED_CHARS = 24;
const SAFE_ID = /^[A-Za-z0-9_-]+$/;
const ITEM_PREFIX = "fc_";

export interface CallIds {
  callId: string;
  itemId?: string;
}

export function joinCallId(callId: string, itemId: string | undefined): string {
  return itemId === undefined || itemId === "" ? callId : `${callId}|${itemId}`;
}

export function splitCallId(id: string): CallIds {
  const bar = id.lastIndexOf("|");
  return bar < 0 ? { callId: id } : { callId: id.slice(0, bar), itemId: id.slice(bar + 1) };
}

/** Any call id in a form that the vendor takes; the same input gives the same id. */
export function fitCallId(callId: string): string {
  if (isVendorId(callId)) return callId;
  return `call_${stableId(callId, MINTED_CHARS)}`;
}

/** Item ids of other hosts may look like anything; the vendor wants its own prefix. */
export function fitItemId(itemId: string): string {
  if (itemId.startsWith(ITEM_PREFIX) && isVendorId(itemId)) return itemId;
  return ITEM_PREFIX + stableId(itemId, MINTED_CHARS);
}

/** The item id a server of ours gives to a call that came without one. */
export function mintItemId(callId: string): string {
  return ITEM_PREFIX + stableId(`item of ${callId}`, MINTED_CHARS);
}

export function isVendorId(id: string): boolean {
  return id.length <= MAX_ID_CHARS && SAFE_ID.test(id);
}
