// Puts a call to the person at a terminal that can only print: what would run, why it is asked about,
// and the choice between once, for this session, for good, and not at all. Enter alone is no; if there is
// danger in it only a whole word is yes; and for good has to be said twice.

import type { Approval as Answer, ApprovalQuestion } from "@tau/agent/judge-call";
import type { ConsentScope } from "@tau/agent/hook-points";
import { sanitize } from "@tau/tui/width";
import { answerFor, verdictsFor, whyAsked, type Verdict } from "../consent-answer.ts";
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
    if (meaning === "always" || meaning === "everywhere")
      return askAgain(question, meaning, asking);
    if (meaning !== "unclear") return answerFor(question, meaning);
    text = `${style.dim(unclearWords(question))}\n`;
  }
}

export type LineMeaning = "once" | ConsentScope | "no" | "unclear";

export function meaningOf(word: string | undefined, question: ApprovalQuestion): LineMeaning {
  const { guard, scopes } = question;
  if (word === undefined || ["", "n", "no"].includes(word)) return "no";
  if (word === "yes" || (word === "y" && guard === undefined)) return "once";
  const isShort = (scope: ConsentScope): boolean =>
    guard === undefined && SHORT[scope] !== undefined && word === SHORT[scope];
  return scopes.find((scope) => word === scope || isShort(scope)) ?? "unclear";
}

/** A rule for every project is worth a whole word. */
const SHORT: Readonly<Partial<Record<ConsentScope, string>>> = {
  session: "s",
  always: "a",
  edits: "e",
};

function unclearWords({ guard }: ApprovalQuestion): string {
  return guard === undefined
    ? "That is not one of the choices."
    : "That is not one of the choices; write the whole word, or press Enter for no.";
}

/** A rule outlasts the question: it is read before it is kept. */
async function askAgain(
  question: ApprovalQuestion,
  scope: "always" | "everywhere",
  asking: Asking,
): Promise<Answer> {
  const text = question.rules.map((rule) => `  ${rule}\n`).join("");
  const where = scope === "always" ? "for this project" : "for all projects";
  const prompt = `Save this rule ${where}? Type ${scope} again, or press Enter for no:`;
  const word = await askLine({ text, prompt }, asking);
  return answerFor(question, word === scope ? scope : "no");
}

function isScope(verdict: Verdict): verdict is ConsentScope {
  return verdict !== "once" && verdict !== "no" && verdict !== "abort";
}

function promptFor({ guard, scopes }: ApprovalQuestion): string {
  const short = guard === undefined;
  const offered = verdictsFor({ scopes }).filter((verdict) => isScope(verdict));
  const worded = offered.map((scope) =>
    short && SHORT[scope] !== undefined ? `${scope} (${SHORT[scope]})` : scope,
  );
  const choices = [short ? "yes (y)" : "yes", ...worded];
  return `Run it? ${[...choices, "no (Enter)"].join(", ")}:`;
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
  // What holds for longer than once is read before it is chosen.
  const { rules } = question;
  const allowed = rules.map((rule) => rule.replace(/^allow /, "")).join(", ");
  if (rules.length > 0) shown.push(style.dim(`  beyond this once: ${allowed}`));
  const { place } = question;
  const which = place && place.of > 1 ? ` (call ${place.at} of ${place.of})` : "";
  const why = style.dim(`asks${which}: ${whyAsked(question)}`);
  const { agent } = question.origin ?? {};
  const who = agent === undefined ? "" : `${sanitize(agent)}: `;
  return `${style.bold(who + call.name)} ${why}\n${shown.join("\n")}\n`;
}
