// Words: quotes, escapes and expansions. Stricter than bash: where its reading of a corner depends
// on versions or options, the word is a problem and not a guess.

import { decodeAnsiQuote } from "./ansi-quote.ts";
import { readDollar } from "./parse-expansion.ts";
import type { SourceReader } from "./source-reader.ts";
import type { Word, WordPart } from "./syntax-tree.ts";

/** Characters that mean nothing in a word; the rest is looked at one by one. */
const PLAIN = /[^\s;&|<>()$`'"\\[\]\0]+/y;
const DOUBLE_PLAIN = /[^"$`\\\0]+/y;
const NAME = /^[A-Za-z_]\w*$/;

export enum WordPlace {
  /** Before a command's name: assignments may stand here. */
  start,
  /** Behind `declare` and its kin, which take arrays too. */
  declaration,
  other,
}

/** Undefined where no word begins. */
export function readWord(reader: SourceReader, place: WordPlace): Word | undefined {
  const from = reader.at;
  const parts: WordPart[] = [];
  let subscriptFrom: number | undefined;
  for (;;) {
    const plain = reader.take(PLAIN);
    if (plain !== undefined) addText(parts, plain);
    const { char } = reader;
    if (char === "" || " \t\n;&|".includes(char)) break;
    if (char === "<" || char === ">") {
      if (reader.text[reader.at + 1] !== "(") break;
      parts.push(readProcess(reader, char));
    } else if (char === "(") {
      if (place === WordPlace.other || !isAssignmentSoFar(parts)) break;
      parts.push(readArray(reader));
      if (!/[\s;&|)]|^$/.test(reader.char)) reader.fail("something is glued to an array");
    } else if (char === ")") break;
    else if (char === "[") {
      if (place !== WordPlace.other && isName(parts)) subscriptFrom = reader.at;
      addText(parts, char);
      reader.at++;
    } else if (char === "]") {
      subscriptFrom = undefined;
      addText(parts, char);
      reader.at++;
    } else if (char === "\\") readEscape(reader, parts);
    else if (char === "'") {
      const end = reader.text.indexOf("'", reader.at + 1);
      if (end < 0) reader.fail("a single quote is not closed");
      parts.push(literal(reader.text.slice(reader.at + 1, end)));
      reader.at = end + 1;
    } else if (char === '"') {
      reader.at++;
      parts.push(...readDoubleQuoted(reader));
    } else if (char === "`") parts.push(readBackquotes(reader, false));
    else if (char === "$") readDollarPart(reader, parts);
    else if (char === "\0") reader.fail("it has a zero byte");
    else {
      // Blanks of other scripts, carriage returns: ordinary characters to bash.
      addText(parts, char);
      reader.at++;
    }
  }
  if (subscriptFrom !== undefined) reader.fail("the index of an array is not plain");
  if (reader.at === from) return undefined;
  return { parts, from, to: reader.at };
}

export function requireWord(reader: SourceReader, what: string): Word {
  reader.skipBlanks();
  return readWord(reader, WordPlace.other) ?? reader.fail(`${what} is missing`);
}

/** What stands between double quotes, or in a here document that has values in it. */
export function readDoubleQuoted(reader: SourceReader, closer: '"' | "end" = '"'): WordPart[] {
  const parts: WordPart[] = [literal("")];
  const append = (text: string): void => {
    const last = parts.at(-1)!;
    if (last.type === "literal") last.text += text;
    else parts.push(literal(text));
  };
  for (;;) {
    const plain = reader.take(DOUBLE_PLAIN);
    if (plain !== undefined) append(plain);
    const { char } = reader;
    if (char === "") {
      if (closer === "end") return parts;
      reader.fail("a double quote is not closed");
    }
    if (char === '"') {
      reader.at++;
      if (closer === '"') return parts;
      append(char);
    } else if (char === "\\") {
      const next = reader.text[reader.at + 1] ?? "";
      reader.at += 2;
      if (next === "\n") continue;
      const isEscape = "$`\\".includes(next) || next === closer;
      append(isEscape && next !== "" ? next : `\\${next}`);
    } else if (char === "`") parts.push(readBackquotes(reader, true));
    else if (char === "\0") reader.fail("it has a zero byte");
    else {
      const part = readDollar(reader, { isQuoted: true, readOperandPart });
      if (part) parts.push(part);
      else append("$");
    }
  }
}

