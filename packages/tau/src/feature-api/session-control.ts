// What can be done with the conversation that a front-end is in, beyond the one session: another one can
// take its place. A session that was opened by itself has none of it.

export interface SessionControl {
  startNew(): Promise<void>;
  /** By id, prefix or path. */
  resume(wanted: string): Promise<void>;
  /** A new session from the way to an entry; gives back words that are to be said differently. */
  branch(entryId: string): Promise<string | undefined>;
  fork(): Promise<void>;
  /** The same session, with its extensions loaded anew: whoever calls it is gone afterwards. */
  reload(): Promise<void>;
}
