// Headers that follow from the request itself, for hosts whose rows ask for them.

import type { ModelRequest } from "./request.ts";

export function headersOfRequest({
  model,
  messages,
  cacheKey,
}: ModelRequest): Record<string, string> {
  const { sessionHeader, initiatorHeader } = model.quirks ?? {};
  const headers: Record<string, string> = {};
  // Keeps a session at one machine of the host, where its prompt is cached.
  if (typeof sessionHeader === "string" && cacheKey !== undefined)
    headers[sessionHeader] = cacheKey;
  // Plans that count requests count what a user asked for, not what an agent does about it.
  if (typeof initiatorHeader === "string") {
    headers[initiatorHeader] = messages.at(-1)?.role === "user" ? "user" : "agent";
  }
  return headers;
}
