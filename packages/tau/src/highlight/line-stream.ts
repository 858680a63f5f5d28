// A line as the parsers of `@codemirror/legacy-modes` read it. They come from an editor that
// brings such a stream along; a terminal needs none of that editor, only these few methods.

import type { StringStream } from "@codemirror/streamparser";

/** What a place may be compared with: a character, a class of them, or a question about one. */
type CharacterTest = string | RegExp | ((character: string) => boolean);

// Only indentation is counted with it, and lines have no tabs any more when they come here.
const TAB_COLUMNS = 4;

export class LineStream {
  readonly string: string;
  readonly indentUnit: number;
  pos = 0;
  start = 0;

  constructor(line: string, indentUnit: number) {
    this.string = line;
    this.indentUnit = indentUnit;
  }

  eol(): boolean {
    return this.pos >= this.string.length;
  }

  sol(): boolean {
    return this.pos === 0;
  }

  peek(): string | undefined {
    return this.string.charAt(this.pos) || undefined;
  }

  next(): string | undefined {
    return this.pos < this.string.length ? this.string.charAt(this.pos++) : undefined;
  }

  eat(wanted: CharacterTest): string | undefined {
    const character = this.string.charAt(this.pos);
    if (character === "" || !fits(character, wanted)) return undefined;
    this.pos++;
    return character;
  }

  eatWhile(wanted: CharacterTest): boolean {
    const from = this.pos;
    while (this.eat(wanted) !== undefined);
    return this.pos > from;
  }

  eatSpace(): boolean {
    return this.eatWhile(/\s/);
  }

  skipToEnd(): void {
    this.pos = this.string.length;
  }

  skipTo(text: string): boolean {
    const at = this.string.indexOf(text, this.pos);
    if (at < 0) return false;
    this.pos = at;
    return true;
  }

  backUp(characters: number): void {
    this.pos -= characters;
  }

  column(): number {
    return columnsOf(this.string.slice(0, this.start));
  }

  indentation(): number {
    return columnsOf(/^\s*/.exec(this.string)![0]);
  }

  match(
    pattern: string | RegExp,
    consume = true,
    caseInsensitive = false,
  ): boolean | RegExpMatchArray | null {
    if (typeof pattern === "string") {
      const same = (text: string): string => (caseInsensitive ? text.toLowerCase() : text);
      const here = this.string.slice(this.pos, this.pos + pattern.length);
      if (same(here) !== same(pattern)) return null;
      if (consume) this.pos += pattern.length;
      return true;
    }
    const found = this.string.slice(this.pos).match(pattern);
    if (!found || found.index! > 0) return null;
    if (consume) this.pos += found[0].length;
    return found;
  }

  current(): string {
    return this.string.slice(this.start, this.pos);
  }

  /** The same to the parsers; their type has private parts that no other class can have. */
  get forParser(): StringStream {
    return this as unknown as StringStream;
  }
}

function fits(character: string, wanted: CharacterTest): boolean {
  if (typeof wanted === "string") return character === wanted;
  return wanted instanceof RegExp ? wanted.test(character) : Boolean(wanted(character));
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    columns += character === "\t" ? TAB_COLUMNS - (columns % TAB_COLUMNS) : 1;
  }
  return columns;
}
