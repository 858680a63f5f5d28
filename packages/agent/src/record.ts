// What a run asks to be written down before it goes on. Items of one call belong together:
// all of them are durable when its promise resolves, or none.

import type { AssistantMessage, Message } from "@tau/ai/message";
import type { Mail } from "./mail.ts";

/** What people saw of a call besides the words of its result; no model is told. */
export interface RanCall {
  /** False if it was answered without being begun. */
  wasRun: boolean;
  durationMs?: number;
  /** What the tool said for renderers; its type is the tool's own. */
  details?: unknown;
  /** The whole output, if the result has only part of it. */
  artifactId?: string;
  /** Blocks at the end of the result that nobody but the model is shown. */
  forModel?: number;
}

export type RecordItem =
  /** Part of the conversation from here on. `ran`: if it is the result of a call. */
  | { type: "message"; message: Message; mail?: Mail; ran?: RanCall }
  /** Durable mail that the messages beside it were. */
  | { type: "delivered"; mailIds: string[] }
  /** Was shown and does not count: kept in the log beside the conversation, not in it. */
  | { type: "discarded"; message: AssistantMessage };

/** A rejection ends the run: it does not go on with what was not written. */
export type Recorder = (items: RecordItem[]) => Promise<void>;
