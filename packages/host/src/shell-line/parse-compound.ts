// Commands made of commands: groups, conditions, loops, cases, functions.

import { readCondition } from "./parse-condition.ts";
import { readArithmetic } from "./parse-expansion.ts";
import { readLineEnd, readRedirects } from "./parse-redirect.ts";
import { readOperandPart, readWord, requireWord, WordPlace } from "./parse-word.ts";
import type { SourceReader } from "./source-reader.ts";
import type { Sequence, ShellCommand, Word } from "./syntax-tree.ts";

export interface CommandReaders {
  /** Appends to the sequence up to whatever closes it. */
  readItems: (reader: SourceReader, body: Sequence) => void;
  readCommand: (reader: SourceReader) => ShellCommand;
}

const OPENING_WORD =
  /(?:\{|\[\[|if|while|until|for|select|case|function|coproc)(?=[ \t\n;&|()<>]|\\\n|$)/y;
const NAME = /[A-Za-z_]\w*(?=[ \t\n;]|$)/y;

/** Undefined where no compound command begins. */
export function readCompound(
  reader: SourceReader,
  readers: CommandReaders,
): ShellCommand | undefined {
  const from = reader.at;
  if (reader.char === "(") return readParentheses(reader, readers);
  const word = reader.take(OPENING_WORD);
  switch (word) {
    case undefined:
      return undefined;
    case "{": {
      const body = readBody(reader, readers);
      expectWord(reader, "}");
      return withRedirects(reader, { type: "group", isSubshell: false, body, from });
    }
    case "[[": {
      const words = readCondition(reader);
      return withRedirects(reader, { type: "test", words, from });
    }
    case "if":
      return readIf(reader, readers, from);
    case "while":
    case "until": {
      const condition = readBody(reader, readers);
      const body = readLoopBody(reader, readers);
      return withRedirects(reader, { type: "loop", condition, body, from });
    }
    case "for":
    case "select":
      return readFor(reader, readers, { kind: word, from });
    case "case":
      return readCase(reader, readers, from);
    case "function":
      return readNamedFunction(reader, readers, from);
    default:
      return reader.fail(`${word} is not understood`);
  }
}

type Unfinished<T> = T extends unknown ? Omit<T, "to" | "text" | "redirects"> : never;
type WithRedirects = Extract<ShellCommand, { redirects: unknown; type: unknown }>;

function withRedirects(
  reader: SourceReader,
  command: Unfinished<Exclude<WithRedirects, { type: "simple" }>>,
): ShellCommand {
  const end = reader.at;
  const redirects = readRedirects(reader);
  const to = redirects.at(-1)?.to ?? end;
  reader.at = to;
  const text = reader.text.slice(command.from, to);
  return { ...command, text, redirects, to } as ShellCommand;
}

function readBody(reader: SourceReader, { readItems }: CommandReaders): Sequence {
  const body: Sequence = { items: [] };
  reader.notes?.needed.add(body);
  readItems(reader, body);
  if (body.items.length === 0) reader.fail("a command is missing");
  return body;
}

function endOf({ items }: Sequence): number {
  return items.at(-1)?.command.to ?? 0;
}

function expectWord(reader: SourceReader, word: string): void {
  skipLines(reader);
  const from = reader.at;
  const found = reader.take(/[a-z]+(?=[ \t\n;&|()<>]|\\\n|$)|\}(?=[ \t\n;&|()<>]|\\\n|$)/y);
  if (found !== word) {
    reader.at = from;
    reader.fail(`"${word}" is missing`);
  }
}

function peekWord(reader: SourceReader): string | undefined {
  skipLines(reader);
  const { at } = reader;
  const word = reader.take(/[a-z]+(?=[ \t\n;&|()<>]|\\\n|$)/y);
  reader.at = at;
  return word;
}

function readParentheses(reader: SourceReader, readers: CommandReaders): ShellCommand {
  const from = reader.at;
  if (reader.startsWith("((")) {
    const expression = readArithmetic(reader, "((", { readOperandPart });
    if (expression) return withRedirects(reader, { type: "arithmetic", expression, from });
    // bash takes some subshells that begin so for broken arithmetic.
    reader.fail("there are two adjacent parentheses");
  }
  reader.at++;
  const body = readBody(reader, readers);
  reader.expect(")");
  return withRedirects(reader, { type: "group", isSubshell: true, body, from });
}

function readIf(reader: SourceReader, readers: CommandReaders, from: number): ShellCommand {
  const branches: { condition: Sequence; body: Sequence }[] = [];
  let otherwise: Sequence | undefined;
  let branchFrom = from;
  for (;;) {
    const condition = readBody(reader, readers);
    expectWord(reader, "then");
    const body = readBody(reader, readers);
    branches.push({ condition, body });
    if (branchFrom > from) reader.notes?.note("elif_clause", branchFrom, endOf(body), branches);
    const next = peekWord(reader);
    branchFrom = reader.at;
    if (next === "elif") {
      expectWord(reader, "elif");
      continue;
    }
    if (next === "else") {
      expectWord(reader, "else");
      otherwise = readBody(reader, readers);
      reader.notes?.note("else_clause", branchFrom, endOf(otherwise), branches);
    }
    expectWord(reader, "fi");
    return withRedirects(reader, { type: "if", branches, otherwise, from });
  }
}

function readLoopBody(reader: SourceReader, readers: CommandReaders): Sequence {
  expectWord(reader, "do");
  const body = readBody(reader, readers);
  expectWord(reader, "done");
  return body;
}

function readFor(
  reader: SourceReader,
  readers: CommandReaders,
  { kind, from }: { kind: "for" | "select"; from: number },
): ShellCommand {
  reader.skipBlanks();
  if (kind === "for" && reader.startsWith("((")) {
    const expression =
      readArithmetic(reader, "((", { readOperandPart }) ?? reader.fail("a for is not understood");
    reader.skipBlanks();
    if (reader.char === ";") reader.at++;
    const body = readLoopBody(reader, readers);
    return withRedirects(reader, { type: "arithmetic-for", expression, body, from });
  }
  const name = reader.take(NAME) ?? reader.fail("a loop has no variable");
  const words = peekWord(reader) === "in" ? readLoopWords(reader) : undefined;
  if (words === undefined) {
    reader.skipBlanks();
    if (reader.char === ";") reader.at++;
  }
  const body = readLoopBody(reader, readers);
  return withRedirects(reader, { type: "for", kind, name, words, body, from });
}

function readLoopWords(reader: SourceReader): Word[] {
  expectWord(reader, "in");
  const words: Word[] = [];
  for (;;) {
    reader.skipBlanks();
    const word = readWord(reader, WordPlace.other);
    if (!word) break;
    words.push(word);
  }
  if (reader.char === ";") reader.at++;
  else if (reader.char !== "\n") reader.fail('";" is missing before "do"');
  return words;
}

function readCase(reader: SourceReader, readers: CommandReaders, from: number): ShellCommand {
  const subject = requireWord(reader, "what case looks at");
  expectWord(reader, "in");
  const clauses: { patterns: Word[]; body: Sequence }[] = [];
  for (;;) {
    if (peekWord(reader) === "esac") break;
    const clauseFrom = reader.at;
    if (reader.char === "(") reader.at++;
    const patterns = [requireWord(reader, "a pattern")];
    for (reader.skipBlanks(); reader.char === "|"; reader.skipBlanks()) {
      reader.at++;
      patterns.push(requireWord(reader, "a pattern"));
    }
    reader.expect(")");
    const patternsTo = reader.at;
    const body: Sequence = { items: [] };
    readers.readItems(reader, body);
    clauses.push({ patterns, body });
    const isEnded = reader.take(/;;&|;;|;&/y) !== undefined;
    const to = isEnded ? reader.at : Math.max(patternsTo, endOf(body));
    reader.notes?.note("case_item", clauseFrom, to, clauses);
    if (!isEnded) break;
  }
  expectWord(reader, "esac");
  return withRedirects(reader, { type: "case", subject, clauses, from });
}

function readNamedFunction(
  reader: SourceReader,
  readers: CommandReaders,
  from: number,
): ShellCommand {
  reader.skipBlanks();
  const name = reader.take(/[A-Za-z_][\w.:@+-]*(?=[ \t\n(])/y) ?? reader.fail("a function's name");
  reader.skipBlanks();
  if (reader.take(/\([ \t]*\)/y) !== undefined) reader.skipBlanks();
  skipLines(reader);
  const body = readCompound(reader, readers) ?? reader.fail("a function has no body");
  return { type: "function", name, body, from, to: reader.at };
}

function skipLines(reader: SourceReader): void {
  reader.skipBlanks();
  while (reader.char === "\n") {
    readLineEnd(reader);
    reader.skipBlanks();
  }
}
