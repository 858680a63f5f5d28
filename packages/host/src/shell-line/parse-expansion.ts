// What begins with `$`: values, `${…}`, the output of commands, arithmetic.

import type { SourceReader } from "./source-reader.ts";
import type { WordPart } from "./syntax-tree.ts";

export interface ExpansionPlace {
  isQuoted: boolean;
  /** Reads quotes and expansions inside one; the words of the line know how. */
  readOperandPart: (reader: SourceReader, isQuoted: boolean) => WordPart[] | undefined;
}

const VARIABLE = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
const BRACED_NAME = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;
const PLAIN_OPERAND = /[^}'"$`\\<>(\0]+/y;

/** At a `$`. Undefined, with the `$` taken, where it is an ordinary character. */
export function readDollar(reader: SourceReader, place: ExpansionPlace): WordPart | undefined {
  const { isQuoted } = place;
  if (reader.startsWith("$((")) {
    const expression = readArithmetic(reader, "$((", place);
    if (expression) return { type: "arithmetic", expression };
  }
  if (reader.startsWith("$(")) {
    reader.at += 2;
    const body = reader.nested(() => reader.readCommands(reader, ")"));
    reader.expect(")");
    return { type: "substitution", body, isQuoted };
  }
  if (reader.startsWith("${")) return reader.nested(() => readBraced(reader, place));
  if (reader.startsWith("$[")) reader.fail("$[…] is an old form of arithmetic");
  if (reader.startsWith("$\\\n")) reader.fail("a line is continued behind a $");
  const variable = reader.take(VARIABLE);
  if (variable !== undefined) {
    return { type: "parameter", name: variable.slice(1), operator: "", operand: [], isQuoted };
  }
  reader.at++;
  return undefined;
}

/**
 * The expression between `opener` and `))`. Undefined, with nothing taken, where the parentheses
 * turn out to be those of subshells.
 */
export function readArithmetic(
  reader: SourceReader,
  opener: "((" | "$((",
  place: Pick<ExpansionPlace, "readOperandPart">,
): WordPart[] | undefined {
  const from = reader.at + opener.length;
  const close = closingParenthesis(reader, from);
  if (close === undefined || reader.text[close + 1] !== ")") return undefined;
  const inner = reader.inner(reader.text.slice(from, close));
  const parts = reader.nested(() => {
    const parts: WordPart[] = [];
    while (!inner.isAtEnd) {
      const plain = inner.take(/[^"'$`\\\0]+/y);
      if (plain !== undefined) parts.push({ type: "literal", text: plain, isQuoted: true });
      if (inner.isAtEnd) break;
      const read = place.readOperandPart(inner, true);
      if (read) parts.push(...read);
      else inner.fail("an arithmetic expression has quotes");
    }
    return parts;
  });
  reader.at = close + 2;
  return parts;
}

function closingParenthesis(reader: SourceReader, from: number): number | undefined {
  const { text } = reader;
  let depth = 1;
  let at = from;
  for (; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) break;
    else if (char === "'" || char === '"') at = closingQuote(reader, at);
  }
  reader.spend(at - from);
  return at < text.length ? at : undefined;
}

/** The length of the text where there is none. */
function closingQuote(reader: SourceReader, open: number): number {
  const { text } = reader;
  if (text[open] === "'") {
    const end = text.indexOf("'", open + 1);
    return end < 0 ? text.length : end;
  }
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return at;
    if (char === "\\") at++;
    else if (char === "`" || (char === "$" && text[at + 1] === "(")) {
      reader.fail("commands are quoted between double parentheses");
    }
  }
  return text.length;
}

function readBraced(reader: SourceReader, place: ExpansionPlace): WordPart {
  reader.at += 2;
  const { isQuoted } = place;
  // `${#x}` is a length and `${!x}` another variable's value; alone they are parameters.
  const prefix = reader.take(/[#!](?=[A-Za-z0-9_@*?$!#-])/y) ?? "";
  const name = reader.take(BRACED_NAME) ?? reader.fail("a ${…} has no name");
  const operand: WordPart[] = [];
  let operator = prefix;
  if (reader.char === "[") {
    operator += "[]";
    reader.at++;
    readUntil(reader, "]", place, operand);
  }
  if (reader.char !== "}") {
    operator += reader.take(/:[-=+?]|##|%%|\/[/#%]?|\^\^|,,|[-=+?:#%^,@]/y) ?? unreadable(reader);
    readUntil(reader, "}", place, operand);
  } else reader.at++;
  return { type: "parameter", name, operator, operand, isQuoted };
}

function unreadable(reader: SourceReader): never {
  return reader.fail("a ${…} is not understood");
}

function readUntil(
  reader: SourceReader,
  closer: "}" | "]",
  place: ExpansionPlace,
  parts: WordPart[],
): void {
  const { isQuoted } = place;
  const plain = closer === "}" ? PLAIN_OPERAND : /[^\]}'"$`\\<>([\0]+/y;
  for (;;) {
    const text = reader.take(plain);
    if (text !== undefined) parts.push({ type: "literal", text, isQuoted });
    const { char } = reader;
    if (char === closer) {
      reader.at++;
      return;
    }
    if (char === "\\") {
      const next = reader.text[reader.at + 1] ?? reader.fail("a ${…} is not closed");
      parts.push({ type: "literal", text: next === "\n" ? "" : next, isQuoted: true });
      reader.at += 2;
    } else if (char === "'" && !isQuoted) {
      const end = reader.text.indexOf("'", reader.at + 1);
      if (end < 0) reader.fail("a single quote is not closed");
      parts.push({
        type: "literal",
        text: reader.text.slice(reader.at + 1, end),
        isQuoted: true,
      });
      reader.at = end + 1;
    } else if ("<>(".includes(char) && char !== "") {
      if (!isQuoted) reader.fail("a ${…} has parentheses or angle brackets");
      parts.push({ type: "literal", text: char, isQuoted });
      reader.at++;
    } else if (char === "" || char === "}" || char === "]" || char === "[" || char === "'") {
      reader.fail("a ${…} is not understood");
    } else if (char === "\0") reader.fail("it has a zero byte");
    else parts.push(...(place.readOperandPart(reader, isQuoted) ?? unreadable(reader)));
  }
}
