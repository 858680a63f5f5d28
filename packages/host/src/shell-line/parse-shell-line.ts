// From the text of a bash command line to its tree. It takes a subset of what bash takes and
// never more: a line that is understood here is one that bash would run. Pure text; nothing is
// looked up, nothing is run.

import { readCompound } from "./parse-compound.ts";
import { readLineEnd, readRedirect } from "./parse-redirect.ts";
import { readWord, WordPlace } from "./parse-word.ts";
import type { ScriptNotes } from "./script-notes.ts";
import { ShellLineProblem, SourceReader } from "./source-reader.ts";
import {
  bareText,
  type Assignment,
  type Pipeline,
  type Sequence,
  type ShellCommand,
  type ShellLine,
  type SimpleCommand,
  type Word,
} from "./syntax-tree.ts";

const ASSIGNMENT = /^([A-Za-z_]\w*)(\[)?/;
/** They end a list where a command could begin. */
const CLOSING_WORDS = /(?:then|elif|else|fi|do|done|esac|\})(?=[ \t\n;&|()<>]|\\\n|$)/y;
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi in for while until do done case esac select function coproc time ! { } [[ ]]".split(
    " ",
  ),
);
/** Commands that take assignments as arguments, arrays too. */
const DECLARATIONS: ReadonlySet<string> = new Set(
  "declare typeset local export readonly".split(" "),
);

/** Never throws: what is not understood is an `unknown` command at the end of the tree. */
export function parseShellLine(text: string, notes?: ScriptNotes): ShellLine {
  const body: Sequence = { items: [] };
  const reader = new SourceReader(text, readSequence);
  reader.notes = notes;
  let from = 0;
  try {
    readItems(reader, body, (at) => (from = at));
    if (!reader.isAtEnd) reader.fail(`"${reader.char}" closes nothing`);
    if (reader.documents.length > 0) reader.fail("a here document has no lines");
  } catch (error) {
    if (!(error instanceof ShellLineProblem)) throw error;
    if (notes) notes.problem = { reason: error.message, at: reader.at };
    const command = { type: "unknown", reason: error.message, from, to: text.length } as const;
    body.items.push({ command, isBackground: false });
  }
  return { text, body };
}

function readSequence(reader: SourceReader, closer: ")" | undefined): Sequence {
  const outer = reader.documents;
  reader.documents = [];
  const body: Sequence = { items: [] };
  readItems(reader, body);
  if (closer === undefined && !reader.isAtEnd) reader.fail(`"${reader.char}" closes nothing`);
  if (reader.documents.length > 0) reader.fail("a here document has no lines");
  reader.documents = outer;
  return body;
}

/** Up to what ends a list: `)`, a closing word, `;;` or the end. */
function readItems(reader: SourceReader, body: Sequence, onItem?: (at: number) => void): void {
  for (;;) {
    skipLines(reader);
    onItem?.(reader.at);
    if (isAtListEnd(reader)) return;
    const command = readAndOr(reader);
    reader.skipBlanks();
    const isBackground = reader.char === "&";
    if (reader.startsWith("&\\\n") || reader.startsWith(";\\\n")) {
      reader.fail("an operator is continued");
    }
    body.items.push({ command, isBackground });
    reader.notes?.note("statement", command.from, command.to, body);
    // The end of a clause of `case`.
    if (reader.startsWith(";;") || reader.startsWith(";&")) return;
    if (isBackground || reader.char === ";") reader.at++;
    else if (reader.char !== "\n") return;
  }
}

function isAtListEnd(reader: SourceReader): boolean {
  if (reader.isAtEnd || reader.char === ")" || reader.char === ";") return true;
  const { at } = reader;
  const word = reader.take(CLOSING_WORDS);
  reader.at = at;
  return word !== undefined;
}

function skipLines(reader: SourceReader): void {
  reader.skipBlanks();
  while (reader.char === "\n") {
    readLineEnd(reader);
    reader.skipBlanks();
  }
}

function readAndOr(reader: SourceReader): ShellCommand {
  const from = reader.at;
  const first = readPipeline(reader);
  const rest: { operator: "&&" | "||"; command: ShellCommand; at: { from: number; to: number } }[] =
    [];
  for (;;) {
    reader.skipBlanks();
    const at = reader.at;
    const operator = reader.startsWith("&&") ? "&&" : reader.startsWith("||") ? "||" : undefined;
    if (operator === undefined) break;
    reader.at += 2;
    skipLines(reader);
    rest.push({ operator, command: readPipeline(reader), at: { from: at, to: at + 2 } });
  }
  return rest.length === 0 ? first : { type: "and-or", first, rest, from, to: reader.at };
}

