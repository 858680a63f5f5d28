// Questions with choices that are put to a person together, and what comes back. Every front-end puts them
// in its own way; what an answer is, and what counts if nobody gives one in time, is the same everywhere.

export interface PosedQuestion {
  /** Unique among those that are put together. */
  id: string;
  question: string;
  /** What can be chosen. Own words are always possible, and are no option. */
  options: readonly string[];
  /** Several can be chosen. */
  multi: boolean;
  /** Of the options, from 0; always one that there is. */
  recommended?: number;
}

export interface PosedAnswer {
  /** Of the options, from 0, in the order in which they were chosen. */
  selected: readonly number[];
  /** The person's own. */
  words?: string;
  /** Nobody answered in time. */
  isByTime?: true;
}

/** The recommended one, or the first. */
export function answerByTime({ options, recommended = 0 }: PosedQuestion): PosedAnswer {
  return { selected: recommended < options.length ? [recommended] : [], isByTime: true };
}

/** From a line: the numbers of options, from 1, or own words. Undefined if numbers lead nowhere. */
export function answerInWords(
  { options, multi }: PosedQuestion,
  line: string,
): PosedAnswer | undefined {
  const words = line.trim();
  const numbers = multi ? /^\d+(?:[\s,]+\d+)*$/ : /^\d+$/;
  if (options.length === 0 || !numbers.test(words)) return { selected: [], words };
  const selected = [...new Set(words.split(/[\s,]+/).map((number) => Number(number) - 1))];
  return selected.every((at) => options[at] !== undefined) ? { selected } : undefined;
}
