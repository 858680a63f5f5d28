// Consent for programs that speak the protocol.

import { picklist } from "valibot";
import { defineProtocolCommand, type FeatureProtocol } from "../../feature-api/protocol.ts";
import { APPROVAL } from "./approval.ts";
import { APPROVAL_MODES } from "./settings.ts";

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "set_approval_mode",
    summary: "Sets the approval mode of this session: which calls are asked about",
    fields: { mode: picklist(APPROVAL_MODES) },
    run: async (session, { mode }) => session.parts.need(APPROVAL).setMode(mode),
  }),
];

export const state: FeatureProtocol["state"] = (session) => {
  const { mode, losses } = session.parts.need(APPROVAL);
  return {
    approvalMode: mode,
    /** What asks beyond the mode, because settings cannot be read. */
    approvalLosses: losses,
  };
};
