// Reads JSON that is still arriving: objects and arrays have what has come of them, and a string
// ends where the text ends. What can no longer become JSON ends the reading where it stands.

/** Arguments of tools are flat; deeper text is no tool's. */
const MAX_DEPTH = 32;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /\s*/y;
const WORDS: readonly [string, boolean | null][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Undefined where nothing has come yet. */
export function parsePartialJson(text: string): unknown {
  return new PartialReader(text).value(0);
}

class PartialReader {
  readonly #text: string;
  #at = 0;
  /** The text ended, or stopped being JSON, in the middle of something. */
  #isOver = false;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): unknown {
    this.#skipSpace();
    const sign = this.#text[this.#at];
    if (sign === undefined || depth > MAX_DEPTH) return this.#end();
    if (sign === "{") return this.#object(depth);
    if (sign === "[") return this.#array(depth);
    if (sign === '"') return this.#string();
    const word = WORDS.find(([name]) => this.#text.startsWith(name, this.#at));
    if (word) {
      this.#at += word[0].length;
      return word[1];
    }
    const digits = this.#match(NUMBER);
    return digits === "" ? this.#end() : Number(digits);
  }

  #object(depth: number): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    this.#at += 1;
    while (!this.#closes("}")) {
      if (this.#text[this.#at] !== '"') return this.#stop(found);
      const key = this.#string();
      this.#skipSpace();
      if (this.#isOver || this.#text[this.#at] !== ":") return this.#stop(found);
      this.#at += 1;
      const value = this.value(depth + 1);
      if (value !== undefined) Object.defineProperty(found, key, { value, ...PLAIN });
      if (this.#isOver) return found;
      this.#skipComma();
    }
    return found;
  }

  #array(depth: number): unknown[] {
    const found: unknown[] = [];
    this.#at += 1;
    while (!this.#closes("]")) {
      const value = this.value(depth + 1);
      if (value !== undefined) found.push(value);
      if (this.#isOver) return found;
      this.#skipComma();
    }
    return found;
  }

  #string(): string {
    const parts: string[] = [];
    this.#at += 1;
    for (;;) {
      const next = this.#nextSpecial();
      parts.push(this.#text.slice(this.#at, next));
      this.#at = next + 1;
      if (this.#text[next] === '"') return parts.join("");
      const escape = this.#text[next] === "\\" ? this.#escape() : undefined;
      if (escape === undefined) return this.#stop(parts.join(""));
      parts.push(escape);
    }
  }

  #nextSpecial(): number {
    for (let at = this.#at; at < this.#text.length; at++) {
      if (this.#text[at] === '"' || this.#text[at] === "\\") return at;
    }
    return this.#text.length;
  }

  /** Undefined for one that is not complete or none. */
  #escape(): string | undefined {
    const sign = this.#text[this.#at];
    if (sign === "u") {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) return undefined;
      this.#at += 5;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    this.#at += 1;
    return sign === undefined ? undefined : ESCAPES[sign];
  }

  /** Also true at the end of the text: there is nothing more to read. */
  #closes(bracket: string): boolean {
    this.#skipSpace();
    if (this.#at >= this.#text.length) this.#isOver = true;
    if (this.#isOver) return true;
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  #skipComma(): void {
    this.#skipSpace();
    if (this.#text[this.#at] === ",") this.#at += 1;
  }

  #skipSpace(): void {
    this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #end(): undefined {
    this.#isOver = true;
    return undefined;
  }

  #stop<T>(value: T): T {
    this.#isOver = true;
    return value;
  }
}

/** Defined rather than assigned, so that no key reaches a prototype. */
const PLAIN = { enumerable: true, writable: true, configurable: true } as const;
