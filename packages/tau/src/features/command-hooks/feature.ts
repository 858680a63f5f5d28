// Hooks: commands of the user's, of a trusted project's and of other tools' that run at events, may
// refuse what is about to happen, and tell the model something.

import type { Feature } from "../../feature-api/feature.ts";
import { keeping, type EventRowsOf } from "../../session/event-row.ts";
import { note } from "../../session/projection/block.ts";
import { mayHaveHooks } from "./may-have-hooks.ts";
import { HOOK_ROWS } from "./settings.ts";

interface HookEventMap {
  /** A hook has something to say to the user. */
  hook_message: { event: string; text: string };
  /** A hook did not let the user's words through: there is no run. */
  prompt_rejected: { reason: string };
}

declare module "../../session/session-event.ts" {
  interface SessionEventMap extends HookEventMap {}
}

type Told<Type extends keyof HookEventMap> = { type: Type } & HookEventMap[Type];

const EVENTS: EventRowsOf<HookEventMap> = {
  hook_message: {
    docs: "a [hook](hooks.md) has a message for the user",
    kept: keeping(
      ({ event, text }: Told<"hook_message">) => ({ event, text }),
      ({ event, text }) => [note(`${event}: ${text}`)],
    ),
  },
  prompt_rejected: {
    docs: "a [hook](hooks.md) rejected what the user said: nothing is run",
    kept: keeping(
      ({ reason }: Told<"prompt_rejected">) => ({ reason }),
      ({ reason }) => [note(`Your message was rejected: ${reason}`, "warning")],
    ),
  },
};

export const commandHooks: Feature = {
  name: "command-hooks",
  // After secrets are hidden and commands are filled in.
  order: 60,
  settings: [HOOK_ROWS],
  events: EVENTS,
  setup: async (host) => {
    if (!host.project.readsFiles || !mayHaveHooks(host)) return undefined;
    return (await import("./setup.ts")).setUpHooks(host);
  },
};
