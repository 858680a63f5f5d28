// What a session tells whoever watches it: everything that happens in its runs, and what
// changes about the session itself.

import type { AgentEvent } from "@tau/agent/event";
import type { Origin } from "@tau/agent/judge-call";
import type { Delivery } from "@tau/agent/mail";
import type { ImageBlock, TextBlock } from "@tau/ai/message";
import type { ModelCallRecord } from "../model/aside.ts";

/** A message that waits to be delivered. */
export interface QueuedMessage {
  id: string;
  delivery: Delivery;
  sender: string;
  text: string;
}

/** What the user runs in the agent's shell or kernels. */
export interface OwnRun {
  id: string;
  /** Before what is run, as it was typed: `!`, `!!`, `$`, `$js`. */
  sign: string;
  /** The tool whose view it has, and the arguments of such a call. */
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  /** Whether the model hears of it. */
  isTold: boolean;
  /** The timestamp of the message that tells it, and of no other. */
  toldAt?: number;
}

export interface OwnRunEnd {
  content: readonly (TextBlock | ImageBlock)[];
  isError: boolean;
  /** Null if a signal ended it; absent for what has none. */
  exitCode?: number | null;
  durationMs: number;
  /** The whole output, if the content has only part of it. */
  artifactId?: string;
}

/** What was seen of a reply that does not count. */
export interface BrokenReply {
  /** `provider/id`. */
  model: string;
  said: readonly { kind: "answer" | "thinking"; text: string; durationMs?: number }[];
}

export type SessionChange = "new" | "resume" | "fork" | "branch" | "handoff" | "reload";

/** What a session itself tells beyond its runs, by type. Each has a row in the event table. */
export interface BuiltInEventMap {
  title_changed: { title: string; source: "user" | "auto" };
  /** `temporary`: a fallback or a promotion; the choice stays what it was. */
  model_changed: { model: string; thinking?: string; temporary: boolean };
  /** A model was asked beside the conversation, and what it used is in the log. */
  model_call: ModelCallRecord;
  /** All that waits now, oldest first. */
  queue_changed: { queued: QueuedMessage[] };
  /** A command or a cell of the user's own begins. */
  own_run_start: OwnRun;
  own_run_update: { id: string; text: string };
  own_run_end: OwnRun & OwnRunEnd;
  /** The reply that would have ended the run is an answer, though the run goes on. */
  answer_stands: {};
  /** A reply is about to be discarded: what was seen of it stays in sight, and is not part of the conversation. */
  reply_broken_off: BrokenReply;
  /** A slash command, as it was given. */
  command_start: { name: string; line: string };
  /** It is done; this is what it says. */
  command_output: { name: string; text: string; isError?: true };
  /** Another session is the current one. */
  session_changed: { id: string; path: string | undefined; reason: SessionChange };
  /**
   * The position in the tree is another one: what was shown behind it is on another branch. `inRun`: the
   * run that moved it goes on there, and what people have seen of it stays in sight.
   */
  position_changed: { from: string | null; to: string | null; inRun?: true };
}

/** Told of everything, and which session and agent it is from. */
export type SessionListener = (event: SessionEvent, origin: Origin) => void;

/**
 * All that a session tells beyond its runs. A feature adds its own from its folder, by declaring this
 * interface again for this module, and brings a row for each (`Feature.events`): of the type
 * `EventRowsOf<ItsMap>`, none can be forgotten.
 */
export interface SessionEventMap extends BuiltInEventMap {}

type EventsOf<Map> = { [Type in keyof Map]: { type: Type } & Map[Type] }[keyof Map];

export type BuiltInEvent = AgentEvent | EventsOf<BuiltInEventMap>;
export type SessionEvent = AgentEvent | EventsOf<SessionEventMap>;
