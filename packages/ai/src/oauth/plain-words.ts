// A vendor's words as they may be shown: one line, not long, without what would steer a
// terminal, and without the secrets that were sent.

/** Enough to act on. */
const MAX_CHARS = 200;

export function plainWords(text: string, secrets: readonly string[] = []): string {
  let words = text;
  for (const secret of secrets) if (secret) words = words.replaceAll(secret, "…");
  words = words.replaceAll(/[\x00-\x1f\x7f-\x9f\s]+/g, " ").trim();
  return words.length > MAX_CHARS ? `${words.slice(0, MAX_CHARS)}…` : words;
}
