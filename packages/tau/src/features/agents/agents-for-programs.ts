// The agents of a conversation as programs have them (`feature-api/agents.ts`), made of the registry.

import type { Parts } from "../../base/part.ts";
import { AGENT_SESSIONS } from "../../feature-api/agent-sessions.ts";
import { AGENTS, type Agents } from "../../feature-api/agents.ts";
import type { SessionListener } from "../../session/session-event.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { readMessages } from "./read-messages.ts";
import type { AgentRegistry } from "./registry.ts";

export function offerToPrograms(
  parts: Parts,
  registry: AgentRegistry,
  store: Pick<SessionStore, "surroundings">,
): void {
  parts.provide(AGENTS, agentsForPrograms(registry, store));
  parts.provide(AGENT_SESSIONS, {
    hear: (listener) => hearAgents(registry, listener),
    abort: async (id) => registry.get(id)?.session?.abort(),
  });
}

function agentsForPrograms(
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
    messages: (id, part) => readMessages(registry, store, { id, ...part }),
    whenDone: async (signal) => {
      while (true) {
        await whenDone(registry, signal);
        await registry.main.whenIdle();
        // What was told may have made the session start others.
        if (registry.pending.length === 0 || registry.isLeft || signal?.aborted) return;
      }
    },
  };
}

function hearAgents(registry: AgentRegistry, listener: SessionListener): () => void {
  return registry.hear((event, { id, session }) =>
    listener(event, session?.origin ?? { session: registry.main.id, agent: id }),
  );
}

/** Nobody is at work and every result was told, nothing more will come of them, or the signal aborts. */
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
