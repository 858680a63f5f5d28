// Somebody who leads through the mode step by step.

export interface Guide {
  /** What the user sent is done. */
  after(): void;
  /** The user has had enough. */
  leave(): void;
}
