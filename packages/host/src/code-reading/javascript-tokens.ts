// The tokens of JavaScript, one after the other: whether a slash divides or begins a regular
// expression, and where a template goes on, only the reader of the syntax knows.

import { UnreadableCode } from "./code-node.ts";

export interface ScriptToken {
  type: "name" | "private" | "number" | "text" | "operator" | "end";
  /** Of a text its value. */
  text: string;
  start: number;
  /** Whether a line ends before it. */
  isNewLine: boolean;
}

const SPACE = /(?:[\s\u00a0\ufeff]+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/|^#![^\n]*)+/y;
const NAME =
  /(?:[\p{ID_Start}$_]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\}))(?:[\p{ID_Continue}$\u200c\u200d]|\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\}))*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+n?|0[oO][0-7_]+n?|0[bB][01_]+n?|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?n?/y;
const OPERATOR =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[-+*/%&|^!~<>()[\]{},:.;=?@`]/y;
const TEXT = /"((?:[^"\\\n]|\\[\s\S])*)"|'((?:[^'\\\n]|\\[\s\S])*)'/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

export class ScriptTokens {
  readonly source: string;
  /** After the last token. */
  at = 0;

  constructor(source: string) {
    this.source = source;
  }

  next(): ScriptToken {
    const space = this.#match(SPACE) ?? "";
    const isNewLine = /[\n\r\u2028\u2029]/.test(space);
    const start = this.at;
    const char = this.source[start];
    const token = (type: ScriptToken["type"], text: string): ScriptToken => ({
      type,
      text,
      start,
      isNewLine,
    });
    if (char === undefined) return token("end", "");
    if (char === '"' || char === "'") {
      TEXT.lastIndex = start;
      const found = TEXT.exec(this.source);
      if (!found) throw new UnreadableCode("a text does not end");
      this.at += found[0].length;
      return token("text", unescapedScript(found[1] ?? found[2] ?? ""));
    }
    if (/\d/.test(char) || (char === "." && /\d/.test(this.source[start + 1] ?? "")))
      return token("number", this.#match(NUMBER)!);
    const name = this.#match(NAME);
    if (name !== undefined)
      return token("name", name.includes("\\") ? unescapedScript(name) : name);
    if (char === "#") {
      this.at++;
      return token("private", this.#match(NAME) ?? "");
    }
    const operator = this.#match(OPERATOR);
    if (operator === undefined) throw new UnreadableCode(`"${char}" is not understood`);
    return token("operator", operator);
  }

  /** The slash was the beginning of a regular expression. */
  regex(start: number): void {
    this.at = start;
    if (this.#match(REGEX) === undefined)
      throw new UnreadableCode("a regular expression does not end");
  }

  /** The text of a template up to its end (`isLast`) or to what is put into it. */
  templateText(): { text: string; isLast: boolean } {
    const { source } = this;
    for (let at = this.at; at < source.length; at++) {
      const char = source[at];
      if (char === "\\") at++;
      else if (char === "`" || (char === "$" && source[at + 1] === "{")) {
        const text = unescapedScript(source.slice(this.at, at));
        const isLast = char === "`";
        this.at = at + (isLast ? 1 : 2);
        return { text, isLast };
      }
    }
    throw new UnreadableCode("a template does not end");
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "\n": "",
  "\u2028": "",
  "\u2029": "",
};

function unescapedScript(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}|([0-7]{1,3})|\r\n|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, char?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(parseInt(code, 16));
      if (octal !== undefined) return fromCode(parseInt(octal, 8));
      return char === undefined ? "" : (ESCAPES[char] ?? char);
    },
  );
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
