// Retry: a model call that failed is asked again, with another credential or another model, or given
// up. What is done is decided by the line to the model; here it joins the run.

import { EXTENSION_ORDER } from "@tau/agent/hooks";
import type { Feature } from "../../feature-api/feature.ts";
import { RETRY_ROWS } from "../../model/model-setting-rows.ts";
import { offer } from "../../session/session-host.ts";
import { RETRY, RetrySwitch } from "./retry-switch.ts";

export const retry: Feature = {
  name: "retry",
  settings: [RETRY_ROWS],
  protocol: () => import("./protocol.ts"),
  setup: (host) => {
    const { enabled } = host.settings.group(RETRY_ROWS);
    const own = new RetrySwitch(enabled);
    return {
      part: offer(RETRY, own),
      hooks: {
        failure: {
          // Whoever knows better what to do about a failure has spoken by then.
          order: EXTENSION_ORDER + 1000,
          handle: ({ reply, failure }, { signal }) =>
            own.isPaused && failure.retryable
              ? { type: "give_up" }
              : host.recover(reply, { signal }),
        },
      },
    };
  },
};
