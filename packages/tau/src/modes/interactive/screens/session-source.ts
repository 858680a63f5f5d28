// Where the session picker gets its sessions from: the files of a store.

import { createDiskStorage } from "@tau/host/storage";
import { listAllSessions, listSessions } from "../../../session/listing/list-sessions.ts";
import type { SessionInfo } from "../../../session/listing/session-info.ts";
import { explained, type SessionStore } from "../../../session/session-store.ts";
import type { SessionPickerDeps } from "./session-picker.ts";

export interface SessionSourceOptions {
  store: SessionStore;
  /** The session that is open here: its log is renamed, not its file. */
  current?: { path: string | undefined; rename(title: string): Promise<void> };
  /** Ids of the sessions in which something like it was asked. */
  promptsMatching?(query: string): Promise<readonly string[]>;
}

type Source = Omit<SessionPickerDeps, "signal" | "now">;

export function sessionSource({ store, current, promptsMatching }: SessionSourceOptions): Source {
  const { places, surroundings } = store;
  return {
    list: (scope) =>
      scope === "here" ? listSessions(places.directory) : listAllSessions(places.sessionsDirectory),
    async search(query, sessions, { signal, onHit }) {
      // The index of prompts knows at once what the files tell later.
      const asked = new Set(await promptsMatching?.(query));
      if (signal.aborted) return;
      const inIndex = (session: SessionInfo): boolean => asked.has(session.id);
      for (const session of sessions.filter(inIndex)) onHit({ session, excerpt: query });
      const rest = sessions.filter((session) => !inIndex(session));
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
    ...(current?.path === undefined ? {} : { currentPath: current.path }),
  };
}
