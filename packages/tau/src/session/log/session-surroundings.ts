// What a session needs of its surroundings. Everything has a default but the storage, so
// that tests can set the clock, the processes and the limits.

import type { Processes } from "@tau/host/lock/process-identity";
import type { Storage } from "@tau/host/storage";
import type { BlobStore } from "./blob-store.ts";

export interface SessionSurroundings {
  storage: Storage;
  /** Where large images are kept; without it they stay in the lines. */
  blobs?: BlobStore | undefined;
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined;
  processes?: Processes | undefined;
  /** Files up to this size are looked over whole when they are opened. */
  eagerIndexBytes?: number | undefined;
}
