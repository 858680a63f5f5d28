// The agents of a conversation as screens have them (`feature-api/agent-book.ts`), made of the registry.

import { existsSync } from "node:fs";
import type { AgentBook, AgentTranscript } from "../../feature-api/agent-book.ts";
import { openSession } from "../../session/log/open-session.ts";
import type { SessionStore } from "../../session/session-store.ts";
import { UserError } from "../../user-error.ts";
import { agentFiles } from "./agent-files.ts";
import type { AgentTranscripts } from "./agent-transcripts.ts";
import type { AgentRegistry } from "./registry.ts";

export interface BookPlace {
  registry: AgentRegistry;
  /** Absent where nobody can open a screen. */
  transcripts?: AgentTranscripts;
  store: Pick<SessionStore, "surroundings">;
}

export function agentBook({ registry, transcripts, store }: BookPlace): AgentBook {
  return {
    views: () => registry.views(),
    get atWork() {
      return registry.atWork;
    },
    subscribe: (listener) => registry.subscribe(listener),
    say: (id, text) => registry.say(id, text),
    interrupt: async (id) => void (await registry.get(id)?.session?.abort()),
    stop: (id) => registry.stop(id),
    revive: (id) => registry.revive(id),
    openTranscript: (id) => openTranscript(id, { registry, transcripts, store }),
  };
}

const NOTHING: AgentTranscript = {
  log: { branch: async () => [] },
  follow: () => () => {},
  async [Symbol.asyncDispose]() {},
};

async function openTranscript(id: string, place: BookPlace): Promise<AgentTranscript> {
  const { registry, transcripts, store } = place;
  const session = registry.get(id)?.session;
  if (session) {
    return {
      log: session.log,
      follow: (follower) => transcripts?.follow(session, follower) ?? (() => {}),
      async [Symbol.asyncDispose]() {},
    };
  }
  const files = agentFiles(registry.main.log);
  if (!files) throw new UserError(`nothing is kept of ${id}: this conversation is not saved`);
  // One that waits for its turn, or could not be started, has done nothing yet.
  if (!existsSync(files.log(id))) return NOTHING;
  const log = await openSession(files.log(id), { ...store.surroundings, mode: "read" });
  return { log, follow: () => () => {}, [Symbol.asyncDispose]: () => log.close() };
}
