// What one request carries as a credential, and how it is kept out of what is told about the reply.
// Servers repeat the key that they refuse; an error is logged, printed and pasted into bug reports.

import type { ModelFailure } from "./error.ts";

/** In the place of a credential that a server repeated. */
const HIDDEN = "[credential hidden]";
/** Shorter ones are placeholders for servers that want any key ("none", "ollama"), and ordinary words. */
const MIN_CHARS = 8;
/** Headers whose value lets whoever has it in. The others are names and versions. */
const SECRET_HEADER = /authorization|cookie|key|token|secret|credential|password/i;
/** The same for what goes with an address or a form. */
const SECRET_PARAMETER = /^(?:key|sig|code|assertion|webidentitytoken)$|token|secret|password/i;
/** `Bearer …`: the scheme is not a secret, and a server may repeat only what follows it. */
const SCHEME = /^[A-Za-z]+\s+(?=\S)/;

export class SentSecrets {
  readonly #texts = new Set<string>();
  readonly #plain: ReadonlySet<string>;

  /** `plain` are words that are not secret even if they are sent as a key: a provider's name. */
  constructor(plain: readonly string[] = []) {
    this.#plain = new Set(plain);
  }

  add(secret: string | undefined): void {
    const text = secret?.trim() ?? "";
    if (text.length < MIN_CHARS || this.#plain.has(text)) return;
    this.#texts.add(text);
    this.#texts.add(encodeURIComponent(text));
    // As it stands inside the text of a JSON string.
    this.#texts.add(JSON.stringify(text).slice(1, -1));
  }

  addHeaders(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) {
      if (!SECRET_HEADER.test(name)) continue;
      this.add(value);
      this.add(value.replace(SCHEME, ""));
    }
  }

  addParameters(parameters: URLSearchParams): void {
    for (const [name, value] of parameters) if (SECRET_PARAMETER.test(name)) this.add(value);
  }

  hide(text: string): string {
    // The longest first: one secret may be a part of another.
    const longestFirst = [...this.#texts].toSorted((a, b) => b.length - a.length);
    return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  }

  hideIn(failure: ModelFailure): ModelFailure {
    const { message, code, requestId } = failure;
    const hidden: ModelFailure = { ...failure, message: this.hide(message) };
    if (code !== undefined) hidden.code = this.hide(code);
    if (requestId !== undefined) hidden.requestId = this.hide(requestId);
    return hidden;
  }
}
