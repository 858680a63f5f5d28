// Whether words have a secret in them: then they are not written to the settings. Known by its value, if
// a variable of the environment keeps it under a telling name, or by its look. Too much only means that
// one cannot say "always".

import type { Environment } from "@tau/ai/environment";
import { isSecretVariable } from "@tau/host/shell-line/secret-variable";

/** Shorter values stand in ordinary words as well. */
const MIN_VALUE_CHARS = 6;

const LOOKS: readonly RegExp[] = [
  // Keys and tokens that begin with a sign of who gave them.
  /\b(?:sk|pk|rk)[-_][\w-]{16,}/,
  /\bgh[opsur]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{16,}/,
  /\bxox[abeprs]-[\w-]{10,}|\bnpm_\w{20,}|\bhf_\w{16,}|\bpypi-[\w-]{16,}|\bdop_v1_\w{16,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // What is said to be one; a variable in its place is not.
  /\b(?:bearer|basic|token)\s+(?!\$)[\w.~+/=-]{12,}/i,
  /(?:token|passw(?:or)?d|secret|api[-_]?key|access[-_]?key)["']?\s*[=:]\s*["']?(?![$\s"'])[^\s"'&]{6,}/i,
  /--(?:password|token|secret|api-key)[= ]["']?(?![$\s"'-])[^\s"']{6,}/i,
  /:\/\/[^\s/:@$]*:(?!\$)[^\s/@]+@/,
];

export function holdsSecret(text: string, env: Environment): boolean {
  return LOOKS.some((look) => look.test(text)) || hasValueOf(text, env);
}

function hasValueOf(text: string, env: Environment): boolean {
  return Object.entries(env).some(
    ([name, value = ""]) =>
      value.length >= MIN_VALUE_CHARS && isSecretVariable(name) && text.includes(value),
  );
}
