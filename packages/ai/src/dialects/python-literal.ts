// Python literals, read and written: what pythonic calls carry as values, and what models
// write now and then where JSON was asked for.

/** Deeper nesting is an accident or an attack. */
const MAX_DEPTH = 100;

/** Thrown inside this file's readers; callers see undefined. */
class NotPython extends Error {}

/** The value of a text that is one literal and nothing else; undefined where it is not. */
export function parsePythonLiteral(text: string): unknown {
  return attempt(() => {
    const reader = new PythonReader(text);
    const value = reader.value();
    reader.end();
    return value;
  });
}

/** Runs a reader and turns its refusal into undefined. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotPython) return undefined;
    throw error;
  }
}

/** A string literal with JSON's escapes, all of which Python reads the same way. */
export function renderPythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(renderPythonLiteral).join(", ")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}: ${renderPythonLiteral(one)}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

const WORDS: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  // Models mix the languages up.
  true: true,
  false: false,
  null: null,
};

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\x07",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "/": "/",
  "\n": "",
};

const BLANK = /(?:[ \t\r\n\f]|\\\r?\n|#[^\n]*)*/y;
const NUMBER = /[+-]?(?:0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y;
const WORD = /[A-Za-z_]\w*/y;
const STRING_START = /([rRuUbBfF]{0,2})("""|'''|"|')/y;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([0-7]{1,3})|([^]))/y;

export class PythonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    this.#match(BLANK);
    return this.#at === this.#text.length;
  }

  end(): void {
    if (!this.isAtEnd) this.fail();
  }

  fail(): never {
    throw new NotPython(`unexpected text at ${this.#at}`);
  }

  /** Steps over `token` where it comes next. */
  accept(token: string): boolean {
    this.#match(BLANK);
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.fail();
  }

  /** Steps over what a sticky pattern matches behind blanks. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    this.#match(BLANK);
    return this.#match(pattern);
  }

  value(depth = 0): unknown {
    if (depth > MAX_DEPTH) this.fail();
    const open = this.match(STRING_START);
    if (open) return this.#strings(open);
    const number = this.match(NUMBER);
    if (number) return toNumber(number[0]) ?? this.fail();
    if (this.accept("[")) return this.#list("]", depth);
    if (this.accept("(")) return this.#tuple(depth);
    if (this.accept("{")) return this.#dict(depth);
    const word = this.match(WORD)?.[0];
    if (word === undefined || !Object.hasOwn(WORDS, word)) this.fail();
    return WORDS[word];
  }

  #list(close: string, depth: number): unknown[] {
    const items: unknown[] = [];
    while (!this.accept(close)) {
      items.push(this.value(depth + 1));
      if (!this.accept(",")) {
        this.expect(close);
        break;
      }
    }
    return items;
  }

  /** Parentheses around one value without a comma only group. */
  #tuple(depth: number): unknown {
    if (this.accept(")")) return [];
    const first = this.value(depth + 1);
    if (this.accept(")")) return first;
    this.expect(",");
    return [first, ...this.#list(")", depth)];
  }

  #dict(depth: number): unknown {
    const entries: [string, unknown][] = [];
    while (!this.accept("}")) {
      const key = this.value(depth + 1);
      this.expect(":");
      entries.push([typeof key === "string" ? key : JSON.stringify(key), this.value(depth + 1)]);
      if (!this.accept(",")) {
        this.expect("}");
        break;
      }
    }
    // Not by assignment: a key may be called __proto__.
    return Object.fromEntries(entries);
  }

  /** Adjacent literals are one string. */
  #strings(first: RegExpExecArray): string {
    let whole = "";
    for (let open: RegExpExecArray | undefined = first; open; open = this.match(STRING_START)) {
      whole += this.#string(open[2]!, /r/i.test(open[1]!));
    }
    return whole;
  }

  #string(quote: string, isRaw: boolean): string {
    let value = "";
    const stop = quote[0] === '"' ? /["\\]/g : /['\\]/g;
    for (;;) {
      stop.lastIndex = this.#at;
      const found = stop.exec(this.#text);
      if (!found) this.fail();
      value += this.#text.slice(this.#at, found.index);
      this.#at = found.index;
      if (found[0] === "\\") {
        const escape = this.#match(ESCAPE) ?? this.fail();
        value += isRaw ? escape[0] : unescape(escape);
      } else if (this.#text.startsWith(quote, this.#at)) {
        this.#at += quote.length;
        return value;
      } else {
        value += found[0];
        this.#at++;
      }
    }
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (!found) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}

function unescape(escape: RegExpExecArray): string {
  const [whole, unit, point, byte, octal, char] = escape;
  if (unit !== undefined || byte !== undefined) {
    return String.fromCharCode(Number.parseInt((unit ?? byte)!, 16));
  }
  if (point !== undefined) {
    const code = Number.parseInt(point, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  }
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  // Python keeps the backslash of an escape it does not know.
  return ESCAPES[char!] ?? whole;
}

/** JSON has no infinity, so a number beyond its range is none here either. */
function toNumber(text: string): number | undefined {
  const digits = text.replaceAll("_", "").replace(/^[+-]/, "");
  const value = text.startsWith("-") ? -Number(digits) : Number(digits);
  return Number.isFinite(value) ? value : undefined;
}
