// What the model is told of plan mode, and of what became of its plan.

import { developerText } from "@tau/ai/message";
import type { SaidMessage } from "@tau/agent/mail";
import begins from "./plan-words.md" with { type: "text" };
import type { PlanText } from "./plan-state.ts";
import { SUBMIT_PLAN } from "./read-only-tools.ts";

export const planModeIsOn = (): SaidMessage => developerText(begins.trim());

export const planModeIsOff = (): SaidMessage =>
  developerText(
    "Plan mode is off: the user has ended it. All tools are there again. Carry out a plan only if they ask for it.",
  );

/** For an agent. */
export const AGENT_WORDS =
  "The session that you work for only plans: you can read, and nothing can be changed. Find out what you were asked for, and hand in what you found.";

/** What the user changed in it themselves. */
function edited(plan: PlanText): string {
  return `\n\nThe user has edited the plan. This is what counts:\n\n<plan>\n${plan.text}\n</plan>`;
}

export function approved(plan: PlanText, isEdited: boolean): string {
  const words = `The user has approved the plan "${plan.title}". Plan mode is off and all tools are there again. Carry it out now, step by step.`;
  return isEdited ? words + edited(plan) : words;
}

export const APPROVED_LATER =
  "The user has approved the plan. It will be carried out from your next message on; say nothing more now.";

export function rejected(words: string, plan: PlanText, isEdited: boolean): string {
  const text = `The user does not approve the plan yet: ${words}\n\nPlan mode stays on. Change the plan accordingly and hand it in again with ${SUBMIT_PLAN}.`;
  return isEdited ? text + edited(plan) : text;
}

export const LEFT =
  "The user has ended plan mode without approving the plan. Do not carry it out; wait for what they say.";

export const UNDECIDED =
  "The plan is with the user, who has not decided yet. Plan mode stays on; say nothing more now.";

/** What a fresh session begins with. */
export function handoverDocument({ title, text }: PlanText): string {
  return `# Approved plan: ${title}\n\nIt was made in an earlier session, with nothing but reading, and the user has approved it.\n\n${text}`;
}

export const carryOut = (): SaidMessage =>
  developerText("Carry out the approved plan now, step by step.");
