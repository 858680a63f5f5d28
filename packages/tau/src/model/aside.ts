// A question beside the conversation: a title, a summary, a cell's, an extension's. What is asked,
// on whose behalf, and what is put down about it afterwards.

import type { ModelRequest } from "@tau/ai/request";
import type { Usage } from "@tau/ai/usage";

/** The model is the line's to choose, and so is how it is called. */
export type AsideRequest = Omit<ModelRequest, "model" | "stream" | "tools"> &
  Partial<Pick<ModelRequest, "tools">>;

export interface AskOptions {
  /** What it is for, in one word: `title`, `compaction`, the name of an extension. */
  purpose: string;
  /** Asks the first of these that is set and can be called, else the conversation's model. */
  roles?: readonly string[];
  /** Asks this one, as `provider/id`; whoever asks is told with a `UserError` if it cannot be called. */
  model?: string;
  signal: AbortSignal;
  /** Nobody waits for the answer: what goes wrong on the way is not shown. */
  isQuiet?: boolean;
}

/** What one model was asked for one purpose; `model_call` in the log. */
export interface ModelCallRecord {
  /** Who asked: `title`, `compaction`, `branch_summary`, `cell`, or the name of an extension. */
  purpose: string;
  /** `provider/id`. */
  model: string;
  usage: Usage;
  /** US dollars by the model's list price. */
  costUsd: number;
  /** Requests sent, failed ones too. */
  requests: number;
  outcome: "done" | "failed" | "aborted";
}
