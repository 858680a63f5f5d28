// What every way of compacting has in common: what it gets, what it may use, and what it
// gives back. A strategy only proposes; compact.ts weighs the proposal and may drop it.

import type { ModelFailure } from "@tau/ai/error";
import type { Message } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ToolSpec } from "@tau/ai/request";
import type { NewEntry, SessionEntry } from "../../session/entry.ts";
import type { AskedService } from "../../model/model-line.ts";
import type { ReinjectedMessage } from "../../session/context/preserved-data.ts";
import type { CompactionSettings } from "./settings.ts";
import type { CompactionReason } from "./triggers.ts";

export interface CompactionInput {
  /** From the root, or from what the leaf needs, to the leaf. */
  branch: readonly SessionEntry[];
  reason: CompactionReason;
  settings: CompactionSettings;
  /** The model of the conversation, with what it is sent besides the conversation. */
  model: Model;
  system: readonly string[];
  tools: readonly ToolSpec[];
  /** What the user asked the summary to attend to. */
  instructions?: string;
  /** Messages as the model gets them; without it, whole. */
  asSent?: (messages: readonly Message[]) => readonly Message[];
  /** From hooks: facts that the summary is to take in. */
  additionalContext?: readonly string[];
  /** From hooks: replaces the built-in task. */
  prompt?: string;
  /** From hooks: stored with the compaction. */
  preserveData?: Readonly<Record<string, unknown>>;
  /** From hooks: what has to stand in every context, such as open todos. */
  reinject?: readonly ReinjectedMessage[];
}

export interface AskRequest {
  system: readonly string[];
  messages: readonly Message[];
  /** Tokens. */
  maxOutput: number;
  /** Only where the conversation itself is sent: its tools, which must not be called. */
  tools?: readonly ToolSpec[];
  toolChoice?: "none";
}

export interface CompactionDeps {
  /** One model call. What it costs, what is done if it fails and how it is stopped is the line's. */
  ask: (request: AskRequest) => Promise<string>;
  /** The same with a service instead of a model, for the `remote` strategy. */
  askService: (service: AskedService, request: AskRequest) => Promise<string>;
  /** What has to stand in every context: context files, skills, todos. */
  reinject?: () => readonly ReinjectedMessage[];
}

/** What a compaction entry is made of, before anyone weighed it. */
export interface CompactionDraft {
  summary: string;
  shortSummary?: string;
  firstKeptEntryId: string;
  details?: unknown;
  preserveData?: Record<string, unknown>;
  fromExtension?: boolean;
}

export type DropReason =
  | "nothing_to_summarise"
  | "nothing_to_prune"
  | "empty_summary"
  | "bad_boundary"
  | "no_gain"
  | "model_failed";

export type CompactionResult =
  | { type: "draft"; draft: CompactionDraft }
  | { type: "prune"; entry: Extract<NewEntry, { type: "prune" }> }
  /** A fresh session is to begin with this document. */
  | { type: "handoff"; document: string }
  | { type: "dropped"; reason: DropReason; message: string; failure?: ModelFailure };

export interface CompactionStrategy {
  readonly name: string;
  compact(input: CompactionInput, deps: CompactionDeps): Promise<CompactionResult>;
}

const DROPPED: Record<DropReason, string> = {
  nothing_to_summarise: "The conversation is short enough: there is nothing to summarise yet.",
  nothing_to_prune: "There are not enough old tool results to be worth pruning.",
  empty_summary: "The model returned no summary, so the conversation is unchanged.",
  bad_boundary: "The compaction names a place to keep from that the conversation cannot be cut at.",
  no_gain: "The compacted conversation would not be shorter, so it is unchanged.",
  model_failed: "The model call failed, so the conversation is unchanged.",
};

export function dropped(reason: DropReason): Extract<CompactionResult, { type: "dropped" }> {
  return { type: "dropped", reason, message: DROPPED[reason] };
}
