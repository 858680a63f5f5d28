// Compaction for programs that speak the protocol.

import { boolean } from "valibot";
import {
  defineProtocolCommand,
  Unsupported,
  type FeatureProtocol,
} from "../../feature-api/protocol.ts";
import { COMPACTION } from "./compactor.ts";

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "set_auto_compaction",
    summary: "Sets whether the conversation is compacted automatically as the context window fills",
    fields: { enabled: boolean() },
    lasts: true,
    run: async (session, { enabled }) => {
      const compactor = session.parts.need(COMPACTION);
      if (enabled && !compactor.isAutomatic) {
        throw new Unsupported("compaction.enabled is off in the settings; start with it on");
      }
      compactor.isPaused = !enabled;
    },
  }),
];

export const state: FeatureProtocol["state"] = (session) => {
  const compactor = session.parts.need(COMPACTION);
  return { autoCompactionEnabled: compactor.isAutomatic && !compactor.isPaused };
};
