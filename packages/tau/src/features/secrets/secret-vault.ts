// Turns secrets into placeholders and placeholders back into secrets. The same secret has the same
// placeholder in every session of the user, so that a conversation stays the same to a cache, and
// nothing can be told from it.

import type { Redactor } from "../../base/redactor.ts";
import type { SecretEntry } from "../../config/secret-entry.ts";
import { mapArguments, mapStrings } from "./map-strings.ts";
import { openPrefix, SecretPattern } from "./open-secret.ts";

const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const PLACEHOLDER_LETTERS = 8;
const PLACEHOLDER = /#[A-HJ-NP-Z2-9]{8}#/g;

export class SecretVault implements Redactor {
  readonly #plain: RegExp | undefined;
  readonly #values: readonly string[];
  readonly #patterns: readonly SecretPattern[];
  readonly #fixed = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  readonly #key: string;

  /** `key` is the user's own: without it placeholders could be guessed from guessed secrets. */
  constructor(entries: readonly SecretEntry[], key: string) {
    this.#key = key;
    const values = entries.filter((entry) => entry.value !== undefined);
    // The longest first: a secret may stand inside of another one.
    const sorted = values.toSorted((a, b) => b.value!.length - a.value!.length);
    for (const { value, replacement } of sorted) {
      if (this.#fixed.has(value!)) continue;
      // Known in any case: in the arguments of a call even what is hidden for good has one.
      const placeholder = this.#placeholder(value!);
      this.#fixed.set(value!, replacement ? this.#forGood(value!, replacement) : placeholder);
    }
    this.#values = [...this.#fixed.keys()];
    const words = this.#values.map((value) => RegExp.escape(value));
    this.#plain = words.length === 0 ? undefined : new RegExp(words.join("|"), "g");
    this.#patterns = entries
      .filter((entry) => entry.pattern !== undefined)
      .map((entry) => new SecretPattern(entry.pattern!, entry.replacement));
  }

  hide(text: string): string {
    return this.#replace(text, "as the user wants it");
  }

  hideIn<T>(value: T): T {
    return mapStrings(value, (text) => this.hide(text));
  }

  hideInArguments<T>(value: T): T {
    return mapArguments(value, (text) => this.#replace(text, "to be restored"));
  }

  openFrom(text: string): number {
    let cut = openPrefix(text, this.#values);
    for (const pattern of this.#patterns) cut = Math.min(cut, pattern.openFrom(text));
    // No secret that is there is cut in two; they may overlap.
    const spans = this.#spans(text);
    for (let at = 0; at < spans.length; at++) {
      const [from, to] = spans[at]!;
      if (from >= cut || to <= cut) continue;
      cut = from;
      at = -1;
    }
    return cut;
  }

  /** Only of secrets that are known here. */
  restore(text: string): string {
    if (!text.includes("#")) return text;
    return text.replace(
      PLACEHOLDER,
      (placeholder) => this.#secrets.get(placeholder) ?? placeholder,
    );
  }

  restoreIn<T>(value: T): T {
    return mapArguments(value, (text) => this.restore(text));
  }

  #replace(text: string, how: "as the user wants it" | "to be restored"): string {
    const isKept = how === "to be restored";
    let hidden = text;
    if (this.#plain) {
      hidden = text.replace(this.#plain, (value) =>
        isKept ? this.#placeholder(value) : this.#fixed.get(value)!,
      );
    }
    for (const { pattern, replacement } of this.#patterns) {
      const own = this.#placeholders(hidden);
      hidden = replaceMatches(hidden, pattern, (value, [from, to]) => {
        // What stands for a secret is none, whatever a pattern thinks of its letters.
        if (value === "" || own.some((one) => one[0] <= from && to <= one[1])) return value;
        // As a whole: one that was hidden inside of it comes back with it.
        const whole = this.restore(value);
        return replacement && !isKept
          ? this.#forGood(whole, replacement)
          : this.#placeholder(whole);
      });
    }
    return hidden;
  }

  #spans(text: string): [number, number][] {
    const matchers = this.#patterns.map(({ pattern }) => pattern);
    if (this.#plain) matchers.push(this.#plain);
    return matchers.flatMap((matcher) => [...text.matchAll(matcher)].map(spanOf));
  }

  #placeholders(text: string): [number, number][] {
    if (!text.includes("#")) return [];
    const known = [...text.matchAll(PLACEHOLDER)].filter(([found]) => this.#secrets.has(found));
    return known.map(spanOf);
  }

  #forGood(secret: string, { text }: NonNullable<SecretEntry["replacement"]>): string {
    return text ?? this.#letters(`one way ${secret}`, secret.length);
  }

  #placeholder(secret: string): string {
    for (let attempt = 0; ; attempt++) {
      const placeholder = `#${this.#letters(`${attempt} ${secret}`, PLACEHOLDER_LETTERS)}#`;
      const owner = this.#secrets.get(placeholder);
      if (owner !== undefined && owner !== secret) continue;
      this.#secrets.set(placeholder, secret);
      return placeholder;
    }
  }

  #letters(seed: string, length: number): string {
    let letters = "";
    for (let block = 0; letters.length < length; block++) {
      const bytes = new Bun.CryptoHasher("sha256", this.#key).update(`${block} ${seed}`).digest();
      for (const byte of bytes) letters += LETTERS[byte % LETTERS.length];
    }
    return letters.slice(0, length);
  }
}

function spanOf(match: RegExpExecArray): [number, number] {
  return [match.index, match.index + match[0].length];
}

function replaceMatches(
  text: string,
  pattern: RegExp,
  change: (value: string, span: readonly [number, number]) => string,
): string {
  let out = "";
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const [from, to] = spanOf(match);
    out += text.slice(at, from) + change(match[0], [from, to]);
    at = to;
  }
  return at === 0 ? text : out + text.slice(at);
}
