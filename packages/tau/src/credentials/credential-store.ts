// Stored keys and logins: one SQLite file per user that nobody else may read. Several
// processes share it, so whatever must happen once (renewing a login) is guarded by a lease
// in the row itself.

import { Database } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { OAuthTokens } from "@tau/ai/oauth/oauth";
import { useWriteAhead } from "../config/write-ahead.ts";

export type StoredSecret =
  { kind: "api_key"; key: string } | { kind: "oauth"; tokens: OAuthTokens };

export interface StoredCredential {
  id: number;
  provider: string;
  /** What to call it: an account, or "key". */
  label: string;
  secret: StoredSecret;
  /** Changes with every write to the row. */
  version: number;
  /** Why it is not used any more. */
  disabledCause?: string;
  /** Milliseconds since the epoch until which its vendor wants to be left alone. */
  limitedUntil?: number;
  updatedAt: number;
}

interface Row {
  id: number;
  provider: string;
  label: string;
  secret: string;
  version: number;
  disabled_cause: string | null;
  limited_until: number | null;
  updated_at: number;
}

const SCHEMA_VERSION = 1;
/** Another process writes for milliseconds; seconds mean a stuck disk. */
const BUSY_TIMEOUT_MS = 5000;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

export class CredentialStore implements Disposable {
  readonly #database: Database;

  constructor(path: string) {
    if (path !== ":memory:") createPrivately(path);
    this.#database = new Database(path, { create: true, strict: true });
    this.#database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    useWriteAhead(this.#database);
    this.#database.run("PRAGMA synchronous = FULL");
    this.#migrate();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** In the order in which they were added; disabled ones too. */
  list(provider?: string): StoredCredential[] {
    const query =
      provider === undefined
        ? this.#database.query<Row, []>("SELECT * FROM credentials ORDER BY id").all()
        : this.#database
            .query<Row, [string]>("SELECT * FROM credentials WHERE provider = ? ORDER BY id")
            .all(provider);
    return query.map(fromRow);
  }

  get(id: number): StoredCredential | undefined {
    const row = this.#database
      .query<Row, [number]>("SELECT * FROM credentials WHERE id = ?")
      .get(id);
    return row ? fromRow(row) : undefined;
  }

  /** The same account logging in again replaces its credential; another one is added. */
  save(provider: string, label: string, secret: StoredSecret): StoredCredential {
    const row = this.#database
      .query<Row, [string, string, string, string, number]>(
        `INSERT INTO credentials (provider, kind, label, secret, updated_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (provider, kind, label) DO UPDATE SET
           secret = excluded.secret, updated_at = excluded.updated_at,
           version = version + 1, disabled_cause = NULL, limited_until = NULL
         RETURNING *`,
      )
      .get(provider, secret.kind, label, JSON.stringify(secret), Date.now());
    return fromRow(row!);
  }

  remove(id: number): void {
    this.#database.run("DELETE FROM credentials WHERE id = ?", [id]);
  }

  disable(id: number, cause: string): void {
    this.#change(id, "disabled_cause = ?", cause);
  }

  limit(id: number, until: number): void {
    this.#change(id, "limited_until = ?", until);
  }

  /**
   * The right to renew a login, for one process at a time. False where another one has it,
   * or where the row has changed since it was read: then somebody else has renewed it.
   */
  leaseRefresh(credential: StoredCredential, owner: string, forMs: number): boolean {
    const now = Date.now();
    const { changes } = this.#database.run(
      `UPDATE credentials SET lease_owner = ?, lease_until = ?
       WHERE id = ? AND version = ? AND (lease_until IS NULL OR lease_until < ?)`,
      [owner, now + forMs, credential.id, credential.version, now],
    );
    return changes === 1;
  }

  /** Writes what the renewal brought and gives the lease back. False where the lease was lost. */
  finishRefresh(id: number, owner: string, tokens: OAuthTokens): boolean {
    const secret: StoredSecret = { kind: "oauth", tokens };
    const { changes } = this.#database.run(
      `UPDATE credentials SET secret = ?, version = version + 1, updated_at = ?,
         lease_owner = NULL, lease_until = NULL, disabled_cause = NULL
       WHERE id = ? AND lease_owner = ?`,
      [JSON.stringify(secret), Date.now(), id, owner],
    );
    return changes === 1;
  }

  releaseRefresh(id: number, owner: string): void {
    this.#database.run(
      "UPDATE credentials SET lease_owner = NULL, lease_until = NULL WHERE id = ? AND lease_owner = ?",
      [id, owner],
    );
  }

  #change(id: number, assignment: string, value: string | number): void {
    this.#database.run(
      `UPDATE credentials SET ${assignment}, version = version + 1, updated_at = ? WHERE id = ?`,
      [value, Date.now(), id],
    );
  }

  #migrate(): void {
    const { user_version: version } = this.#database
      .query<{ user_version: number }, []>("PRAGMA user_version")
      .get()!;
    if (version > SCHEMA_VERSION) {
      throw new StoreTooNew(
        `the credential store was written by a newer version of Tau (${version}); update Tau`,
      );
    }
    if (version === SCHEMA_VERSION) return;
    this.#database
      .transaction(() => {
        this.#database.run(`CREATE TABLE IF NOT EXISTS credentials (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          provider TEXT NOT NULL,
          kind TEXT NOT NULL,
          label TEXT NOT NULL,
          secret TEXT NOT NULL,
          version INTEGER NOT NULL DEFAULT 1,
          disabled_cause TEXT,
          limited_until INTEGER,
          lease_owner TEXT,
          lease_until INTEGER,
          updated_at INTEGER NOT NULL,
          UNIQUE (provider, kind, label)
        )`);
        this.#database.run(`PRAGMA user_version = ${SCHEMA_VERSION}`);
      })
      .immediate();
  }
}

export class StoreTooNew extends Error {
  override readonly name = "StoreTooNew";
}

/** Before SQLite touches it, so that there is no moment in which others may read. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  closeSync(openSync(path, "a", PRIVATE_FILE));
  // A file that came from elsewhere may be wider open; SQLite gives its side files the same mode.
  chmodSync(path, PRIVATE_FILE);
}

function fromRow(row: Row): StoredCredential {
  return {
    id: row.id,
    provider: row.provider,
    label: row.label,
    secret: JSON.parse(row.secret) as StoredSecret,
    version: row.version,
    updatedAt: row.updated_at,
    disabledCause: row.disabled_cause === null ? undefined : row.disabled_cause,
    limitedUntil: row.limited_until === null ? undefined : row.limited_until,
  };
}
