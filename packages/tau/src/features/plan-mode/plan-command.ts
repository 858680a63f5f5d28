// `/plan`: begins to plan, decides about a plan, and ends plan mode. Only a person may: what comes in as a
// prompt from elsewhere must not approve its own plan.

import { userText } from "@tau/ai/message";
import type { SessionCommand } from "../../session/session-command.ts";
import type { Session } from "../../session/session.ts";
import { UserError } from "../../user-error.ts";
import { PLAN_DESK, type PlanAnswer } from "./plan-desk.ts";
import { PLAN_MODE, type PlanMode } from "./plan-mode.ts";

const OFF: ReadonlySet<string> = new Set(["off", "exit", "end", "stop", "cancel", "leave"]);

export const offers: SessionCommand["complete"] = ({ session }) => {
  const mode = session.part(PLAN_MODE);
  if (!mode?.isOn) return [];
  return mode.state.isOpen ? ["approve", "approve fresh", "reject", "edit", "off"] : ["off"];
};

export const runPlan: SessionCommand["run"] = async (place, argument) => {
  const { session } = place;
  const mode = session.part(PLAN_MODE);
  if (!mode)
    throw new UserError("an agent has no plan mode of its own; turn it on for your session");
  const [word = "", ...rest] = argument.split(/\s+/);
  const isAlone = rest.length === 0;
  if (mode.isOn) {
    if (isAlone && OFF.has(word)) return leave(session, mode);
    const answer = answerIn(argument);
    if (answer && (mode.state.isOpen || answer.type === "approve")) {
      await session.parts.need(PLAN_DESK).decide(answer);
      return undefined;
    }
    if (argument === "edit") return edit(mode, place.editText);
    if (argument === "") return standing(mode);
  }
  if (isAlone && OFF.has(word)) return "Plan mode is not on.";
  await mode.turnOn();
  // As if it had been typed, once the session is in plan mode.
  if (argument !== "") await session.followUp(userText(argument), { typed: argument });
  return undefined;
};

function answerIn(argument: string): PlanAnswer | undefined {
  if (argument === "approve") return { type: "approve", context: "keep" };
  if (argument === "approve fresh") return { type: "approve", context: "fresh" };
  const words = /^reject\s+([\s\S]+)$/.exec(argument)?.[1];
  return words === undefined ? undefined : { type: "reject", words };
}

async function leave(session: Session, mode: PlanMode): Promise<undefined> {
  if (mode.state.isOpen) await session.parts.need(PLAN_DESK).decide({ type: "leave" });
  else {
    await mode.turnOff({ isTold: false });
    await mode.settleModel("other");
  }
  return undefined;
}

async function edit(
  mode: PlanMode,
  editText: ((text: string) => Promise<string | undefined>) | undefined,
): Promise<string> {
  const { plan } = await mode.current();
  if (!editText) {
    throw new UserError(
      mode.path === undefined
        ? "/plan edit needs a terminal"
        : `/plan edit needs a terminal; the plan is in ${mode.path}`,
    );
  }
  const text = (await editText(plan.text))?.trim();
  if (!text || text === plan.text) return "The plan is as it was.";
  await mode.edit(text);
  return "The plan is changed; /plan approve carries it out.";
}

function standing({ state, path }: PlanMode): string {
  const { plan, isOpen } = state;
  if (!plan || !isOpen)
    return "Plan mode is on; no plan has been handed in yet. /plan off ends it.";
  const where = path === undefined ? "" : ` (${path})`;
  return `A plan waits for your decision: ${plan.title}${where}\n/plan approve, /plan approve fresh, /plan reject WORDS, /plan edit, /plan off`;
}