function readPipeline(reader: SourceReader): ShellCommand {
  const from = reader.at;
  const pipeline: Pipeline = {
    type: "pipeline",
    commands: [],
    bars: [],
    isNegated: false,
    isTimed: false,
    from,
    to: from,
  };
  for (;;) {
    if (reader.take(/!(?=[ \t])/y) !== undefined) pipeline.isNegated = !pipeline.isNegated;
    else if (reader.take(/time(?:[ \t]+-p)?(?=[ \t])/y) !== undefined) pipeline.isTimed = true;
    else break;
    reader.skipBlanks();
  }
  for (;;) {
    pipeline.commands.push(readCommand(reader));
    const end = reader.at;
    reader.skipBlanks();
    if (reader.char !== "|" || reader.startsWith("||")) {
      pipeline.to = end;
      break;
    }
    if (reader.startsWith("|\\\n")) reader.fail("an operator is continued");
    const bar = reader.at;
    const withErrors = reader.startsWith("|&");
    reader.at += withErrors ? 2 : 1;
    pipeline.bars.push({ from: bar, to: reader.at, withErrors });
    skipLines(reader);
  }
  const isPlain = pipeline.commands.length === 1 && !pipeline.isNegated && !pipeline.isTimed;
  return isPlain ? pipeline.commands[0]! : pipeline;
}

function readCommand(reader: SourceReader): ShellCommand {
  return reader.nested(
    () => readCompound(reader, { readItems, readCommand }) ?? readSimple(reader),
  );
}

function readSimple(reader: SourceReader): ShellCommand {
  const from = reader.at;
  const command: SimpleCommand = {
    type: "simple",
    assignments: [],
    words: [],
    redirects: [],
    text: "",
    from,
    to: from,
  };
  for (;;) {
    const redirect = readRedirect(reader);
    if (redirect) command.redirects.push(redirect);
    else {
      const word = readWord(reader, placeOf(command));
      if (!word) break;
      addWord(reader, command, word);
      if (reader.char === "(" && isFunctionName(command)) return readFunction(reader, command);
    }
    command.to = reader.at;
    reader.skipBlanks();
  }
  if (command.to === from) reader.fail("a command is missing");
  if (reader.char === "(") {
    if (isFunctionName(command)) return readFunction(reader, command);
    reader.fail("there is a parenthesis after a word");
  }
  command.text = reader.text.slice(from, command.to);
  reader.at = command.to;
  return command;
}

function placeOf(command: SimpleCommand): WordPlace {
  if (command.words.length === 0) return WordPlace.start;
  const isDeclaration = DECLARATIONS.has(bareText(command.words[0]!) ?? "");
  return isDeclaration ? WordPlace.declaration : WordPlace.other;
}

function addWord(reader: SourceReader, command: SimpleCommand, word: Word): void {
  const assignment = command.words.length === 0 ? assignmentOf(word) : undefined;
  if (assignment) {
    command.assignments.push(assignment);
    return;
  }
  if (word.parts.some((part) => part.type === "array") && placeOf(command) === WordPlace.start) {
    reader.fail("an array is assigned to no name");
  }
  if (command.words.length === 0 && KEYWORDS.has(bareText(word) ?? "")) {
    reader.fail(`"${bareText(word)}" is in the place of a command`);
  }
  command.words.push(word);
}

/** `name=value`, `name+=value`, `name[i]=value`; undefined for any other word. */
function assignmentOf(word: Word): Assignment | undefined {
  const [first] = word.parts;
  if (first?.type !== "literal" || first.isQuoted) return undefined;
  const name = ASSIGNMENT.exec(first.text);
  if (!name) return undefined;
  const isElement = name[2] !== undefined;
  // An index may have values in it; what matters is where the `=` behind it is.
  let index = 0;
  let at = name[1]!.length;
  if (isElement) {
    for (; index < word.parts.length; index++, at = 0) {
      const part = word.parts[index]!;
      const close = part.type === "literal" && !part.isQuoted ? part.text.indexOf("]", at) : -1;
      if (close >= 0) {
        at = close + 1;
        break;
      }
    }
  }
  const part = word.parts[index];
  if (part?.type !== "literal" || part.isQuoted) return undefined;
  const sign = /^\+?=/.exec(part.text.slice(at))?.[0];
  if (sign === undefined) return undefined;
  const rest = part.text.slice(at + sign.length);
  const tail = word.parts.slice(index + 1);
  const array = tail.find((candidate) => candidate.type === "array");
  const subscript = isElement ? word.parts.slice(0, index) : [];
  return {
    name: name[1]!,
    isAppended: sign === "+=",
    isElement,
    value: {
      from: word.from,
      to: word.to,
      parts: [
        ...(rest === "" ? [] : [{ ...part, text: rest }]),
        ...tail.filter((candidate) => candidate.type !== "array"),
        // What an index runs is run too.
        ...subscript.filter((candidate) => candidate.type !== "literal"),
      ],
    },
    elements: array?.elements,
  };
}

function isFunctionName(command: SimpleCommand): boolean {
  if (command.words.length !== 1 || command.assignments.length + command.redirects.length > 0) {
    return false;
  }
  return /^[\w.:@+-]+$/.test(bareText(command.words[0]!) ?? "");
}

function readFunction(reader: SourceReader, { words, from }: SimpleCommand): ShellCommand {
  reader.at++;
  reader.skipBlanks();
  reader.expect(")");
  skipLines(reader);
  const body =
    readCompound(reader, { readItems, readCommand }) ?? reader.fail("a function has no body");
  return { type: "function", name: bareText(words[0]!)!, body, from, to: reader.at };
}
