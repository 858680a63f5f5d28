// Where the session picker gets its sessions from: the files of a store.

import { createDiskStorage } from "@tau/host/storage";
import { oneLine } from "@tau/tui/width";
import { listAllSessions, listSessions } from "../../../session/listing/list-sessions.ts";
import type { SessionInfo } from "../../../session/listing/session-info.ts";
import { explained, type SessionStore } from "../../../session/session-store.ts";
import type { SessionPickerDeps } from "./session-picker.ts";

export interface SessionSourceOptions {
  store: SessionStore;
  /** The session that is open here: its log is renamed, not its file. */
  current?: { path: string | undefined; rename(title: string): Promise<void> };
}

type Source = Omit<SessionPickerDeps, "signal" | "now">;

/** Prompts that the history finds; files tell the rest. */
const MAX_PROMPTS = 200;

export function sessionSource({ store, current }: SessionSourceOptions): Source {
  const { places, surroundings } = store;
  return {
    async list(scope) {
      const found =
        scope === "here"
          ? await listSessions(places.directory)
          : await listAllSessions(places.sessionsDirectory);
      // Nobody looks for a conversation that never began.
      return found.filter(({ status, path }) => status !== "empty" || path === current?.path);
    },
    async search(query, sessions, { signal, onHit }) {
      // The index of prompts knows at once what the files tell later.
      const asked = await promptsMatching(store.agentDirectory, query);
      if (signal.aborted) return;
      const rest: SessionInfo[] = [];
      for (const session of sessions) {
        const prompt = asked.get(session.id);
        if (prompt === undefined) rest.push(session);
        else onHit({ session, excerpt: oneLine(prompt) });
      }
      const { searchSessions } = await import("../../../session/listing/search-sessions.ts");
      await searchSessions(rest, query, { storage: createDiskStorage(), signal, onHit });
    },
    async lastExchange({ path }) {
      const { readLastExchange } = await import("../../../session/listing/last-exchange.ts");
      return readLastExchange(path);
    },
    async rename({ path }, title) {
      if (current && path === current.path) return current.rename(title);
      const { renameSession } = await import("../../../session/operations/name-session.ts");
      await using log = await store.openForWriting(path);
      await renameSession(log, title);
    },
    async remove({ path }) {
      const { deleteSession } = await import("../../../session/operations/delete-session.ts");
      await explained(path, () => deleteSession(path, surroundings));
    },
    currentPath: current?.path,
  };
}

/** By session, the newest prompt that matches; nothing where no history is kept. */
async function promptsMatching(
  agentDirectory: string,
  query: string,
): Promise<ReadonlyMap<string, string>> {
  const { findHistory } = await import("../../../session/history/open-history.ts");
  using history = await findHistory({ agentDirectory });
  const found = history?.search(query, { limit: MAX_PROMPTS }) ?? [];
  return new Map(found.toReversed().map(({ sessionId, prompt }) => [sessionId, prompt]));
}
