// Puts a plan to whoever sits there: it is approved, edited, sent back with words, or given up.

import type { Choice, UserInterface } from "../../feature-api/user-interface.ts";
import type { PlanAnswer } from "./plan-desk.ts";
import type { PlanMode } from "./plan-mode.ts";

export interface PlanQuestion {
  mode: PlanMode;
  canStartFresh: boolean;
  signal: AbortSignal;
}

const OWN = "plan mode";

/** Undefined if nobody decides now: the plan waits. */
export async function askAboutPlan(
  ui: Pick<UserInterface, "select" | "editText" | "input">,
  { mode, canStartFresh, signal }: PlanQuestion,
): Promise<PlanAnswer | undefined> {
  const how = { own: OWN, signal };
  for (;;) {
    const { plan } = await mode.current();
    const choice = await ui.select(titleOf(plan.title), choices(canStartFresh), how);
    switch (choice) {
      case "approve":
        return { type: "approve", context: "keep" };
      case "fresh":
        return { type: "approve", context: "fresh" };
      case "edit": {
        const text = await ui.editText("Edit the plan", plan.text, how);
        if (text !== undefined && text.trim() !== "" && text.trim() !== plan.text) {
          await mode.edit(text.trim());
        }
        break;
      }
      case "reject": {
        const words = (await ui.input("What should be different?", how))?.trim();
        if (words) return { type: "reject", words };
        break;
      }
      case "leave":
        return { type: "leave" };
      default:
        return undefined;
    }
    if (signal.aborted) return undefined;
  }
}

function titleOf(title: string): string {
  return title === "" ? "Carry out this plan?" : `Carry out this plan: ${title}?`;
}

function choices(canStartFresh: boolean): Choice[] {
  const fresh: Choice = {
    value: "fresh",
    label: "Approve, with a fresh context",
    description: "a new session that begins with the plan",
  };
  return [
    { value: "approve", label: "Approve", description: "carry it out in this session" },
    ...(canStartFresh ? [fresh] : []),
    { value: "edit", label: "Edit it", description: "then decide" },
    { value: "reject", label: "Send it back", description: "say what should be different" },
    { value: "leave", label: "Leave plan mode", description: "without carrying it out" },
  ];
}
