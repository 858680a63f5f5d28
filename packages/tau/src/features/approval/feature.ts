// Approval: what may run by itself, what a person is asked about, and what is refused.

import type { Feature } from "../../feature-api/feature.ts";
import { APPROVAL_COMMAND } from "./approval-command.ts";
import { APPROVAL_ROWS } from "./settings.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** Instead of the user's setting. */
    readonly approvalMode?: string;
  }
}

export const approval: Feature = {
  name: "approval",
  order: 0,
  settings: [APPROVAL_ROWS],
  wishes: ["approvalMode"],
  commands: [APPROVAL_COMMAND],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => (await import("./setup.ts")).setUpApproval(host),
};
