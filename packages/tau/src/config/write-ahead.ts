// Switches a database to write-ahead logging. Where two processes open a new file at the same
// moment, SQLite tells one of them at once that it is locked, whatever patience was set: trying
// again is all there is to do.

import type { Database } from "bun:sqlite";

const WAIT_MS = 3000;
const PAUSE_MS = 5;

export function useWriteAhead(database: Database): void {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    try {
      database.run("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
      if (!isBusy || performance.now() > deadline) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
  }
}
