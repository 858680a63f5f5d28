// What an answer to questions that were put together has to look like, and what it says.

import type { PosedAnswer } from "../../feature-api/posed-question.ts";
import { RpcError, type AskedAnswer, type AskedQuestion, type AskEndEvent } from "./protocol.ts";
import type { GivenAnswer } from "./questions.ts";

/** `answer` is undefined if there is none. */
interface Answered {
  outcome: AskEndEvent["outcome"];
  answer: readonly PosedAnswer[] | undefined;
}

/** Throws an `RpcError` that says what would be one. `asked`: as the client saw it. */
export function readPosedAnswers(
  asked: readonly AskedQuestion[],
  { verdict, value }: GivenAnswer,
): Answered {
  if (value === null || verdict === "no" || verdict === "abort") {
    return { outcome: "cancelled", answer: undefined };
  }
  if (!Array.isArray(value)) {
    throw new RpcError("invalid", "value: a list of answers with id, selected and words, or null");
  }
  const given = value as readonly AskedAnswer[];
  const stranger = given.find(({ id }) => !asked.some((one) => one.id === id));
  if (stranger) throw new RpcError("invalid", `value: there is no question "${stranger.id}"`);
  const answer = asked.map((question) => {
    const own = given.filter(({ id }) => id === question.id);
    if (own.length === 1) return readOne(question, own[0]!);
    const problem = own.length === 0 ? "is not answered" : "is answered twice";
    throw new RpcError("invalid", `value: the question "${question.id}" ${problem}`);
  });
  return { outcome: "answered", answer };
}

function readOne(
  { id, options, multi }: AskedQuestion,
  { selected = [], words = "" }: AskedAnswer,
): PosedAnswer {
  const labels = options.map(({ label }) => label);
  const places = [...new Set(selected.map((label) => labels.indexOf(label)))];
  if (places.includes(-1)) {
    const known = labels.map((label) => JSON.stringify(label)).join(", ");
    const choices = known === "" ? "nothing: answer with words" : known;
    throw new RpcError("invalid", `value: of "${id}" can be selected: ${choices}`);
  }
  const own = words.trim() === "" ? undefined : words;
  const count = places.length + (own === undefined ? 0 : 1);
  if (!multi && count !== 1) {
    throw new RpcError("invalid", `value: "${id}" takes one option, or words`);
  }
  return { selected: places, words: own };
}
