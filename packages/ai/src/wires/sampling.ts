// Temperature and top-p on an OpenAI wire: left out where the model would refuse the whole request
// for them.

import type { ModelRequest } from "../request.ts";
import type { Json } from "./json.ts";
import { isSampling } from "./thinking-effort.ts";

/** The one effort at which such a model does not think. A model that is told nothing may think. */
const NO_EFFORT = "none";

export function addSampling(
  { model, temperature, topP }: ModelRequest,
  {
    body,
    effort,
    isFree,
  }: {
    body: Json;
    /** As it goes out. */
    effort: string | undefined;
    /** The model takes them whether it thinks or not. */
    isFree: boolean;
  },
): void {
  if (model.thinking && !isFree && effort !== NO_EFFORT) return;
  if (isSampling(temperature)) body.temperature = temperature;
  if (isSampling(topP)) body.top_p = topP;
}
