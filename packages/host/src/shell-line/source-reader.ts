// A place in the text of a command line, and the bounds of reading it. Everything the parser cannot
// vouch for is thrown as a problem here and becomes one node at the end of the tree.

import type { ScriptNotes } from "./script-notes.ts";
import type { HereDocument, Sequence } from "./syntax-tree.ts";

/** Each level costs a few calls of ours; nobody nests commands this deep. */
const MAX_DEPTH = 100;
/** Characters looked at more than once; a line that needs more was made to be slow. */
const MAX_LOOKAHEAD = 20_000_000;

/** What the parser will not guess about. */
export class ShellLineProblem extends Error {}

/** A here document whose lines have not come yet. */
export interface PendingDocument {
  delimiter: string;
  isLiteral: boolean;
  stripsTabs: boolean;
  askedAt: number;
  document: HereDocument;
}

export interface SharedBounds {
  depth: number;
  lookahead: number;
}

/** Reads commands up to `closer`, which is left unread. Words need it, and it needs words. */
export type ReadCommands = (reader: SourceReader, closer: ")" | undefined) => Sequence;

export class SourceReader {
  at = 0;
  readonly text: string;
  readonly readCommands: ReadCommands;
  readonly bounds: SharedBounds;
  documents: PendingDocument[] = [];
  /** Of the text itself: places in an inner text are others. */
  notes: ScriptNotes | undefined;

  constructor(
    text: string,
    readCommands: ReadCommands,
    bounds: SharedBounds = { depth: 0, lookahead: 0 },
  ) {
    this.text = text;
    this.readCommands = readCommands;
    this.bounds = bounds;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get char(): string {
    return this.text[this.at] ?? "";
  }

  startsWith(words: string): boolean {
    return this.text.startsWith(words, this.at);
  }

  /** A sticky pattern, tried here; what it matches is taken. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0];
    if (match !== undefined) this.at += match.length;
    return match;
  }

  expect(words: string): void {
    if (!this.startsWith(words)) this.fail(`"${words}" is missing`);
    this.at += words.length;
  }

  /** For text that stands inside this one but was changed on the way, as in backquotes. */
  inner(text: string): SourceReader {
    return new SourceReader(text, this.readCommands, this.bounds);
  }

  /** Counts one level, so that no input can exhaust the stack. */
  nested<T>(read: () => T): T {
    if (++this.bounds.depth > MAX_DEPTH) this.fail("it is nested too deep");
    const result = read();
    this.bounds.depth--;
    return result;
  }

  spend(characters: number): void {
    this.bounds.lookahead += characters;
    if (this.bounds.lookahead > MAX_LOOKAHEAD) this.fail("it takes too long to read");
  }

  fail(reason: string): never {
    throw new ShellLineProblem(reason);
  }

  /** Blanks, line continuations and a comment; never a line end. */
  skipBlanks(): void {
    this.take(/(?:[ \t]|\\\n)*/y);
    if (this.char === "#" && this.#startsWord()) {
      this.notes?.comments.push(this.at);
      this.take(/[^\n]*/y);
    }
  }

  #startsWord(): boolean {
    const before = this.text[this.at - 1];
    if (before === undefined || " \t\n;&|<>()".includes(before)) return true;
    return this.fail("there is a # after something else");
  }
}
