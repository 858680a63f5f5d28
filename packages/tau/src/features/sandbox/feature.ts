// The sandbox: what everything that the model starts is confined to, if the user wants that.

import type { Feature } from "../../feature-api/feature.ts";
import type { EventRowsOf } from "../../session/event-row.ts";
import type { SandboxStatus } from "../../tools/confinement.ts";
import { SANDBOX_COMMAND } from "./sandbox-command.ts";
import { SANDBOX_ROWS } from "./settings.ts";

interface SandboxEventMap {
  /** What is in force is known now, or is another. */
  sandbox_changed: { status: SandboxStatus };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends SandboxEventMap {}
}

const SANDBOX_EVENTS: EventRowsOf<SandboxEventMap> = {
  sandbox_changed: { docs: "what the sandbox was found to keep: its `status`" },
};

export const sandbox: Feature = {
  name: "sandbox",
  settings: [SANDBOX_ROWS],
  events: SANDBOX_EVENTS,
  commands: [SANDBOX_COMMAND],
  protocol: () => import("./protocol.ts"),
  setup: async (host) => {
    if (host.settings.group(SANDBOX_ROWS).mode === "off") return {};
    return (await import("./setup.ts")).setUpSandbox(host);
  },
};
