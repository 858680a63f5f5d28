// What the user answered, for the model and for whoever shows it.

import type { PosedAnswer, PosedQuestion } from "../../feature-api/posed-question.ts";

export interface AskResult {
  id: string;
  question: string;
  options: readonly string[];
  multi: boolean;
  /** In the order in which they were chosen. */
  selectedOptions: readonly string[];
  customInput?: string;
  /** Nobody answered in time: it was chosen for them. */
  isByTime?: true;
}

/** One result for each question, in their order, also for a single one. */
export interface AskDetails {
  results: readonly AskResult[];
}

export function resultsOf(
  posed: readonly PosedQuestion[],
  answers: readonly PosedAnswer[],
): AskResult[] {
  return posed.map(({ id, question, options, multi }, at) => {
    const { selected, words: customInput, isByTime } = answers[at]!;
    const selectedOptions = selected.flatMap((place) => options[place] ?? []);
    return { id, question, options, multi, selectedOptions, customInput, isByTime };
  });
}

const BY_TIME = "nobody answered in time; chosen automatically";
const NONE = "none of the options";

export function wordsOf(results: readonly AskResult[]): string {
  const [only, ...others] = results;
  if (only && others.length === 0) return wordsOfOne(only);
  return ["User answers:", ...results.map(lineOf)].join("\n");
}

function wordsOfOne({ selectedOptions, customInput, isByTime }: AskResult): string {
  const chosen = selectedOptions.join(", ");
  if (isByTime) return `No answer by the user (${BY_TIME}): ${chosen || NONE}`;
  const lines = [
    chosen === "" && customInput !== undefined ? "" : `User selected: ${chosen || NONE}`,
    customInput === undefined ? "" : `User provided custom input: ${customInput}`,
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function lineOf({ id, selectedOptions, customInput, isByTime }: AskResult): string {
  const own = customInput === undefined ? [] : [`custom input: ${customInput}`];
  const said = [...(selectedOptions.length > 0 ? [selectedOptions.join(", ")] : []), ...own];
  const words = said.length === 0 ? NONE : said.join("; ");
  return `${id}: ${words}${isByTime ? ` (${BY_TIME})` : ""}`;
}
