// The tokens of Python: names, numbers, strings, operators, and the ends and indentation of lines.
// Lines that are magics of cells (`%cd x`, `!ls`) are judged elsewhere and passed over here.

import type { CodeDeadline } from "./code-deadline.ts";
import { UnreadableCode } from "./code-node.ts";

export type PythonToken =
  | { type: "name" | "operator" | "number"; text: string; line: number }
  | { type: "text"; value: string; line: number }
  /** Texts, and the source of what stands in braces between them. */
  | { type: "template"; parts: (string | { source: string })[]; line: number }
  | { type: "newline" | "indent" | "dedent" | "end"; line: number };

const NAME = /[\p{L}_][\p{L}\p{N}\p{M}_]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?[jJ]?/y;
const OPERATOR =
  /\*\*=|\/\/=|>>=|<<=|\.\.\.|!=|->|:=|\*\*|\/\/|<<|>>|<=|>=|==|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|@=|[-+*/%@&|^~<>()[\]{},:.;=]/y;
const CHARACTERS_A_STEP = 100;
/** Characters of a string that stands inside the braces of another one. */
const MAX_FIELD = 1000;
const STRING = /([rRbBuUfFtT]{0,3})("""|'''|"|')/y;

export function pythonTokens(source: string, deadline: CodeDeadline): PythonToken[] {
  return new Tokens(source.replace(/^\ufeff/, ""), deadline).all();
}

class Tokens {
  readonly #source: string;
  readonly #deadline: CodeDeadline;
  readonly #found: PythonToken[] = [];
  readonly #indents = [0];
  #at = 0;
  #line = 1;
  #depth = 0;

  constructor(source: string, deadline: CodeDeadline) {
    this.#deadline = deadline;
    this.#source = source.replace(/\r\n?/g, "\n");
  }

  all(): PythonToken[] {
    this.#beginLine();
    while (this.#at < this.#source.length) this.#next();
    this.#push({ type: "newline", line: this.#line });
    while (this.#indents.pop()! > 0) this.#push({ type: "dedent", line: this.#line });
    this.#push({ type: "end", line: this.#line });
    return this.#found;
  }

  #push(token: PythonToken): void {
    this.#found.push(token);
  }

  #next(): void {
    this.#deadline.check();
    const source = this.#source;
    const char = source[this.#at]!;
    if (char === "\n") {
      this.#at++;
      this.#line++;
      if (this.#depth > 0) return;
      if (this.#found.at(-1)?.type !== "newline") this.#push({ type: "newline", line: this.#line });
      this.#beginLine();
    } else if (/[ \t\f\u00a0]/.test(char)) this.#at++;
    else if (char === "#") this.#skipLine();
    else if (char === "\\" && source[this.#at + 1] === "\n") {
      this.#at += 2;
      this.#line++;
    } else if (!this.#string()) this.#plain(char);
  }

  #skipLine(): void {
    const end = this.#source.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#source.length : end;
  }

  /** Measures how far a line is indented; empty ones do not count. */
  #beginLine(): void {
    for (;;) {
      let width = 0;
      let at = this.#at;
      for (; /[ \t\f]/.test(this.#source[at] ?? ""); at++)
        width = this.#source[at] === "\t" ? (width | 7) + 1 : width + 1;
      const char = this.#source[at];
      if (char === undefined || char === "\n" || char === "#" || char === "!" || char === "%") {
        this.#at = at;
        this.#skipMagic(char);
        if (char === undefined || this.#at >= this.#source.length) return;
        this.#at++;
        this.#line++;
        continue;
      }
      this.#at = at;
      this.#indentTo(width);
      return;
    }
  }

  #skipMagic(char: string | undefined): void {
    this.#skipLine();
    // A block whose only line is a magic is a block all the same.
    if (char === "!" || char === "%") this.#magicBody();
  }

  #magicBody(): void {
    const last = this.#found.findLast(({ type }) => type !== "newline");
    if (last?.type === "operator" && last.text === ":") this.#pendingPass = true;
  }

  #pendingPass = false;

  #indentTo(width: number): void {
    const current = this.#indents.at(-1)!;
    if (width > current) {
      this.#indents.push(width);
      this.#push({ type: "indent", line: this.#line });
    } else if (this.#pendingPass) {
      this.#emptyBlock();
    }
    this.#pendingPass = false;
    while (width < this.#indents.at(-1)!) {
      this.#indents.pop();
      this.#push({ type: "dedent", line: this.#line });
    }
  }

  #emptyBlock(): void {
    const line = this.#line;
    this.#push({ type: "indent", line });
    this.#push({ type: "name", text: "pass", line });
    this.#push({ type: "newline", line });
    this.#push({ type: "dedent", line });
  }

  #plain(char: string): void {
    const line = this.#line;
    const name = this.#match(NAME);
    // Letters that only look different are the same name to Python.
    if (name !== undefined) this.#push({ type: "name", text: name.normalize("NFKC"), line });
    else if (/[\d.]/.test(char) && /^\.?\d/.test(this.#source.slice(this.#at, this.#at + 2))) {
      this.#push({ type: "number", text: this.#match(NUMBER)!, line });
    } else if (this.#isMagicValue(char)) {
      this.#skipLine();
      this.#push({ type: "name", text: "None", line });
    } else {
      const operator = this.#match(OPERATOR);
      if (operator === undefined) {
        // `thing?` asks for help in cells.
        if (char === "?") return void this.#at++;
        throw new UnreadableCode(`"${char}" on line ${line}`);
      }
      if ("([{".includes(operator)) this.#depth++;
      else if (")]}".includes(operator)) this.#depth = Math.max(0, this.#depth - 1);
      this.#push({ type: "operator", text: operator, line });
    }
  }

  /** `lines = !ls`, `x = %time f()`. */
  #isMagicValue(char: string): boolean {
    const last = this.#found.at(-1);
    return (char === "!" || char === "%") && last?.type === "operator" && last.text === "=";
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #string(): boolean {
    STRING.lastIndex = this.#at;
    const found = STRING.exec(this.#source);
    if (!found) return false;
    const [head, marks = "", quote = ""] = found;
    const line = this.#line;
    const start = this.#at + head.length;
    const isTemplate = /[ft]/i.test(marks);
    const isRaw = /r/i.test(marks);
    const end = isTemplate ? this.#templateEnd(start, quote) : this.#textEnd(start, quote);
    const body = this.#source.slice(start, end);
    this.#deadline.check(body.length / CHARACTERS_A_STEP);
    this.#at = end + quote.length;
    this.#line += body.split("\n").length - 1;
    if (isTemplate) this.#push({ type: "template", parts: partsOf(body, isRaw), line });
    else this.#push({ type: "text", value: isRaw ? body : unescaped(body), line });
    return true;
  }

  #textEnd(from: number, quote: string): number {
    for (let at = from; at < this.#source.length; at++) {
      const char = this.#source[at];
      if (char === "\\") at++;
      else if (this.#source.startsWith(quote, at)) return at;
      else if (char === "\n" && quote.length === 1) break;
    }
    throw new UnreadableCode(`a string on line ${this.#line} does not end`);
  }

  /** Newer versions take any string inside the braces, also one in the same quotes. */
  #templateEnd(from: number, quote: string): number {
    let depth = 0;
    for (let at = from; at < this.#source.length; at++) {
      this.#deadline.check();
      const char = this.#source[at]!;
      if (depth === 0 && char === "\\") at++;
      else if (depth === 0 && this.#source.startsWith(quote, at)) return at;
      else if (char === "{" && depth === 0 && this.#source[at + 1] === "{") at++;
      else if (char === "{") depth++;
      else if (char === "}" && depth > 0) depth--;
      else if (depth > 0 && (char === '"' || char === "'")) {
        const inner = this.#source.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
        // In older versions the quote ends it all.
        if (inner === quote && !this.#closesLater(at, quote)) return at;
        at = this.#textEnd(at + inner.length, inner) + inner.length - 1;
      } else if (char === "\n" && quote.length === 1 && depth === 0) break;
    }
    throw new UnreadableCode(`a string on line ${this.#line} does not end`);
  }

  #closesLater(at: number, quote: string): boolean {
    const rest = this.#source.slice(at + quote.length, at + MAX_FIELD);
    return (rest.split("\n")[0] ?? "").includes(quote);
  }
}

/** Texts and fields of a formatted string. */
function partsOf(body: string, isRaw: boolean): (string | { source: string })[] {
  const parts: (string | { source: string })[] = [];
  let text = "";
  const flush = (): void => {
    if (text !== "") parts.push(isRaw ? text : unescaped(text));
    text = "";
  };
  for (let at = 0; at < body.length; at++) {
    const char = body[at]!;
    if (char === "\\" && !isRaw) {
      text += char + (body[at + 1] ?? "");
      // `\N{BULLET}` is no field.
      if (body[at + 1] === "N" && body[at + 2] === "{") {
        const end = body.indexOf("}", at);
        text += body.slice(at + 2, end + 1);
        at = end < 0 ? body.length : end;
      } else at++;
    } else if ((char === "{" || char === "}") && body[at + 1] === char) {
      text += char;
      at++;
    } else if (char === "{") {
      flush();
      const end = fieldEnd(body, at + 1);
      const field = fieldOf(body.slice(at + 1, end));
      parts.push({ source: field.source });
      // What stands in the format is looked at, too.
      for (const inner of field.inner) parts.push({ source: inner });
      at = end;
    } else text += char;
  }
  flush();
  return parts;
}

function fieldEnd(body: string, from: number): number {
  let depth = 0;
  let quote = "";
  for (let at = from; at < body.length; at++) {
    const char = body[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if ("([{".includes(char)) depth++;
    else if (char === "}" && depth === 0) return at;
    else if (")]}".includes(char)) depth--;
  }
  return body.length;
}

/** `x!r:>{width}` is x, and width. */
function fieldOf(field: string): { source: string; inner: string[] } {
  let depth = 0;
  let quote = "";
  for (let at = 0; at < field.length; at++) {
    const char = field[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth--;
    else if (depth > 0 || field.startsWith("!=", at)) continue;
    else if (char === ":" || (char === "!" && /^![rsa]/.test(field.slice(at)))) {
      const inner = [...field.slice(at).matchAll(/\{([^{}]*)\}/g)].map(([, source]) => source!);
      return { source: field.slice(0, at).replace(/=\s*$/, ""), inner };
    }
  }
  return { source: field.replace(/(?<![=!<>])=\s*$/, ""), inner: [] };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  "\n": "",
  "\\": "\\",
  "'": "'",
  '"': '"',
};

export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|([\s\S]))/g,
    (whole, hex?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(parseInt(code, 16));
      if (octal !== undefined) return fromCode(parseInt(octal, 8));
      // `\N{SOLIDUS}`: which letter that is, is not known here.
      if (char === "N") return "\0";
      return ESCAPES[char!] ?? whole;
    },
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
