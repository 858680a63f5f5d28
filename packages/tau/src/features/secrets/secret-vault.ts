// Turns secrets into placeholders and placeholders back into secrets. The same secret has the same
// placeholder in every session of the user, so that a conversation stays the same to a cache, and
// nothing can be told from it.

import type { SecretEntry } from "../../config/secret-entry.ts";

const LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const PLACEHOLDER_LETTERS = 8;
const PLACEHOLDER = /#[A-HJ-NP-Z2-9]{8}#/g;
/** A pattern may find anything; what it may find at most is a line or two. */
const PATTERN_REACH = 4096;

export class SecretVault {
  readonly #plain: RegExp | undefined;
  readonly #patterns: readonly SecretEntry[];
  readonly #fixed = new Map<string, string>();
  readonly #secrets = new Map<string, string>();
  readonly #key: string;
  /** Characters that a secret may be long. */
  readonly reach: number;

  /** `key` is the user's own: without it placeholders could be guessed from guessed secrets. */
  constructor(entries: readonly SecretEntry[], key: string) {
    this.#key = key;
    const values = entries.filter((entry) => entry.value !== undefined);
    // The longest first: a secret may stand inside of another one.
    const sorted = values.toSorted((a, b) => b.value!.length - a.value!.length);
    for (const { value, replacement } of sorted) {
      if (this.#fixed.has(value!)) continue;
      this.#fixed.set(value!, this.#standIn(value!, replacement));
    }
    const words = [...this.#fixed.keys()].map((value) => RegExp.escape(value));
    this.#plain = words.length === 0 ? undefined : new RegExp(words.join("|"), "g");
    this.#patterns = entries.filter((entry) => entry.pattern !== undefined);
    const longest = Math.max(0, ...[...this.#fixed.keys()].map((value) => value.length));
    this.reach = Math.max(longest, this.#patterns.length > 0 ? PATTERN_REACH : 0);
  }

  get isEmpty(): boolean {
    return this.reach === 0;
  }

  hide(text: string): string {
    let hidden = this.#plain ? text.replace(this.#plain, (value) => this.#fixed.get(value)!) : text;
    for (const { pattern, replacement } of this.#patterns) {
      hidden = hidden.replace(pattern!, (value) =>
        value === "" ? "" : this.#standIn(value, replacement),
      );
    }
    return hidden;
  }

  /** Where secrets stand, from and to; for cutting a text without cutting one of them. */
  spans(text: string): [number, number][] {
    const matchers = [
      ...(this.#plain ? [this.#plain] : []),
      ...this.#patterns.map(({ pattern }) => pattern!),
    ];
    return matchers.flatMap((matcher) =>
      [...text.matchAll(matcher)].map((match): [number, number] => [
        match.index,
        match.index + match[0].length,
      ]),
    );
  }

  /** Only of secrets that are known here. */
  restore(text: string): string {
    if (!text.includes("#")) return text;
    return text.replace(
      PLACEHOLDER,
      (placeholder) => this.#secrets.get(placeholder) ?? placeholder,
    );
  }

  hideIn<T>(value: T): T {
    return mapStrings(value, (text) => this.hide(text));
  }

  restoreIn<T>(value: T): T {
    return mapStrings(value, (text) => this.restore(text));
  }

  #standIn(secret: string, replacement: SecretEntry["replacement"]): string {
    if (replacement) return replacement.text ?? this.#letters(`one way ${secret}`, secret.length);
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

/** The same value where nothing changed, so that what is kept by identity stays. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const mapped = value.map((item) => mapStrings(item, change));
    return (mapped.some((item, at) => item !== value[at]) ? mapped : value) as T;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const mapped: unknown = mapStrings(item, change);
    if (mapped === item) continue;
    changed ??= { ...(value as Record<string, unknown>) };
    changed[key] = mapped;
  }
  return (changed ?? value) as T;
}
