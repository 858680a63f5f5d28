// Compaction for programs that speak the protocol.

import { pauseCommand, type FeatureProtocol } from "../../feature-api/protocol.ts";
import { COMPACTION } from "./compactor.ts";

export const commands: FeatureProtocol["commands"] = [
  pauseCommand({
    name: "set_auto_compaction",
    summary: "Sets whether the conversation is compacted automatically as the context window fills",
    setting: "compaction.enabled",
    of: (session) => session.parts.need(COMPACTION),
  }),
];

export const state: FeatureProtocol["state"] = (session) => {
  const { isEnabled, isPaused } = session.parts.need(COMPACTION);
  return { autoCompactionEnabled: isEnabled && !isPaused };
};
