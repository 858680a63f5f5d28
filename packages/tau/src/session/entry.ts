// What a session's log is made of (format version 4). Entries form a tree: each names its
// parent, nothing is ever changed or removed, and where one stands in the tree is itself an
// entry. Unknown types are kept and passed over, so that a newer Tau's sessions open here. What
// Tau knows of each type stands in `entry-kinds.ts`.

import type { Message, TextBlock, ImageBlock } from "@tau/ai/message";
import type { ThinkingLevel } from "@tau/ai/model";
import type { ModelCallRecord } from "../model/aside.ts";
import type { RanCall } from "@tau/agent/record";

export const SESSION_VERSION = 4;

/** The first line of a file. */
export interface SessionHeader {
  type: "session";
  version: typeof SESSION_VERSION;
  id: string;
  /** ISO 8601. */
  timestamp: string;
  /** Where the conversation takes place. */
  cwd: string;
  /** The session this one was forked, branched or handed over from. */
  parentSession?: string;
  /** The older file that this one was made from; it is still there, unchanged. */
  migratedFrom?: { path: string; version: number; bytes: number; sha256: string };
}

interface EntryBase {
  id: string;
  /** Null for a root. */
  parentId: string | null;
  /** ISO 8601. */
  timestamp: string;
  /** It leaves the position where it is: written for readers that do not know its type. */
  aside?: true;
}

export interface MessageEntry extends EntryBase {
  type: "message";
  message: Message;
  /** Who sent it, if neither the user nor the run itself did: `job`, `shell`, an extension. */
  sender?: string;
  /** What the user typed, if the message is another text. */
  typed?: string;
  /** Of the result of a call: what people saw of it besides the message. */
  ran?: KeptRun;
  /** Of a reply: how long each of its thoughts took, in their order. */
  thinkingMs?: readonly number[];
}

export interface KeptRun extends RanCall {
  /** Parts of `details` that were too large to keep. */
  omitted?: readonly string[];
}

/** Something that happened here and that people were told of; never context. */
export interface EventEntry extends EntryBase {
  type: "event";
  /** Its type is a row of the event table; the rest is what that row keeps. */
  event: KeptEvent;
}

export type KeptEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Something that is no user's and no model's word, but part of the conversation. */
export interface CustomMessageEntry extends EntryBase {
  type: "custom_message";
  customType: string;
  content: (TextBlock | ImageBlock)[];
  /** Whether people see it. */
  display: boolean;
  attribution: "user" | "agent";
  details?: unknown;
  /** Whoever sent it gave a string and not blocks, and gets one back. */
  isText?: boolean;
}

export interface CompactionEntry extends EntryBase {
  type: "compaction";
  summary: string;
  shortSummary?: string;
  /** From here on the conversation is kept as it is. */
  firstKeptEntryId: string;
  tokensBefore: number;
  tokensAfter: number;
  details?: unknown;
  preserveData?: Record<string, unknown>;
  fromExtension?: boolean;
}

export interface BranchSummaryEntry extends EntryBase {
  type: "branch_summary";
  /** The leaf that was left. */
  fromId: string;
  summary: string;
  details?: unknown;
  fromExtension?: boolean;
}

/** Moves the position in the tree; the next entry becomes a child of `leafId`. */
export interface LeafEntry extends EntryBase {
  type: "leaf";
  leafId: string | null;
  reason: string;
}

export interface TitleEntry extends EntryBase {
  type: "title";
  title: string;
  source: "user" | "auto";
}

/** Results that are left out of the context from here on; the log keeps them. */
export interface PruneEntry extends EntryBase {
  type: "prune";
  entryIds: string[];
  tokensSaved: number;
}

export interface LabelEntry extends EntryBase {
  type: "label";
  targetId: string;
  /** Absent: the label is taken away. */
  label?: string;
}

export interface ModelChangeEntry extends EntryBase {
  type: "model_change";
  /** `provider/id`. */
  model: string;
  role: string;
  /** A fallback or promotion: the saved choice stays. */
  temporary?: boolean;
}

export interface ThinkingChangeEntry extends EntryBase {
  type: "thinking_level_change";
  thinkingLevel: ThinkingLevel;
}

/** What a behaviour or extension keeps of its own; never context. */
export interface CustomEntry extends EntryBase {
  type: "custom";
  customType: string;
  data?: unknown;
}

export interface RuleInjectionEntry extends EntryBase {
  type: "ttsr_injection";
  injectedRules: string[];
}

/** A message in the mailbox of a durable sender: queued until an entry with its id is delivered. */
export interface MailEntry extends EntryBase {
  type: "mail";
  mailId: string;
  state: "queued" | "delivered" | "withdrawn";
  delivery?: "steer" | "followUp" | "nextTurn";
  message?: Message;
  /** Who sent it; the user where absent. */
  sender?: string;
  /** What the user typed, if the message is another text. */
  typed?: string;
  /** What it is in the log once it has arrived, if it is nobody's word. */
  custom?: Pick<
    CustomMessageEntry,
    "customType" | "display" | "attribution" | "details" | "isText"
  >;
  /** It does not cut a turn short. */
  isPatient?: boolean;
}

/** A model was asked beside the conversation: for a title, a summary, a cell. Its words stand elsewhere. */
export interface ModelCallEntry extends EntryBase, ModelCallRecord {
  type: "model_call";
}

export type SessionEntry =
  | MessageEntry
  | CustomMessageEntry
  | CompactionEntry
  | BranchSummaryEntry
  | LeafEntry
  | TitleEntry
  | PruneEntry
  | LabelEntry
  | ModelChangeEntry
  | ThinkingChangeEntry
  | CustomEntry
  | RuleInjectionEntry
  | MailEntry
  | ModelCallEntry
  | EventEntry;

type WithoutBase<E> = E extends SessionEntry
  ? Omit<E, "id" | "parentId" | "timestamp" | "aside">
  : never;

/** What an appender gives; the log adds id, parent, time, and whether it stands aside. */
export type NewEntry = WithoutBase<SessionEntry>;
