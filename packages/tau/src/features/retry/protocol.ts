// Retry for programs that speak the protocol.

import { boolean } from "valibot";
import {
  defineProtocolCommand,
  Unsupported,
  type FeatureProtocol,
} from "../../feature-api/protocol.ts";
import { RETRY } from "./retry-switch.ts";

export const commands: FeatureProtocol["commands"] = [
  defineProtocolCommand({
    name: "set_auto_retry",
    summary: "Sets whether transient failures of model calls are retried",
    fields: { enabled: boolean() },
    lasts: true,
    run: async (session, { enabled }) => {
      const retry = session.parts.need(RETRY);
      if (enabled && !retry.isEnabled) {
        throw new Unsupported("retry.enabled is off in the settings; start with it on");
      }
      retry.isPaused = !enabled;
    },
  }),
];

export const state: FeatureProtocol["state"] = (session) => {
  const { isEnabled, isPaused } = session.parts.need(RETRY);
  return { autoRetryEnabled: isEnabled && !isPaused };
};
