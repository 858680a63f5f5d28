// The one scanner behind all dialects. A grammar is a table from the markers that may
// interrupt visible text to what is read behind them; everything else is text. An opener
// that finds no such thing behind its marker declines, and the marker is text too.

import type { DialectScanner, DialectSink, ScannerOptions } from "../dialect.ts";
import type { ToolSpec } from "../../request.ts";
import { Input, type Step } from "./input.ts";
import { Markers } from "./markers.ts";
import { ReplyWriter } from "./reply-writer.ts";

export interface Scan {
  readonly input: Input;
  readonly out: ReplyWriter;
  readonly tools: ReadonlyMap<string, ToolSpec>;
}

/** Reads what follows a marker. False: nothing was consumed and the marker is plain text. */
export type Opener = (scan: Scan, marker: string) => Step<boolean> | boolean;

export interface Grammar {
  readonly openers: ReadonlyMap<string, Opener>;
  readonly markers: Markers;
  /** What ends reasoning that the prompt opened. */
  readonly thinkingEnd: Markers;
  /** Read once, before anything else. */
  readonly begin?: (scan: Scan) => Step;
}

export function defineGrammar(
  openers: Readonly<Record<string, Opener>>,
  options: { thinkingEnd: string; begin?: (scan: Scan) => Step },
): Grammar {
  return {
    openers: new Map(Object.entries(openers)),
    markers: new Markers(Object.keys(openers)),
    thinkingEnd: new Markers([options.thinkingEnd]),
    begin: options.begin,
  };
}

export function createScanner(
  grammar: Grammar,
  tools: readonly ToolSpec[],
  sink: DialectSink,
  options: ScannerOptions = {},
): DialectScanner {
  const input = new Input();
  const out = new ReplyWriter(sink);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const reading = readReply(grammar, { input, out, tools: byName }, options);
  reading.next();
  return {
    push(text) {
      if (text === "" || input.ending !== undefined) return;
      input.feed(text);
      reading.next();
    },
    end(ending) {
      if (input.ending !== undefined) return;
      input.end(ending);
      reading.next();
      out.end();
    },
  };
}

function* readReply(grammar: Grammar, scan: Scan, options: ScannerOptions): Step {
  const { input, out } = scan;
  if (options.startsInThinking) yield* readThinking(scan, grammar.thinkingEnd);
  if (grammar.begin) yield* grammar.begin(scan);
  for (;;) {
    const marker = yield* input.passUntil(grammar.markers, out.text);
    if (marker === undefined) return;
    const answer = grammar.openers.get(marker)!(scan, marker);
    if (typeof answer === "boolean" ? answer : yield* answer) continue;
    // An opener that waited for the rest of its header in vain: half a call is no text.
    if (input.ending === "cut") return;
    out.text(marker);
  }
}

function* readThinking({ input, out }: Scan, end: Markers): Step {
  out.seam();
  yield* input.passUntil(end, out.thinking);
  out.seam();
}

/** Reasoning up to `close`. In the middle of a line such a tag is talked about, not used. */
export function thinking(close: string): Opener {
  const end = new Markers([close]);
  return function* (scan) {
    if (!scan.out.isAtLineStart) return false;
    yield* readThinking(scan, end);
    return true;
  };
}

/** The end of reasoning that never began: some templates make models say it first. */
export const strayThinkingEnd: Opener = ({ out }) => {
  if (!out.isFresh) return false;
  out.seam();
  return true;
};

/** Opens a section of calls, which must begin with one of `calls`. */
export function section(calls: readonly string[]): Opener {
  return function* ({ input, out }) {
    if ((yield* input.next(calls)) === undefined) return false;
    out.seam();
    return true;
  };
}

/** Closes a section of calls. */
export const sectionEnd: Opener = ({ out }) => {
  if (out.callCount === 0) return false;
  out.seam();
  return true;
};

/** A result in a reply behind a call: the model imagines it, and all that follows from it. */
export const inventedResult: Opener = function* ({ input, out }) {
  if (out.callCount === 0) return false;
  out.seam();
  yield* input.drain();
  return true;
};

/** An end-of-turn token that the server let through. */
export const turnEnd: Opener = ({ out }, marker) => {
  out.hold(marker);
  return true;
};
