// `[[ … ]]`. bash checks its grammar before it runs anything, so it is followed here; only the
// words matter to whoever reads the tree.

import { readLineEnd } from "./parse-redirect.ts";
import { readWord, WordPlace } from "./parse-word.ts";
import type { SourceReader } from "./source-reader.ts";
import { bareText, type Word } from "./syntax-tree.ts";

const UNARY = /^-[abcdefghknoprstuvwxzGLNORS]$/;
const BINARY = /(?:==|=~|!=|=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)(?=[ \t\n]))/y;

/** Behind `[[`; takes `]]` too. */
export function readCondition(reader: SourceReader): Word[] {
  const words: Word[] = [];
  readOr(reader, words);
  expectEnd(reader);
  return words;
}

function readOr(reader: SourceReader, words: Word[]): void {
  reader.nested(() => {
    for (;;) {
      readTerm(reader, words);
      skip(reader);
      if (!reader.startsWith("&&") && !reader.startsWith("||")) return;
      reader.at += 2;
    }
  });
}

function readTerm(reader: SourceReader, words: Word[]): void {
  skip(reader);
  while (reader.take(/!(?=[ \t\n])/y) !== undefined) skip(reader);
  if (reader.char === "(") {
    reader.at++;
    readOr(reader, words);
    skip(reader);
    reader.expect(")");
    return;
  }
  const first = requireOperand(reader);
  words.push(first);
  const isUnary = UNARY.test(bareText(first) ?? "");
  reader.skipBlanks();
  if (isUnary) {
    words.push(requireOperand(reader));
    return;
  }
  const operator = reader.take(BINARY);
  if (operator === undefined) return;
  // `<(` and what is glued to its operator are read differently from version to version.
  if (!/[ \t]/.test(reader.char)) reader.fail("a comparison lacks spaces around it");
  reader.skipBlanks();
  words.push(operator === "=~" ? readPattern(reader) : requireOperand(reader));
}

function requireOperand(reader: SourceReader): Word {
  reader.skipBlanks();
  const word = readWord(reader, WordPlace.other);
  if (!word || bareText(word) === "]]") reader.fail("a condition is not complete");
  return word!;
}

/** Parentheses and bars are part of a regular expression. */
function readPattern(reader: SourceReader): Word {
  const word: Word = { parts: [], from: reader.at, to: reader.at };
  let depth = 0;
  for (;;) {
    const part = readWord(reader, WordPlace.other);
    if (part) word.parts.push(...part.parts);
    const { char } = reader;
    if (char === "(") depth++;
    else if (char === ")" && depth > 0) depth--;
    else if (char !== "|" || reader.startsWith("||")) break;
    word.parts.push({ type: "literal", text: char, isQuoted: true });
    reader.at++;
  }
  if (depth > 0 || word.parts.length === 0) reader.fail("a regular expression is not understood");
  word.to = reader.at;
  return word;
}

function expectEnd(reader: SourceReader): void {
  skip(reader);
  if (reader.take(/\]\](?=[ \t\n;&|()<>]|$)/y) === undefined) reader.fail('"]]" is missing');
}

function skip(reader: SourceReader): void {
  reader.skipBlanks();
  while (reader.char === "\n") {
    readLineEnd(reader);
    reader.skipBlanks();
  }
}
