// Sends what the user has set of sampling along with the requests of the conversation.

import type { RequestFrame } from "@tau/agent/model-caller";
import type { Behaviour } from "../behaviour.ts";
import type { SamplingSettings } from "./settings.ts";

/** None where nothing is set: most users have no opinion, and requests stay as they are. */
export function createSamplingBehaviour({ temperature, topP }: SamplingSettings): Behaviour[] {
  const wanted: Partial<RequestFrame> = {
    ...(temperature < 0 ? {} : { temperature }),
    ...(topP < 0 ? {} : { topP }),
  };
  if (Object.keys(wanted).length === 0) return [];
  return [
    {
      owner: { kind: "behaviour", name: "sampling", order: 20 },
      handlers: { request: () => wanted },
    },
  ];
}