function readDollarPart(reader: SourceReader, parts: WordPart[]): void {
  const next = reader.text[reader.at + 1];
  if (next === "'") {
    reader.at += 2;
    const inner = reader.take(/(?:[^'\\]|\\[^])*/y)!;
    reader.expect("'");
    const text = decodeAnsiQuote(inner) ?? reader.fail("a $'…' has bytes that are not text");
    parts.push(literal(text));
  } else if (next === '"') {
    reader.at += 2;
    parts.push(...readDoubleQuoted(reader));
  } else {
    const part = readDollar(reader, { isQuoted: false, readOperandPart });
    if (part) parts.push(part);
    else addText(parts, "$");
  }
}

/** One part of what stands in `${…}` or in an arithmetic expression; undefined at plain text. */
export function readOperandPart(reader: SourceReader, isQuoted: boolean): WordPart[] | undefined {
  const { char } = reader;
  if (char === "`") return [readBackquotes(reader, isQuoted)];
  if (char === '"') {
    reader.at++;
    return readDoubleQuoted(reader);
  }
  if (char === "$" && "'\"".includes(reader.text[reader.at + 1] ?? " ")) {
    if (isQuoted) reader.fail("there are quotes in a quoted expansion");
    const parts: WordPart[] = [];
    readDollarPart(reader, parts);
    return parts;
  }
  if (char === "$") {
    const part = readDollar(reader, { isQuoted, readOperandPart });
    return [part ?? literal("$")];
  }
  return undefined;
}

function readBackquotes(reader: SourceReader, isQuoted: boolean): WordPart {
  reader.at++;
  const inner = reader.take(/(?:[^`\\]|\\[^])*/y)!;
  reader.expect("`");
  const text = inner.replace(isQuoted ? /\\([$`\\"])/g : /\\([$`\\])/g, "$1");
  const body = reader.nested(() => reader.readCommands(reader.inner(text), undefined));
  return { type: "substitution", body, isQuoted };
}

function readProcess(reader: SourceReader, direction: "<" | ">"): WordPart {
  reader.at += 2;
  const body = reader.nested(() => reader.readCommands(reader, ")"));
  reader.expect(")");
  return { type: "process", direction, body };
}

function readArray(reader: SourceReader): WordPart {
  reader.at++;
  const elements: Word[] = [];
  for (;;) {
    reader.skipBlanks();
    if (reader.char === "\n") reader.at++;
    else if (reader.char === ")") break;
    else {
      const word = readWord(reader, WordPlace.other) ?? reader.fail("an array is not closed");
      elements.push(word);
      reader.notes?.note("element", word.from, word.to, elements);
    }
  }
  if (reader.documents.length > 0) reader.fail("a here document begins before an array");
  reader.at++;
  return { type: "array", elements };
}

function readEscape(reader: SourceReader, parts: WordPart[]): void {
  const next = reader.text[reader.at + 1];
  if (next === undefined) reader.fail("it ends with a backslash");
  reader.at += 2;
  if (next === "\n") {
    // A name and an operator may be torn apart by it; too odd to follow.
    if ("<>(&|".includes(reader.char) && reader.char !== "") {
      reader.fail("a line is continued before an operator");
    }
    return;
  }
  parts.push(literal(next!));
}

function literal(text: string): WordPart & { type: "literal" } {
  return { type: "literal", text, isQuoted: true };
}

function addText(parts: WordPart[], text: string): void {
  const last = parts.at(-1);
  if (last?.type === "literal" && !last.isQuoted) last.text += text;
  else parts.push({ type: "literal", text, isQuoted: false });
}

function isName(parts: WordPart[]): boolean {
  const [part] = parts;
  return parts.length === 1 && part?.type === "literal" && !part.isQuoted && NAME.test(part.text);
}

function isAssignmentSoFar(parts: WordPart[]): boolean {
  const [part] = parts;
  if (parts.length !== 1 || part?.type !== "literal" || part.isQuoted) return false;
  return /^[A-Za-z_]\w*\+?=$/.test(part.text);
}
