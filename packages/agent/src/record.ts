// What a run asks to be written down before it goes on. Items of one call belong together:
// all of them are durable when its promise resolves, or none.

import type { AssistantMessage, Message } from "@tau/ai/message";
import type { Mail } from "./mail.ts";

export type RecordItem =
  /** Part of the conversation from here on. */
  | { type: "message"; message: Message; mail?: Mail }
  /** Durable mail that the messages beside it were. */
  | { type: "delivered"; mailIds: string[] }
  /** Was shown and does not count: kept in the log beside the conversation, not in it. */
  | { type: "discarded"; message: AssistantMessage };

/** A rejection ends the run: it does not go on with what was not written. */
export type Recorder = (items: RecordItem[]) => Promise<void>;
