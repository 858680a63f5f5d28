// How the loop reaches a model, and what may be done about a call that failed. The wires,
// credentials and vendors behind it are not the loop's concern.

import type { ModelFailure } from "@tau/ai/error";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import type { RetryAction } from "./event.ts";

/** Opens one model call. Failures come as the stream's terminal event, never thrown. */
export type ModelCaller = (request: ModelRequest, options: { signal: AbortSignal }) => ReplyStream;

/** What of a request stays the same from turn to turn. */
export type RequestFrame = Omit<ModelRequest, "messages" | "tools">;

/** What to do about a reply that failed. */
export type Recovery =
  /** Ask again, possibly another model, possibly after a wait. */
  | {
      type: "retry";
      /** What was done about it, told to whoever watches; `wait` if there is only a time. */
      action?: RetryAction;
      afterMs?: number;
      /** As it is told, if more is known of it than the reply says. */
      failure?: ModelFailure;
      request?: Partial<RequestFrame>;
      callModel?: ModelCaller;
    }
  /** The conversation does not fit: make it shorter, then ask again. Once a turn. */
  | { type: "compact" }
  /** `because`: why, if that is not what the reply says. */
  | { type: "give_up"; because?: ModelFailure };
