// The last usage report of each stored credential, in the same private file. A cache: what
// is in it may be lost.

import { Database } from "bun:sqlite";
import type { UsageReport } from "@tau/ai/oauth/usage-report";

export interface CachedReport {
  /** Absent where the vendor has never told. */
  report?: UsageReport;
  fetchedAt: number;
  /** When the vendor may be asked again. */
  nextAt: number;
}

/** Another process writes for milliseconds; a cache is not worth waiting longer for. */
const BUSY_TIMEOUT_MS = 1000;

export class UsageCache implements Disposable {
  readonly #database: Database;

  /** The credential store must exist: it makes the file private. */
  constructor(path: string) {
    this.#database = new Database(path, { strict: true, readwrite: true });
    this.#database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    this.#database.run(`CREATE TABLE IF NOT EXISTS usage_reports (
      credential_id INTEGER PRIMARY KEY,
      report TEXT,
      fetched_at INTEGER NOT NULL,
      next_at INTEGER NOT NULL
    )`);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  get(credentialId: number): CachedReport | undefined {
    const row = this.#database
      .query<{ report: string | null; fetched_at: number; next_at: number }, [number]>(
        "SELECT * FROM usage_reports WHERE credential_id = ?",
      )
      .get(credentialId);
    if (!row) return undefined;
    return {
      report: row.report === null ? undefined : (JSON.parse(row.report) as UsageReport),
      fetchedAt: row.fetched_at,
      nextAt: row.next_at,
    };
  }

  put(credentialId: number, { report, fetchedAt, nextAt }: CachedReport): void {
    const text = report === undefined ? null : JSON.stringify(report);
    this.#database.run(
      `INSERT INTO usage_reports (credential_id, report, fetched_at, next_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (credential_id) DO UPDATE SET
         report = excluded.report, fetched_at = excluded.fetched_at, next_at = excluded.next_at`,
      [credentialId, text, fetchedAt, nextAt],
    );
  }

  /** Forgets credentials that are gone. */
  prune(): void {
    this.#database.run(
      "DELETE FROM usage_reports WHERE credential_id NOT IN (SELECT id FROM credentials)",
    );
  }
}
