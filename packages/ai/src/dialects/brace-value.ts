// The value syntax of Gemma 4: JSON's shapes with bare keys and a token for a quote.
// There is no escape, so what a string holds is exactly what stands between two quotes.

export const QUOTE = '<|"|>';

/** Deeper nesting is an accident or an attack. */
const MAX_DEPTH = 100;
const BARE_KEY = /^\w+$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function renderBraceValue(value: unknown): string {
  if (typeof value === "string") return renderString(value);
  if (Array.isArray(value)) return `[${value.map(renderBraceValue).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return renderEntries(Object.entries(value), (_key, one) => renderBraceValue(one));
}

/** The same for a JSON schema, whose type names are in capitals here. */
export function renderBraceSchema(schema: unknown): string {
  if (Array.isArray(schema)) return `[${schema.map(renderBraceSchema).join(",")}]`;
  if (typeof schema !== "object" || schema === null) return renderBraceValue(schema);
  return renderEntries(Object.entries(schema), (key, one) => {
    if (key !== "type") return renderBraceSchema(one);
    if (typeof one === "string") return renderString(one.toUpperCase());
    if (!Array.isArray(one)) return renderBraceSchema(one);
    return renderBraceValue(one.map((type) => String(type).toUpperCase()));
  });
}

function renderEntries(
  entries: readonly [string, unknown][],
  render: (key: string, value: unknown) => string,
): string {
  const parts = entries.map(([key, value]) => {
    return `${BARE_KEY.test(key) ? key : renderString(key)}:${render(key, value)}`;
  });
  return `{${parts.join(",")}}`;
}

function renderString(text: string): string {
  return QUOTE + text.replaceAll(QUOTE, `&lt;${QUOTE.slice(1)}`) + QUOTE;
}

/** The object of a text that is one object and nothing else; undefined where it is not. */
export function parseBraceObject(text: string): Record<string, unknown> | undefined {
  const reader = new BraceReader(text);
  const value = reader.value(0);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && reader.isAtEnd ? (value as Record<string, unknown>) : undefined;
}

/** Undefined stands for "not well formed" throughout: no value of the syntax is undefined. */
class BraceReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    this.#skipBlanks();
    return this.#at === this.#text.length;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) return undefined;
    if (this.#accept(QUOTE)) return this.#string();
    if (this.#accept("[")) return this.#list(depth);
    if (this.#accept("{")) return this.#object(depth);
    return this.#bare();
  }

  #string(): string | undefined {
    const end = this.#text.indexOf(QUOTE, this.#at);
    if (end < 0) return undefined;
    const text = this.#text.slice(this.#at, end);
    this.#at = end + QUOTE.length;
    return text;
  }

  #list(depth: number): unknown[] | undefined {
    const items: unknown[] = [];
    while (!this.#accept("]")) {
      const item = this.value(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#accept(",")) return this.#accept("]") ? items : undefined;
    }
    return items;
  }

  #object(depth: number): Record<string, unknown> | undefined {
    const entries: [string, unknown][] = [];
    while (!this.#accept("}")) {
      const key = this.#accept(QUOTE) ? this.#string() : this.#run(/[^:,{}[\]<]*/y);
      if (key === undefined || !this.#accept(":")) return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.push([key, value]);
      if (!this.#accept(",")) return this.#accept("}") ? Object.fromEntries(entries) : undefined;
    }
    return Object.fromEntries(entries);
  }

  /** A word without quotes is a string unless it is something else. */
  #bare(): unknown {
    const text = this.#run(/[^,{}[\]<]*/y);
    if (text === undefined) return undefined;
    if (text === "true" || text === "True") return true;
    if (text === "false" || text === "False") return false;
    if (text === "null" || text === "none" || text === "None") return null;
    return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
  }

  #run(pattern: RegExp): string | undefined {
    this.#skipBlanks();
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += text.length;
    return text.trim() === "" ? undefined : text.trim();
  }

  #accept(token: string): boolean {
    this.#skipBlanks();
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #skipBlanks(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}
