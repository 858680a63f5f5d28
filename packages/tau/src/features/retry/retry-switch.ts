// Whether failed model calls are asked again, for a client that may switch it off for a while.

import type { Automatism } from "../../feature-api/protocol.ts";
import { partKey } from "../../base/part.ts";

/** The session's. */
export const RETRY = partKey<RetrySwitch>("retry");

export class RetrySwitch implements Automatism {
  /** Whether the settings want it at all. */
  readonly isEnabled: boolean;
  isPaused = false;

  constructor(isEnabled: boolean) {
    this.isEnabled = isEnabled;
  }
}
