// What people see of a session, as data: blocks in the order in which they came. They are made of
// the log's entries and, while a reply streams, of its events on top; every front-end draws these
// and decides nothing about the conversation itself.

import type { ImageBlock, TextBlock } from "@tau/ai/message";
import type { CustomEntry, CustomMessageEntry } from "../entry.ts";

/**
 * `writing`: the model still writes the arguments. `waiting`: for its turn or for consent.
 * `refused`: it was not run. `stopped`: nothing more will come of it.
 */
export type CallPhase =
  "writing" | "waiting" | "running" | "done" | "failed" | "refused" | "stopped";

export type NoteTone = "plain" | "success" | "warning" | "error";

/** What a person, or a rule of theirs, said about a call. */
export interface Consent {
  allowed: boolean;
  /** How far an allowance goes. */
  scope?: "once" | "session" | "always" | "everywhere" | "edits";
  /** What was put down with it, as settings have it. */
  rules?: readonly string[];
  /** What was said with a no. */
  reason?: string;
}

interface BlockBase {
  /** Its own within a session: of the entry that it comes from, or of a preview of that. */
  key: string;
}

/** Whose words a part of a reply is. */
export interface Spoken {
  /** `provider/id`. */
  model: string;
  /** The same for all parts of one reply. */
  reply: string;
}

export interface UserBlock extends BlockBase {
  kind: "user";
  /** As it was typed. */
  text: string;
  /** What the model was told, if that is another text: a paste that stood folded, a command's page. */
  whole?: string;
  pictures: readonly ImageBlock[];
}

/** All of it, for whoever wants to read it in full. */
export function wholeText({ text, whole }: Pick<UserBlock, "text" | "whole">): string {
  return whole === undefined ? text : `${text}\n\n${whole}`;
}

/** A slash command, as it was given; what it said follows as a note. */
export interface CommandBlock extends BlockBase {
  kind: "command";
  line: string;
}

export interface AnswerBlock extends BlockBase, Partial<Spoken> {
  kind: "answer";
  text: string;
  /** More of it is coming. */
  isGrowing?: true;
}

export interface ThinkingBlock extends BlockBase, Partial<Spoken> {
  kind: "thinking";
  text: string;
  isGrowing?: true;
  durationMs?: number;
}

/** Something that a tool does or did, whoever asked for it. */
export interface ToolWork {
  /** The tool whose view it has. */
  name: string;
  arguments: Readonly<Record<string, unknown>>;
  phase: CallPhase;
  /** The arguments' raw text, while the model writes it. */
  written?: string;
  /** What it has printed so far, while it runs. */
  output?: string;
  result?: { content: readonly (TextBlock | ImageBlock)[]; isError: boolean };
  /** What the tool said for renderers. */
  details?: unknown;
  /** Parts of the details that were too large to keep. */
  omitted?: readonly string[];
  durationMs?: number;
  artifactId?: string;
  /** What was told of it after its result, by name: see `expectedBy`. */
  later?: Readonly<Record<string, unknown>>;
}

export interface CallBlock extends BlockBase, ToolWork, Partial<Spoken> {
  kind: "call";
  callId: string;
  consent?: Consent;
}

/** A command or a cell of the user's own. */
export interface OwnRunBlock extends BlockBase, ToolWork {
  kind: "own_run";
  runId: string;
  /** Before what was run, as it was typed: `!`, `!!`, `$`, `$js`. */
  sign: string;
  exitCode?: number | null;
  /** Whether the model hears of it. */
  isTold: boolean;
  /** The timestamp of the message that tells it. */
  toldAt?: number;
}

export interface NoteBlock extends BlockBase {
  kind: "note";
  tone: NoteTone;
  text: string;
  /** A feature's own, for whoever can draw it as the feature wants. */
  entry?: CustomEntry | CustomMessageEntry;
}

/** Stands where conversation was summarised, or a branch was left. */
export interface SummaryBlock extends BlockBase {
  kind: "summary";
  of: "conversation" | "branch";
  text: string;
  /** Tokens before and after, if they are known. */
  size?: { before: number; after: number };
}

export type Block =
  | UserBlock
  | CommandBlock
  | AnswerBlock
  | ThinkingBlock
  | CallBlock
  | OwnRunBlock
  | NoteBlock
  | SummaryBlock;

type WithoutKey<B> = B extends Block ? Omit<B, "key"> : never;

/** What one entry, or one event, shows: blocks, and what becomes of earlier ones. */
export type ShownPart =
  | WithoutKey<Block>
  | { kind: "result"; callId: string; ended: CallEnd }
  /** `about`: in words, for a call that has no block of its own. */
  | { kind: "consent"; callId: string; consent: Consent; about: string }
  /** What came of something that a call expects. */
  | { kind: "later"; name: string; value: unknown };

export type CallEnd = Pick<
  ToolWork,
  "phase" | "result" | "details" | "omitted" | "durationMs" | "artifactId"
>;

/**
 * The names of what is still to be told of a call that has its result: of agents that it has started. A tool
 * says so in its details, as `expects`; more than these are not waited for.
 */
export function expectedBy({ details }: Pick<ToolWork, "details">): readonly string[] {
  const { expects } = (details ?? {}) as { expects?: unknown };
  if (!Array.isArray(expects)) return [];
  return expects.slice(0, MAX_EXPECTED).filter((name) => typeof name === "string");
}

const MAX_EXPECTED = 1000;

/** Of a call that no result came of: Tau was killed meanwhile, or the run ended without it. */
export const INTERRUPTED: CallEnd = {
  phase: "stopped",
  result: { content: [{ type: "text", text: "Interrupted." }], isError: true },
};

/** What happens to a list of blocks. */
export type BlockChange =
  | { type: "added"; block: Block }
  /** `key`: the one it had so far. `delta`: what its text, or what is written of it, has grown by. */
  | { type: "changed"; key: string; block: Block; delta?: string }
  | { type: "removed"; key: string };

export function note(text: string, tone: NoteTone = "plain"): WithoutKey<NoteBlock> {
  return { kind: "note", tone, text };
}

const ENDED: ReadonlySet<CallPhase> = new Set(["done", "failed", "refused", "stopped"]);

export function isEnded({ phase }: Pick<ToolWork, "phase">): boolean {
  return ENDED.has(phase);
}
