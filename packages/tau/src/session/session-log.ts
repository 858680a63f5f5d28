// The one durable record of a session, as its users see it. Appending resolves when the
// entry is on disk, not before; whoever reads sees exactly what was acknowledged.

import type { MailEntry, NewEntry, SessionEntry, SessionHeader } from "./entry.ts";

/** Something that was wrong with a file and what was done about it. */
export interface LogRepair {
  kind:
    | "torn_tail"
    | "bad_line"
    | "migrated"
    | "recreated"
    /** An image's data is gone; a note stands in its place. */
    | "missing_blob"
    /** The lock of a process that is gone was taken over. */
    | "lock_taken"
    /** Its directory had been renamed, and the session followed. */
    | "moved";
  /** A sentence for people. */
  message: string;
  /** From 1, where it is about a line. */
  line?: number;
  bytes?: number;
}

export interface BranchOptions {
  leafId?: string | null;
  sinceCompaction?: boolean;
}

export interface SessionLog extends AsyncDisposable {
  readonly header: SessionHeader;
  /** Undefined for a session in memory. */
  readonly path: string | undefined;
  /** The position in the tree; null before the first entry. */
  readonly leafId: string | null;
  readonly title: string | undefined;
  readonly repairs: readonly LogRepair[];
  /** The entry with its id, once it is durable. Appends of one moment share one fsync. */
  append(entry: NewEntry): Promise<SessionEntry>;
  /** All of them or none, in one write. */
  appendAll(entries: readonly NewEntry[]): Promise<SessionEntry[]>;
  /** Appends a `leaf` entry; null is before the first entry. */
  moveLeaf(leafId: string | null, reason: string): Promise<void>;
  /** From the root (or, with `sinceCompaction`, from what the leaf needs) to `leafId`. */
  branch(options?: BranchOptions): Promise<SessionEntry[]>;
  /**
   * The entries on the way from the root to the leaf that are not conversation: settings and
   * what behaviours remember, also from before a compaction.
   */
  stateEntries(): Promise<SessionEntry[]>;
  /** Every word about mail since the last moment when none waited, oldest first. */
  pendingMail(): Promise<MailEntry[]>;
  entry(id: string): Promise<SessionEntry | undefined>;
  /** Everything, in the order it was written. */
  entries(): AsyncIterable<SessionEntry>;
  /** Oldest first; entries that leave the position alone (labels, titles, …) are nobody's children. */
  childrenOf(id: string | null): Promise<SessionEntry[]>;
  labels(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** The file is no session, or not one that may be written: it stays as it is. */
export class NotASession extends Error {
  override readonly name = "NotASession";
}

/** Another process writes this session. */
export class SessionLocked extends Error {
  override readonly name = "SessionLocked";
  readonly holder: { pid: number; host: string; since: string };

  constructor(message: string, holder: { pid: number; host: string; since: string }) {
    super(message);
    this.holder = holder;
  }
}
