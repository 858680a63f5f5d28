// Colours code for the terminal, line by line. Parsers are loaded when their language is first
// met, so that a start pays for none; what is not there yet, or fails, is shown plain.

import type { Span } from "@tau/tui/components/spans";
import type { CodeHighlighter, HighlightLine } from "@tau/tui/markdown/code-highlighter";
import type { Theme } from "@tau/tui/theme/theme";
import type { ThemeToken } from "@tau/tui/theme/tokens";
import type { HighlightRow, LanguageParser } from "./highlight-languages.ts";
import { findHighlightRow } from "./highlight-languages.ts";
import { LineStream } from "./line-stream.ts";
import { tokenOf } from "./token-colors.ts";

/** In UTF-16 units: what is longer is data, and some parsers look back over the whole line. */
const MAX_LINE_LENGTH = 2000;
/** Columns of one step in, as the parsers are told; few of them care. */
const INDENT_UNIT = 2;
/** A parser may change its state without reading; one that does so this often never will. */
const MAX_EMPTY_TOKENS = 10;
/** A line that takes this long is felt. */
const SLOW_LINE_MS = 250;
/** One may have met a laptop that slept; after these the language is shown plain. */
const MAX_SLOW_LINES = 3;

/** Lines that come before a parser does; it is there within milliseconds. */
const MAX_MISSED_LINES = 2000;

/** What is in most answers. */
const COMMON = ["typescript", "python", "shell", "json", "yaml", "diff"];

type Loaded = LanguageParser | "loading" | "broken";

export interface SyntaxHighlighterOptions {
  theme: Theme;
  /** A language has come: what is drawn next can be coloured. */
  onLoaded?(): void;
  languages?: readonly HighlightRow[];
}

export class SyntaxHighlighter implements CodeHighlighter {
  readonly #options: SyntaxHighlighterOptions;
  readonly #loaded = new Map<string, Loaded>();
  readonly #loading = new Set<Promise<void>>();

  constructor(options: SyntaxHighlighterOptions) {
    this.#options = options;
  }

  /** Loads these, or what is most likely to come, in the background. Never fails. */
  async preload(languages: readonly string[] = COMMON): Promise<void> {
    for (const name of languages) {
      const row = this.#find(name);
      if (row) this.#parserOf(row);
    }
    await this.settled();
  }

  /** Every language that was asked for is there or given up. */
  async settled(): Promise<void> {
    while (this.#loading.size > 0) await Promise.all(this.#loading);
  }

  start(language: string): HighlightLine | undefined {
    const row = this.#find(language);
    if (!row) return undefined;
    const parser = this.#parserOf(row);
    if (parser === "broken") return undefined;
    return parser === "loading" ? this.#linesLater(row.name) : this.#begin(parser, row.name);
  }

  #begin(parser: LanguageParser, name: string): HighlightLine | undefined {
    try {
      return this.#lines(parser, name);
    } catch {
      return this.#giveUp(name);
    }
  }

  /** Plain until the parser comes; it then reads what it missed, to know where it is. */
  #linesLater(name: string): HighlightLine {
    const missed: string[] = [];
    let ready: HighlightLine | undefined;
    return (line) => {
      const parser = this.#loaded.get(name);
      if (!ready && typeof parser === "object") {
        ready = this.#begin(parser, name);
        for (const earlier of missed.splice(0)) ready?.(earlier);
      }
      if (ready) return ready(line);
      if (missed.length < MAX_MISSED_LINES) missed.push(line);
      return [{ text: line }];
    };
  }

  #lines(parser: LanguageParser, name: string): HighlightLine {
    const state = parser.startState?.(INDENT_UNIT) ?? {};
    let slowLines = 0;
    return (line) => {
      if (line.length > MAX_LINE_LENGTH || this.#loaded.get(name) !== parser) {
        return [{ text: line }];
      }
      const began = performance.now();
      try {
        return this.#spans(line, parser, state);
      } catch {
        // Whatever it was that the parser could not read: the code itself matters, not its colours.
        this.#giveUp(name);
        return [{ text: line }];
      } finally {
        if (performance.now() - began > SLOW_LINE_MS && ++slowLines >= MAX_SLOW_LINES) {
          this.#giveUp(name);
        }
      }
    };
  }

  #spans(line: string, parser: LanguageParser, state: unknown): Span[] {
    if (line === "") {
      parser.blankLine?.(state, INDENT_UNIT);
      return [{ text: "" }];
    }
    const stream = new LineStream(line, INDENT_UNIT);
    const spans: Span[] = [];
    while (!stream.eol()) {
      const token = readToken(stream, parser, state);
      const text = stream.current();
      const shown = token === "syntaxVariable" && isCalled(stream) ? "syntaxFunction" : token;
      spans.push(shown ? { text, paint: this.#options.theme.style(shown) } : { text });
    }
    return spans;
  }

  #find(language: string): HighlightRow | undefined {
    const { languages } = this.#options;
    return languages
      ? languages.find(({ name, aliases }) => name === language || aliases.includes(language))
      : findHighlightRow(language);
  }

  #parserOf(row: HighlightRow): Loaded {
    const known = this.#loaded.get(row.name);
    if (known !== undefined) return known;
    this.#loaded.set(row.name, "loading");
    const loading = this.#load(row).finally(() => this.#loading.delete(loading));
    this.#loading.add(loading);
    return "loading";
  }

  async #load(row: HighlightRow): Promise<void> {
    try {
      this.#loaded.set(row.name, await row.load());
      this.#options.onLoaded?.();
    } catch {
      // A module that is not there or does not run leaves its language plain.
      this.#giveUp(row.name);
    }
  }

  #giveUp(name: string): undefined {
    this.#loaded.set(name, "broken");
    return undefined;
  }
}

function readToken(
  stream: LineStream,
  parser: LanguageParser,
  state: unknown,
): ThemeToken | undefined {
  stream.start = stream.pos;
  for (let tries = 0; tries < MAX_EMPTY_TOKENS; tries++) {
    const name = parser.token(stream.forParser, state);
    if (stream.pos > stream.start) return tokenOf(name);
  }
  throw new Error(`The parser ${parser.name ?? ""} reads nothing at "${stream.string}".`);
}

/** A name right before a bracket is a function's, in almost every language. */
const isCalled = (stream: LineStream): boolean => stream.peek() === "(";
