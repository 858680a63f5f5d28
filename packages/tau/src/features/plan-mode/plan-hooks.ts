// What plan mode does to a run: the model is told, calls that could change something are refused, and a
// run ends once its plan is with the user.

import { EXTENSION_ORDER, type HookHandlers } from "@tau/agent/hooks";
import type { Tool } from "@tau/agent/tool";
import { toolCallsOf } from "@tau/ai/message";
import type { FeatureHost } from "../../feature-api/feature.ts";
import { isOffered, refusal, refuseChange, type OfferPlace } from "./read-only-tools.ts";
import type { PlanDesk } from "./plan-desk.ts";
import type { PlanMode } from "./plan-mode.ts";
import { stateEntry } from "./plan-state.ts";
import { planModeIsOff, planModeIsOn } from "./plan-words.ts";

/** After extensions have rewritten a call, and after approval has judged it. */
const JUDGES_LAST = EXTENSION_ORDER + 300;

/** The guard alone, for every session: an agent's is on while that of the session it works for is. */
export function guardCalls(isOn: () => boolean, place: OfferPlace): HookHandlers {
  /** Calls of the last reply, if it was made in plan mode: an approval is not theirs. */
  let planned: ReadonlySet<string> = new Set();
  return {
    reply: ({ message }) => {
      planned = new Set(isOn() ? toolCallsOf(message).map(({ id }) => id) : []);
    },
    tool_call: {
      order: JUDGES_LAST,
      handle: ({ call, tool, params }) => {
        if (!isOn() && !planned.has(call.id)) return undefined;
        return isOffered(tool as Tool, place) ? refuseChange(tool, params) : refusal(tool.name);
      },
    },
  };
}

export function planHooks(
  host: Pick<FeatureHost, "wishes">,
  { mode, desk }: { mode: PlanMode; desk: PlanDesk },
): HookHandlers {
  return {
    // What was asked for on the command line holds for the first session.
    session_start: async ({ previous }) => {
      if (host.wishes.planMode && previous === undefined) await mode.turnOn();
    },
    run_start: async () => {
      desk.endsRun = false;
      if (mode.state.isTold) return undefined;
      const words = mode.isOn ? planModeIsOn() : planModeIsOff();
      await mode.markTold();
      return { messages: [words] };
    },
    turn_end: () => (desk.endsRun ? { type: "done" } : undefined),
    session_compacting: () => (mode.isOn ? { reinject: [planModeIsOn()] } : undefined),
    session_handing_over: () => {
      const { isOn, plan } = mode.state;
      // Nobody gets out of it by a conversation that was full.
      if (isOn) return { entries: [stateEntry({ ...mode.state, isTold: false })] };
      if (!plan) return undefined;
      return { entries: [{ type: "title", title: plan.title, source: "auto" }] };
    },
  };
}
