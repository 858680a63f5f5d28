// Tool-call ids as the vendor wants them: of a narrow alphabet, short, and used once in
// a conversation. Other vendors' ids are mapped by their own text and their order alone,
// so the same history gives the same ids in every request.

import { stableId, uniqueIds } from "../stable-id.ts";

const VALID = /^[a-zA-Z0-9_-]{1,64}$/;
/** What stays readable of a foreign id; with the hash it fits into the vendor's 64. */
const KEPT_CHARS = 40;
const HASH_CHARS = 16;

export function createToolIds(): (id: string) => string {
  return uniqueIds(fitToolId);
}

/** The hash keeps ids apart which differ only in what is cut or replaced. */
function fitToolId(id: string): string {
  if (VALID.test(id)) return id;
  const kept = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, KEPT_CHARS);
  return `${kept}_${stableId(id, HASH_CHARS)}`;
}
