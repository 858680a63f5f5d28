// Retry for programs that speak the protocol.

import { pauseCommand, type FeatureProtocol } from "../../feature-api/protocol.ts";
import { RETRY } from "./retry-switch.ts";

export const commands: FeatureProtocol["commands"] = [
  pauseCommand({
    name: "set_auto_retry",
    summary: "Sets whether transient failures of model calls are retried",
    setting: "retry.enabled",
    of: (session) => session.parts.need(RETRY),
  }),
];

export const state: FeatureProtocol["state"] = (session) => {
  const { isEnabled, isPaused } = session.parts.need(RETRY);
  return { autoRetryEnabled: isEnabled && !isPaused };
};
