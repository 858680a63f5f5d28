// What can be done with the conversation that a front-end is in, beyond the one session: another one can
// take its place. A session that was opened by itself has none of it.

import type { SaidMessage } from "@tau/agent/mail";

export interface SessionControl {
  startNew(): Promise<void>;
  /** By id, prefix or path. */
  resume(wanted: string): Promise<void>;
  /** A new session from the way to an entry; gives back words that are to be said differently. */
  branch(entryId: string): Promise<string | undefined>;
  fork(): Promise<void>;
  /** A fresh session that begins with the document, and works on once it has heard the words. */
  handOver(document: string, words: SaidMessage): Promise<void>;
  /** The same session, with its extensions loaded anew: whoever calls it is gone afterwards. */
  reload(): Promise<void>;
}
