// Titles: a small model names a session after its first reply.

import { isSwitchedOn } from "../../config/environment-value.ts";
import type { VariableRows } from "../../config/environment-table.ts";
import { GATHERED } from "../../context/gathered.ts";
import type { Feature } from "../../feature-api/feature.ts";

declare module "../../feature-api/feature.ts" {
  interface FeatureWishes {
    /** Whether a model names the session; off if absent. */
    readonly titles?: "on" | "off";
  }
}

const VARIABLES = {
  TAU_NO_TITLE: {
    type: "boolean",
    help: "Do not ask a model for session titles",
    project: "may",
  },
} as const satisfies VariableRows;

export const titles: Feature = {
  name: "titles",
  order: 900,
  variables: VARIABLES,
  wishes: ["titles"],
  isOn: ({ wishes, env }) =>
    wishes.titles === "on" && !isSwitchedOn<typeof VARIABLES>(env, "TAU_NO_TITLE"),
  setup: async (host) => {
    const { nameSession } = await import("./name-session.ts");
    return { hooks: nameSession(host, host.part(GATHERED)?.titles) };
  },
};
