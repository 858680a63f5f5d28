// The frames that go over the pipe, as both ends see them. Everything Tau writes is one JSON object
// a line: a response to a command, or an event. Events are numbered without a gap; responses
// are not, because they belong to whoever asked.

import type { CallPlace, Origin } from "@tau/agent/judge-call";
import type { Verdict } from "../consent-answer.ts";
import type { CallPreview, ToolTier } from "@tau/agent/tool";
import type { ActiveEnd } from "../../assembly/active-session.ts";

/** Raised when a field changes its meaning or goes away; new fields, events and commands may come. */
export const RPC_VERSION = 1;

/** What a client marks a command with, to know its response again. */
export type RpcId = string | number;

/** Every reason for which a command fails, and what it says to a program. */
export const ERROR_CODES = {
  parse: "the line is not a JSON object",
  too_long: "the line exceeds the maximum length of a command",
  invalid: "a field is missing, unknown or of the wrong type",
  unknown_command: "there is no such command",
  unsupported: "the command exists in related programs, but Tau does not support it",
  busy: "something is running, and the command does not say how to deal with it",
  overloaded: "too many commands are already waiting",
  aborted: "the command was stopped, or dropped before it started",
  refused: "the command is not possible in the current state, or was denied",
  not_found: "something that the command names does not exist",
  no_credentials: "there is no API key or login for it",
  failed: "the command failed; the message says why",
  internal: "a bug in Tau",
} as const;

export type RpcErrorCode = keyof typeof ERROR_CODES;

/** A command's failure: the code is for programs, the message for people. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: RpcErrorCode;

  constructor(code: RpcErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RpcFailure {
  code: RpcErrorCode;
  message: string;
}

export type RpcResponse = {
  type: "response";
  /** Absent only where the line had none that could be read. */
  id?: RpcId;
  /** `parse` where the line did not come as far as naming one. */
  command: string;
} & ({ success: true; data?: unknown } | { success: false; error: RpcFailure });

export type RpcEvent = {
  type: string;
  /** From 1, without a gap. */
  seq: number;
  /** The run that it is part of. */
  runId?: string;
  /** The agent whose it is; absent if it is the session's own. */
  agent_id?: string;
} & Record<string, unknown>;

export type RpcFrame = RpcResponse | RpcEvent;

/** The first line: from here on commands are heard. */
export interface ReadyEvent {
  type: "ready";
  v: number;
  version: string;
  sessionId: string;
  cwd: string;
  model: { provider: string; id: string };
  /** What was repaired, passed over or chosen otherwise than asked, a sentence each. */
  notices: readonly string[];
}

/**
 * A person, or a program in their place, is asked: whether a call may run, something of an extension's, or
 * what the model wants to know.
 */
export type AskEvent = ApprovalAsk | DialogAsk | QuestionsAsk;

export interface ApprovalAsk {
  type: "ask";
  id: string;
  kind: "approval";
  /** Which session, and which agent if it is not the user's own. */
  origin?: Origin;
  agent_id?: string;
  tool: string;
  callId: string;
  /** Which of the calls of its reply it is. */
  place?: CallPlace;
  /** What will run. Secrets are hidden. */
  arguments: unknown;
  tier: ToolTier;
  reasons: readonly { behaviour: string; reason: string }[];
  subjects: readonly string[];
  guard?: string;
  /** What `session` and `always` would put down. */
  rules: readonly string[];
  verdicts: readonly Verdict[];
  preview?: CallPreview;
  /** It is refused when nobody has answered by then. */
  timeoutMs?: number;
}

/** An extension asks, or a part of Tau such as plan mode. It is answered with a `value`; null, or a verdict of no, is no answer. */
export interface DialogAsk {
  type: "ask";
  id: string;
  /** Answered with one of the choices' values, true or false, a line, or a text of several lines. */
  kind: "select" | "confirm" | "input" | "editor";
  /** If it is asked in an agent's session. */
  agent_id?: string;
  /** The extension's name, as Tau knows it, or which part of Tau asks. */
  from?: string;
  /** The extension's name; absent if it is Tau itself that asks. */
  extension?: string;
  title: string;
  /** Of `confirm`. */
  message?: string;
  /** Of `select`. */
  choices?: readonly { value: string; label: string; description?: string }[];
  /** Of `input`. */
  placeholder?: string;
  /** Of `input` and `editor`: what is there to be changed. */
  initial?: string;
  /** It counts as not answered when nobody has answered by then. */
  timeoutMs?: number;
}

/** Questions that are put together. Answered with a `value`, a list of answers; null is no answer. */
export interface QuestionsAsk {
  type: "ask";
  id: string;
  kind: "questions";
  /** If it is asked in an agent's session. */
  agent_id?: string;
  /** The extension's name, if it is not the model that asks. */
  extension?: string;
  questions: readonly AskedQuestion[];
  /** When nobody has answered by then, the recommended options are taken, or the first ones. */
  timeoutMs?: number;
}

/** Own words are always possible: they are not among the options. */
export interface AskedQuestion {
  id: string;
  question: string;
  options: readonly { label: string }[];
  /** Several can be chosen. */
  multi: boolean;
  /** Of the options, from 0. */
  recommended?: number;
}

/** To one of them: labels of its options, own words, or both if several can be chosen. */
export interface AskedAnswer {
  id: string;
  selected?: readonly string[];
  words?: string;
}

/** `answered`, `cancelled`: of a dialog. `void`: nobody waits for an answer any more. */
export interface AskEndEvent {
  type: "ask_end";
  id: string;
  outcome: Verdict | "answered" | "cancelled" | "timeout" | "void";
  agent_id?: string;
}

/** A prompt that came to no run of the loop ends too. */
export interface RunEndEvent {
  type: "agent_end";
  end: ActiveEnd;
  error?: RpcFailure;
}

/** Nothing runs, no agent works, and every result has been taken note of. */
export interface SettledEvent {
  type: "settled";
  /** Of the last run. */
  end?: ActiveEnd;
}
