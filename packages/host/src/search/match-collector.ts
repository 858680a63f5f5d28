// Gathers the lines of one source as an engine finds them, ascending: keeps matches up to
// the limit and within the wanted lines, their context and nothing else, whatever the
// engine sent besides. Goes on counting where it no longer keeps.

import { windowOf, type WholeLine } from "./line-window.ts";
import type { LineRange, SearchLine } from "./search-query.ts";

/** One match may span a whole file; its first lines say what it is. */
const MAX_LINES_OF_MATCH = 100;

export interface CollectorLimits {
  maxMatches: number;
  maxColumns: number;
  contextBefore: number;
  contextAfter: number;
  ranges?: readonly LineRange[] | undefined;
}

/** One match as an engine reports it: usually one line, several where it spans them. */
export interface FoundMatch {
  lines: readonly WholeLine[];
  /** Neighbouring matches that span lines come together. */
  count: number;
}

export class MatchCollector {
  readonly lines: SearchLine[] = [];
  matches = 0;
  shown = 0;
  /** The source turned out to be no text; what was kept of it does not count. */
  binary = false;

  readonly #limits: CollectorLimits;
  readonly #lastLine: number;
  #before: WholeLine[] = [];
  #afterUntil = 0;

  constructor(limits: CollectorLimits) {
    this.#limits = limits;
    this.#lastLine = Math.max(0, ...(limits.ranges ?? [{ end: Infinity }]).map(({ end }) => end));
  }

  get columnsCut(): boolean {
    return this.lines.some(({ truncated }) => truncated);
  }

  /** What an engine may stop at; undefined when the wanted lines are not the first ones. */
  get stopAfterMatches(): number | undefined {
    return this.#limits.ranges === undefined ? this.#limits.maxMatches : undefined;
  }

  match({ lines, count }: FoundMatch): void {
    const wanted = lines.some(({ line }) => this.#isWanted(line));
    if (!wanted) return lines.forEach((line) => this.context({ ...line, kind: "context" }));
    this.matches += count;
    if (this.shown >= this.#limits.maxMatches) {
      return lines.forEach((line) => this.context({ ...line, kind: "context" }));
    }
    const first = lines[0]!.line;
    for (const line of this.#before) {
      if (line.line >= first - this.#limits.contextBefore) this.#keep(line);
    }
    this.#before = [];
    const kept = lines.slice(0, MAX_LINES_OF_MATCH);
    for (const line of kept) {
      const isCut = line === kept.at(-1) && kept.length < lines.length;
      this.#keep(isCut ? { ...line, truncated: true } : line);
    }
    this.shown += count;
    this.#afterUntil = lines.at(-1)!.line + this.#limits.contextAfter;
  }

  context(line: WholeLine): void {
    if (line.line <= this.#afterUntil) return this.#keep({ ...line, ranges: [] });
    if (this.#limits.contextBefore === 0) return;
    this.#before.push({ ...line, ranges: [] });
    if (this.#before.length > this.#limits.contextBefore) this.#before.shift();
  }

  /** Whether lines after this one can still add anything. */
  isPast(line: number): boolean {
    return line > this.#lastLine && line > this.#afterUntil;
  }

  #isWanted(line: number): boolean {
    const { ranges } = this.#limits;
    return ranges?.some(({ start, end }) => line >= start && line <= end) ?? true;
  }

  #keep(line: WholeLine): void {
    this.lines.push(windowOf(line, this.#limits.maxColumns));
  }
}
