// Whose words they are, as every front-end says it of what an extension asks, tells and keeps in sight. The word
// "extension" is Tau's own and always comes first: an extension may call itself like a tool, and still cannot
// look like a question or a notice of Tau's.

import { cleanLine } from "@tau/tui/components/clean-text";

/** Longer names say no more, and would push away what they stand before. */
const MAX_NAME_CHARS = 40;

/** `own`: a part of Tau itself, which needs no such word. */
export function senderName(from: string | undefined, own?: string): string {
  if (own !== undefined) return own;
  const name = shortName(from);
  return name === "" ? "an extension" : `extension ${name}`;
}

/** Without the word, if it stands before several. */
export function shortName(from = ""): string {
  const clean = cleanLine(from).trim();
  return clean.length > MAX_NAME_CHARS ? `${clean.slice(0, MAX_NAME_CHARS)}…` : clean;
}

/** Every line of it is seen to be theirs: the first has the name, the others stand below it. */
export function withSender(text: string, from: string | undefined, own?: string): string {
  return `${senderName(from, own)}: ${text.split("\n").join("\n  ")}`;
}
