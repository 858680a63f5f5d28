// What became of a question about a call, in words.

import { note, type Consent } from "./block.ts";

export function consentWords({ allowed, scope }: Consent): string {
  if (!allowed) return "Refused";
  if (scope === "session") return "Allowed for this session";
  return scope === "always" ? "Allowed from now on" : "Allowed once";
}

/** For a call of a program: the conversation has no block of it. */
export function consentNote({ consent, about }: { consent: Consent; about: string }) {
  return note(`${consentWords(consent)}: ${about}`, consent.allowed ? "plain" : "warning");
}
