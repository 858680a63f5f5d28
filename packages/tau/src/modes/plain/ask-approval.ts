// Puts a call to the person at a terminal that can only print: what would run, why it is asked
// about, and the choice between once, for good, and not at all. Enter alone is no; where there is
// danger in it only the whole word is yes; and for good has to be said twice.

import type { Approval as Answer, ApprovalQuestion } from "@tau/agent/judge-call";
import { answerFor, whyAsked } from "../consent-answer.ts";
import type { Style } from "../../base/style.ts";
import { askLine, type Asking } from "./ask-line.ts";

/** Lines of what would run; the rest is counted. */
const SHOWN_LINES = 12;

export async function askApproval(question: ApprovalQuestion, asking: Asking): Promise<Answer> {
  const { style } = asking;
  let text = describe(question, style);
  for (;;) {
    const word = await askLine({ text, prompt: promptFor(question) }, asking);
    const meaning = meaningOf(word, question);
    if (meaning === "always") return askAgain(question, asking);
    if (meaning !== "unclear") return answerFor(question, meaning);
    const wanted = question.guard === undefined ? "yes or no" : "yes in full, or no";
    text = `${style.dim(`That is no answer; write ${wanted}.`)}\n`;
  }
}

export type LineMeaning = "once" | "always" | "no" | "unclear";

export function meaningOf(word: string | undefined, question: ApprovalQuestion): LineMeaning {
  const { guard, rules } = question;
  if (word === undefined || ["", "n", "no"].includes(word)) return "no";
  if (word === "yes" || (word === "y" && guard === undefined)) return "once";
  const isAlways = word === "always" || (word === "a" && guard === undefined);
  return isAlways && rules.length > 0 ? "always" : "unclear";
}

/** A rule outlasts the question: it is read before it is kept. */
async function askAgain(question: ApprovalQuestion, asking: Asking): Promise<Answer> {
  const text = question.rules.map((rule) => `  ${rule}\n`).join("");
  const prompt = "Keep this rule for good? Write always once more, or nothing for no:";
  const word = await askLine({ text, prompt }, asking);
  return answerFor(question, word === "always" ? "always" : "no");
}

function promptFor({ guard, rules }: ApprovalQuestion): string {
  const [yes, always] = guard === undefined ? ["yes (y)", "always (a)"] : ["yes", "always"];
  const choices = [`${yes} once`, ...(rules.length > 0 ? [always] : []), "no (Enter)"];
  return `Run it? ${choices.join(", ")}:`;
}

function describe(question: ApprovalQuestion, style: Style): string {
  const { call, prepared } = question;
  const params = prepared.params as Record<string, unknown>;
  const words =
    typeof params.command === "string" ? params.command : JSON.stringify(params, null, 2);
  const lines = words.split("\n");
  const shown = lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`);
  if (lines.length > SHOWN_LINES)
    shown.push(style.dim(`  … ${lines.length - SHOWN_LINES} more lines`));
  const why = style.dim(`asks: ${whyAsked(question)}`);
  return `${style.bold(call.name)} ${why}\n${shown.join("\n")}\n`;
}
