// Gemini may call a function without giving the call an id. Everything else here goes by
// ids, so such a call gets one that can be told from the model's own, because only those
// are sent back.

const MINTED_PREFIX = "minted_";

export function mintCallId(): string {
  return MINTED_PREFIX + crypto.randomUUID().replaceAll("-", "");
}

export function isMinted(id: string): boolean {
  return id.startsWith(MINTED_PREFIX);
}
