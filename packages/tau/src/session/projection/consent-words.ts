// What became of a question about a call, in words.

import { note, type Consent } from "./block.ts";

const WORDS: Readonly<Record<NonNullable<Consent["scope"]>, string>> = {
  once: "Allowed once",
  session: "Allowed for this session",
  always: "Allowed from now on",
  everywhere: "Allowed from now on, in every project",
  edits: "Allowed, with all edits in this session",
};

export function consentWords({ allowed, scope }: Consent): string {
  if (!allowed) return "Refused";
  return WORDS[scope ?? "once"] ?? WORDS.once;
}

/** For a call of a program: the conversation has no block of it. */
export function consentNote({ consent, about }: { consent: Consent; about: string }) {
  return note(`${consentWords(consent)}: ${about}`, consent.allowed ? "plain" : "warning");
}
