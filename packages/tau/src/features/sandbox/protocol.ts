// What is in force, for programs that speak the protocol.

import type { FeatureProtocol } from "../../feature-api/protocol.ts";
import { CONFINEMENT } from "../../tools/confinement.ts";

export const state: FeatureProtocol["state"] = (session) => ({
  sandbox: session.parts.get(CONFINEMENT)?.status ?? { state: "off" },
});
