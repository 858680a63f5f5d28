// Goals for programs that speak the protocol.

import { maxLength, minLength, pipe, string } from "valibot";
import { defineProtocolCommand, type FeatureProtocol } from "../../feature-api/protocol.ts";
import { GOAL, MAX_CONDITION_CHARS } from "./goal.ts";

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "set_goal",
    summary: "Sets a goal: from the next prompt on the session works until its condition holds",
    fields: { condition: pipe(string(), minLength(1), maxLength(MAX_CONDITION_CHARS)) },
    run: async (session, { condition }) => session.parts.need(GOAL).set(condition),
  }),
  defineProtocolCommand({
    name: "end_goal",
    summary: "Ends the goal; the run that is on goes on to its end",
    fields: {},
    order: "at_once",
    run: async (session) => session.parts.need(GOAL).end("stopped", ""),
  }),
];

export const state: FeatureProtocol["state"] = (session) => ({ goal: session.part(GOAL)?.state });
