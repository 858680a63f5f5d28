// Sampling: what the user has set of it is sent along with the requests of the conversation. Most
// users have no opinion, and requests stay as they are.

import type { RequestFrame } from "@tau/agent/model-caller";
import type { Feature } from "../../feature-api/feature.ts";
import { SAMPLING_ROWS, type SamplingSettings } from "./settings.ts";

export const sampling: Feature = {
  name: "sampling",
  order: 20,
  settings: [SAMPLING_ROWS],
  isOn: ({ settings }) => Object.keys(wanted(settings.group(SAMPLING_ROWS))).length > 0,
  setup: ({ settings }) => {
    const options = wanted(settings.group(SAMPLING_ROWS));
    return { hooks: { request: () => options } };
  },
};

function wanted({ temperature, topP }: SamplingSettings): Partial<RequestFrame> {
  const options: Partial<RequestFrame> = {};
  if (temperature >= 0) options.temperature = temperature;
  if (topP >= 0) options.topP = topP;
  return options;
}
