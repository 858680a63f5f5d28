// The agents of a conversation for programs: those that embed Tau, those at the other end of a pipe, and,
// with less in their hands, features from outside.

import { partKey } from "../../base/part.ts";
import type { SessionListener } from "../../session/session-event.ts";
import type { SessionStore } from "../../session/session-store.ts";
import type { AgentListener, AgentRegistry } from "./registry.ts";
import type { AgentView } from "./agent-view.ts";
import { readTranscript, type AgentTranscript, type TranscriptPart } from "./read-transcript.ts";

export interface Agents {
  /** In the order in which they came to be. */
  list(): readonly AgentView[];
  /** How many are at work, or have a result that has not been told. */
  readonly pending: number;
  /** Told who there is and what each does, a few times a second at most. Returns the way to stop listening. */
  subscribe(listener: AgentListener): () => void;
  /** Told of everything in their sessions; the origin's `agent` is the name. Returns the way to stop listening. */
  hear(listener: SessionListener): () => void;
  /** Into its run, or as a run of its own; one that is parked comes back for it. Rejects with `AgentGone`. */
  message(id: string, text: string): Promise<void>;
  /** It and all that it has started, for good. Rejects with `AgentGone` if there is none. */
  stop(id: string): Promise<void>;
  /** Brings back one that is parked; one that was interrupted goes on. Rejects with `AgentGone`. */
  revive(id: string): Promise<void>;
  /** A part of its conversation, the last if not said otherwise; one that is parked stays so. */
  transcript(id: string, part?: TranscriptPart): Promise<AgentTranscript>;
  /** Resolves when nobody is at work and every result was told, or when the signal aborts. */
  whenDone(signal?: AbortSignal): Promise<void>;
}

/**
 * Of the user's own session. A feature from outside can watch and stop: what is said to an agent is said in
 * the user's name, and waking one spends the user's money.
 */
export const AGENTS_FOR_PROGRAMS = partKey<Agents>("agents for programs", { viewOf: watching });

export function agentsForPrograms(
  registry: AgentRegistry,
  store: Pick<SessionStore, "surroundings">,
): Agents {
  return {
    list: () => registry.views(),
    get pending() {
      return registry.pending.length;
    },
    subscribe: (listener) => registry.subscribe(listener),
    hear: (listener) => hearAgents(registry, listener),
    message: (id, text) => registry.say(id, text),
    stop: (id) => registry.stop(id),
    revive: (id) => registry.revive(id),
    transcript: (id, part) => readTranscript(registry, store, { id, ...part }),
    whenDone: (signal) => whenDone(registry, signal),
  };
}

export function hearAgents(registry: AgentRegistry, listener: SessionListener): () => void {
  return registry.hear((event, { id, session }) =>
    listener(event, session?.origin ?? { session: registry.main.id, agent: id }),
  );
}

export function whenDone(registry: AgentRegistry, signal?: AbortSignal): Promise<void> {
  if (!signal) return registry.whenDone();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return Promise.race([registry.whenDone(), promise]).finally(() =>
    signal.removeEventListener("abort", stop),
  );
}

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
