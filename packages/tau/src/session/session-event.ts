// What a session tells whoever watches it: everything that happens in its runs, and what
// changes about the session itself.

import type { AgentEvent } from "@tau/agent/event";
import type { Origin } from "@tau/agent/judge-call";
import type { Delivery } from "@tau/agent/mail";
import type { ToolTier } from "@tau/agent/tool";
import type { ToolCallBlock } from "@tau/ai/message";
import type { ModelCallRecord } from "../model/aside.ts";

/** A message that waits to be delivered. */
export interface QueuedMessage {
  id: string;
  delivery: Delivery;
  sender: string;
  text: string;
}

export type SessionChange = "new" | "resume" | "fork" | "branch" | "handoff";

/**
 * What a session tells beyond its runs, by type. A feature adds its own from its folder, by
 * declaring this interface again for this module.
 */
export interface SessionEventMap {
  title_changed: { title: string; source: "user" | "auto" };
  /** `temporary`: a fallback or a promotion; the choice stays what it was. */
  model_changed: { model: string; thinking?: string; temporary: boolean };
  /** A model was asked beside the conversation, and what it used is in the log. */
  model_call: ModelCallRecord;
  /** All that waits now, oldest first. */
  queue_changed: { queued: QueuedMessage[] };
  /** A person is being asked about a call. */
  approval_start: {
    call: ToolCallBlock;
    reasons: string[];
    tier: ToolTier;
    subjects: readonly string[];
    /** What would be put down for good. */
    rules: readonly string[];
  };
  /** The person has answered. */
  approval_end: { callId: string; allowed: boolean };
  /** A reply has broken these rules: it is stopped, or reminded of them when it is done. */
  ttsr_triggered: { rules: { name: string; path: string }[] };
  /** The reply that would have ended the run is an answer, though the run goes on. */
  answer_stands: {};
  /** A command that came as a prompt is done; this is what it says. */
  command_output: { name: string; text: string };
  /** Another session is the current one. */
  session_changed: { id: string; path: string | undefined; reason: SessionChange };
  /** The position in the tree is another one: what was shown behind it is on another branch. */
  position_changed: { from: string | null; to: string | null };
}

/** Told of everything, and which session and agent it is from. */
export type SessionListener = (event: SessionEvent, origin: Origin) => void;

export type SessionEvent =
  | AgentEvent
  | {
      [Type in keyof SessionEventMap]: { type: Type } & SessionEventMap[Type];
    }[keyof SessionEventMap];
