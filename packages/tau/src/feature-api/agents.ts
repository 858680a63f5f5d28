// The agents of a conversation for programs: those that embed Tau, those at the other end of a pipe, and,
// with less in their hands, features from outside. The user's own session offers this part.

import type { Message } from "@tau/ai/message";
import { partKey } from "../base/part.ts";
import type { SessionListener } from "../session/session-event.ts";
import type { AgentView } from "./agent-view.ts";

export interface Agents {
  /** In the order in which they came to be. */
  list(): readonly AgentView[];
  /** How many are at work, or have a result that has not been told. */
  readonly pending: number;
  /** Told who there is and what each does, a few times a second at most. Returns the way to stop listening. */
  subscribe(listener: (agents: readonly AgentView[]) => void): () => void;
  /** Told of everything in their sessions; the origin's `agent` is the name. Returns the way to stop listening. */
  hear(listener: SessionListener): () => void;
  /**
   * What the user says to one: into its run, or as a run of its own; one that is parked comes back for it.
   * Rejects with `UnknownAgent`, with `AgentGone` if it was stopped, or with what opening its log throws.
   */
  message(id: string, text: string): Promise<void>;
  /** It and all that it has started, for good. Rejects with `UnknownAgent`. */
  stop(id: string): Promise<void>;
  /** Brings back one that is parked; one that was interrupted goes on. Rejects as `message` does. */
  revive(id: string): Promise<void>;
  /** Of its conversation; one that is parked stays so. Rejects with `UnknownAgent`. */
  messages(id: string, part?: MessagesPart): Promise<AgentMessages>;
  /** Resolves when nobody works and the session has taken note of every result, or when the signal aborts. */
  whenDone(signal?: AbortSignal): Promise<void>;
}

export interface MessagesPart {
  /** The first message; the last ones if absent. */
  offset?: number;
  /** 50 if absent. */
  limit?: number;
}

export interface AgentMessages {
  readonly messages: readonly Message[];
  /** Of the first of these. */
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

/**
 * A feature from outside can watch and stop: what is said to an agent is said in the user's name, and
 * waking one goes on with work that the user may have left.
 */
export const AGENTS = partKey<Agents>("agents for programs", { viewOf: watching });

function watching(agents: Agents): Partial<Agents> {
  return {
    list: () => agents.list(),
    get pending() {
      return agents.pending;
    },
    subscribe: (listener) => agents.subscribe(listener),
    hear: (listener) => agents.hear(listener),
    stop: (id) => agents.stop(id),
    whenDone: (signal) => agents.whenDone(signal),
  };
}
