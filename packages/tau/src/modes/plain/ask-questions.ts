// Questions that are put together, at a terminal that can only print: one after the other, each answered
// with the number of an option or in own words, and with a way back.

import { answerByTime, answerInWords } from "../../feature-api/posed-question.ts";
import type { PosedAnswer, PosedQuestion } from "../../feature-api/posed-question.ts";

/** Leads back to the question before. */
const BACK = "<";

/** What is put, and the line that asks for an answer. */
export interface PutLine {
  about: string;
  prompt: string;
}

/** A line as it was typed, `late` if nobody typed one in time, undefined if nobody wants to. */
type AskForLine = (put: PutLine) => Promise<{ line: string } | "late" | undefined>;

export async function askQuestions(
  posed: readonly PosedQuestion[],
  ask: AskForLine,
): Promise<readonly PosedAnswer[] | undefined> {
  const answers: (PosedAnswer | undefined)[] = posed.map(() => undefined);
  let slip = "";
  for (let at = 0; at < posed.length;) {
    const question = posed[at]!;
    const said = await ask(wordsFor(question, { at, of: posed.length, slip }));
    slip = "";
    if (said === "late") return posed.map((one, place) => answers[place] ?? answerByTime(one));
    if (said === undefined || said.line === "") return undefined;
    if (said.line === BACK && at > 0) {
      at--;
      continue;
    }
    answers[at] = answerInWords(question, said.line);
    if (answers[at]) at++;
    else slip = `There is no option ${said.line}. `;
  }
  return answers as PosedAnswer[];
}

function wordsFor(
  { question, options, multi, recommended }: PosedQuestion,
  { at, of, slip }: { at: number; of: number; slip: string },
): PutLine {
  const lines = options.map(
    (label, place) => `${place + 1}. ${label}${place === recommended ? " (Recommended)" : ""}`,
  );
  const where = of > 1 ? `${at + 1} of ${of}: ` : "";
  const numbers = multi ? "Numbers, or your own words" : "A number, or your own words";
  const how = options.length === 0 ? "Your own words" : numbers;
  const back = at > 0 ? `; ${BACK} goes back` : "";
  return {
    about: `${where}${question}\n${lines.join("\n")}`,
    prompt: `${slip}${how}${back}; Enter cancels:`,
  };
}
