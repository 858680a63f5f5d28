// What a run is given and what it gives back.

import type { AssistantMessage, Message } from "@tau/ai/message";
import type { Budget } from "./budget.ts";
import type { AgentEvent, RunEnd } from "./event.ts";
import type { ForcedChoices } from "./forced-choices.ts";
import type { Hooks } from "./hooks.ts";
import type { Asker } from "./judge-call.ts";
import type { SaidMessage } from "./mail.ts";
import type { Mailbox } from "./mailbox.ts";
import type { ModelCaller, Recovery, RequestFrame } from "./model-caller.ts";
import type { Recorder } from "./record.ts";
import type { RepeatLimits } from "./repeat-detector.ts";
import type { ToolTable } from "./tool-table.ts";

export interface CompactionWish {
  reason: string;
  /** The conversation as the run has it. */
  messages: readonly Message[];
  signal: AbortSignal;
}

/** Makes the conversation shorter: what to go on with, or undefined where it could not. */
export type Compactor = (wish: CompactionWish) => Promise<readonly Message[] | undefined>;

export interface LoopOptions {
  request: RequestFrame;
  /** The conversation so far; with what the model is to answer, where there is no `prompt`. */
  messages: readonly Message[];
  /** New in this run: recorded before the first request. */
  prompt?: readonly SaidMessage[];
  tools: ToolTable;
  callModel: ModelCaller;
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  /** Awaited for every message before the run goes on; without it nothing is kept. */
  record?: Recorder;
  mailbox?: Mailbox;
  /** What steering does to a turn's calls that have not begun. Default: `immediate`. */
  interrupt?: "immediate" | "wait";
  hooks?: Hooks;
  /** Without one, calls that need consent are refused. */
  ask?: Asker;
  compact?: Compactor;
  /**
   * Whether a reply that stopped at a length was cut by a full window: then the conversation
   * is made shorter and the turn asked for again, once.
   */
  isCutByWindow?: (reply: AssistantMessage) => boolean | Promise<boolean>;
  forcedChoices?: ForcedChoices;
  /** Shared with the runs that this run starts. */
  budget?: Budget;
  repeats?: RepeatLimits | "off";
  /** Model calls this run may make, retries aside; unlimited where absent. */
  maxTurns?: number;
  /**
   * A `failure` handler after all others. It decides and does not wait: the loop does, as long
   * as the answer says. The failed reply's calls were not run, so asking again repeats nothing.
   */
  recover?: (failed: AssistantMessage, options: { signal: AbortSignal }) => Promise<Recovery>;
  /** Told of every reply that did not fail, so that `recover` can start over. */
  recovered?: () => void;
}

export interface LoopResult {
  end: RunEnd;
  /** What the run added to the conversation, in order. */
  added: Message[];
  /** The conversation as the run leaves it: shorter than it was where it was compacted. */
  messages: readonly Message[];
}
