// Titles: a small model names a session after its first reply.

import { GATHERED } from "../../context/gathered.ts";
import type { Feature } from "../../feature-api/feature.ts";

export const titles: Feature = {
  name: "titles",
  order: 900,
  isOn: ({ wishes }) => wishes.titles === "on",
  setup: async (host) => {
    const { nameSession } = await import("./name-session.ts");
    return { hooks: nameSession(host, host.part(GATHERED)?.titles) };
  },
};
