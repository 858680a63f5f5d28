// Work that goes on for a session when its run is over, and that will wake it: whoever runs a session to
// its end waits for it. Whoever has such work offers this part.

import { partKey } from "../base/part.ts";

export interface PendingWork {
  /** How much there is. */
  readonly count: number;
  /** In words, for whoever is told what is waited for. */
  readonly words: string;
  /** Resolves when nothing is left, when the session is, or when the signal aborts. */
  whenDone(signal?: AbortSignal): Promise<void>;
  /** Everything is stopped, and whoever waited for it was told. */
  stop(): Promise<void>;
}

export const PENDING_WORK = partKey<PendingWork>("pending work");
