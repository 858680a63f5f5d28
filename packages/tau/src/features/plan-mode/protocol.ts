// Plan mode for programs that speak the protocol.

import { boolean, minLength, optional, picklist, pipe, string } from "valibot";
import {
  defineProtocolCommand,
  Unsupported,
  type FeatureProtocol,
} from "../../feature-api/protocol.ts";
import type { Session } from "../../session/session.ts";
import { PLAN_DESK, type PlanDesk } from "./plan-desk.ts";
import { PLAN_MODE } from "./plan-mode.ts";

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "set_plan_mode",
    summary: "Turns plan mode on or off; on, nothing is changed until a plan is approved",
    fields: { enabled: boolean() },
    run: async (session, { enabled }) => {
      const mode = session.parts.need(PLAN_MODE);
      if (enabled) return void (await mode.turnOn());
      if (mode.state.isOpen) return void (await deskOf(session).decide({ type: "leave" }));
      await mode.turnOff({ isTold: false });
      await mode.settleModel("other");
    },
  }),
  defineProtocolCommand({
    name: "approve_plan",
    summary: "Approves the plan that was handed in: plan mode ends, and it is carried out",
    fields: { context: optional(picklist(["keep", "fresh"])) },
    order: "at_once",
    run: async (session, { context = "keep" }) => {
      const desk = deskOf(session);
      if (context === "fresh" && !desk.canStartFresh) {
        throw new Unsupported("no other session can take the place of this one");
      }
      await desk.decide({ type: "approve", context });
    },
  }),
  defineProtocolCommand({
    name: "reject_plan",
    summary: "Sends the plan back with words; the model goes on planning",
    fields: { words: pipe(string(), minLength(1)) },
    order: "at_once",
    run: (session, { words }) => deskOf(session).decide({ type: "reject", words }),
  }),
];

function deskOf(session: Session): PlanDesk {
  return session.parts.need(PLAN_DESK);
}

export const state: FeatureProtocol["state"] = (session) => {
  const mode = session.part(PLAN_MODE);
  const { isOn = false, plan, isOpen } = mode?.state ?? {};
  return {
    planMode: isOn,
    /** Waits for a decision. */
    plan: isOpen && plan ? { ...plan, path: mode?.path } : undefined,
  };
};
