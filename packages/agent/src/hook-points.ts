// The kernel's hook points: what a handler is told at each, and what it may answer. A
// built-in behaviour and a user's extension see the same ones. An answer left out means
// "as it is".

import type { ModelFailure } from "@tau/ai/error";
import type { StreamEvent } from "@tau/ai/event";
import type { AssistantMessage, Message, ToolCallBlock, ToolResultMessage } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { SaidMessage } from "./mail.ts";
import type { ModelCaller, Recovery, RequestFrame } from "./model-caller.ts";
import type { SessionHookPoints } from "./session-hook-points.ts";
import type { CallAssessment, JudgedTool, ToolContent } from "./tool.ts";

/** `input`: before a prompt is logged. */
export type InputAnswer =
  | { type: "transform"; message: SaidMessage }
  /** It was a command or the like: there is nothing to run. */
  | { type: "consume" };

/** `run_start`: before the first request of a run. Messages and options add up. */
export interface RunStartAnswer {
  messages?: readonly SaidMessage[];
  request?: Partial<RequestFrame>;
  callModel?: ModelCaller;
}

/** `stream`: the reply is not to go on. */
export interface StopReply {
  type: "stop";
  /** For the model, unless `messages` say it better. */
  reason: string;
  /** Whether what had arrived stays in the conversation. */
  partial: "keep" | "discard";
  messages?: readonly SaidMessage[];
  /** `end_run` leaves it at that; otherwise the model is asked again. */
  next?: "ask_again" | "end_run";
}

/**
 * How far a consent goes beyond the call it was given to: the same call for the rest of the session,
 * for good in this project, for good everywhere, or every harmless change of files in the session.
 */
export type ConsentScope = "session" | "always" | "everywhere" | "edits";

/** What whoever asks knows of the call, and can keep of the answer. */
export interface ConsentOffer {
  assessment: CallAssessment;
  /** What would be kept, as settings have it. */
  rules: readonly string[];
  /** Only the mode asks: neither a danger nor a word of the user's settings. */
  isByMode?: boolean;
  /** How far a yes can go; if left out, the session and for good. */
  scopes?: readonly ConsentScope[];
  keep(scope: ConsentScope): Promise<void>;
}

/** `tool_call`: before a call is run, after its arguments were checked. */
export type CallAnswer =
  /** No objection; a later handler may still have one. */
  | { type: "allow" }
  /** A person decides, after all handlers have spoken. */
  | { type: "ask"; reason: string; offer?: ConsentOffer }
  | { type: "block"; reason: string }
  /** Checked again; the log keeps the model's own arguments. */
  | { type: "rewrite"; arguments: Record<string, unknown> };

/** `tool_result`: what the model and the log see instead. */
export interface ResultAnswer {
  content?: ToolContent[];
  isError?: boolean;
  details?: unknown;
}

/** `turn_end`: a stop outweighs being done, which outweighs a compaction, which outweighs going on. */
export type TurnEndAnswer =
  /** The run is not done yet: the messages are put to the model. */
  | { type: "continue"; messages: readonly SaidMessage[] }
  | { type: "compact"; reason: string }
  /** All that the run was for is done: the model is not asked again, though its calls have results. */
  | { type: "done" }
  | { type: "stop"; reason: string };

/** Each point as what it tells, and what may be answered. */
export interface RunHookPoints {
  input: { tells: { message: SaidMessage; source: string }; answer: InputAnswer };
  run_start: {
    tells: { messages: readonly Message[]; request: RequestFrame };
    answer: RunStartAnswer;
  };
  /** Each request; the view is replaced, never the log. */
  context: { tells: { messages: readonly Message[]; turn: number }; answer: readonly Message[] };
  /** Just before encoding: options only, the conversation is settled. */
  request: { tells: { request: ModelRequest; turn: number }; answer: Partial<RequestFrame> };
  /** Each event, as it comes. Handlers answer at once: an answer that is awaited is too late. */
  stream: { tells: { event: StreamEvent; turn: number }; answer: StopReply };
  reply: { tells: { message: AssistantMessage; turn: number }; answer: never };
  tool_call: {
    /**
     * `params`: the arguments as the tool will get them. An extension has copies, and of the tool a
     * description without its functions: what it does to them changes nothing.
     */
    tells: {
      call: ToolCallBlock;
      arguments: Record<string, unknown>;
      params: unknown;
      tool: JudgedTool;
    };
    answer: CallAnswer;
  };
  /** Every call of a whole reply, also where it failed, was refused or was skipped. */
  tool_result: {
    tells: {
      call: ToolCallBlock;
      result: ToolResultMessage;
      details: unknown;
      /** False if it was refused or skipped. */
      wasRun: boolean;
    };
    answer: ResultAnswer;
  };
  turn_end: {
    tells: {
      turn: number;
      message: AssistantMessage;
      results: readonly ToolResultMessage[];
      messages: readonly Message[];
    };
    answer: TurnEndAnswer;
  };
  /** The first answer counts. */
  failure: {
    tells: {
      failure: ModelFailure;
      reply: AssistantMessage;
      attempt: number;
      turn: number;
      /** False once the conversation was compacted for this reply, or could not be. */
      mayCompact: boolean;
    };
    answer: Recovery;
  };
  /** Nothing is left to do; what is put into the mailbox now keeps the run going. */
  idle: { tells: { messages: readonly Message[] }; answer: never };
}

export type HookPoints = RunHookPoints & SessionHookPoints;
export type HookName = keyof HookPoints;
export type Told<K extends HookName> = HookPoints[K]["tells"];
export type Answer<K extends HookName> = HookPoints[K]["answer"];

type MaybeAnswer<K extends HookName> = Answer<K> | undefined | void;

export interface HookContext {
  /** The run's; a handler that waits must end with it. */
  signal: AbortSignal;
}

export type HookHandler<K extends HookName> = (
  told: Told<K>,
  context: HookContext,
) => K extends "stream" ? MaybeAnswer<K> : MaybeAnswer<K> | Promise<MaybeAnswer<K>>;
