// What was asked before, in which directory and session: to recall with the arrow keys and to
// find again. All of a user's processes share one SQLite file. Writing happens a moment later
// and in one go, so that a prompt never waits for it; what cannot be written is given up with a
// warning.

import type { Database, SQLQueryBindings } from "bun:sqlite";
import { isBusy, isDamage, openDatabase, startOver } from "./history-database.ts";
import { likePattern, searchExpression } from "./search-expression.ts";

/** Years of prompts; the oldest ones go. */
export const MAX_PROMPTS = 10_000;
/** A longer one is a pasted file; its session has it. */
export const MAX_PROMPT_CHARACTERS = 16 * 1024;
/** Enough to gather what comes together, too short for anyone to miss it. */
const WRITE_DELAY_MS = 100;
/** Each after the delay and the database's own patience. */
const MAX_ATTEMPTS = 20;
/** When closing: together a second, which is what an end may take. */
const LAST_ATTEMPTS = 4;
const DEFAULT_LIMIT = 100;

export interface NewPrompt {
  prompt: string;
  cwd: string;
  sessionId: string;
  /** Milliseconds since the epoch; now, where it is left out. */
  at?: number;
}

export interface HistoryItem {
  prompt: string;
  cwd: string;
  sessionId: string;
  at: number;
}

export interface HistoryRange {
  /** Its prompts come first. */
  cwd?: string;
  /** Nothing of other directories. */
  onlyCwd?: boolean;
  limit?: number;
}

export interface HistoryOptions {
  path: string;
  /** Hears a sentence where something is wrong with the file. */
  onWarning?: (message: string) => void;
  maxPrompts?: number;
  now?: () => number;
}

interface Row {
  prompt: string;
  cwd: string;
  session_id: string;
  created_at: number;
}

export class PromptHistory implements Disposable {
  readonly #options: HistoryOptions;
  #database: Database | undefined;
  #waiting: Required<NewPrompt>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #attempts = 0;
  #hasWarned = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#take(openDatabase(options.path));
  }

  /** Never fails and never waits. The same prompt again in the same session is kept once. */
  add(item: NewPrompt): void {
    const { prompt, cwd, sessionId, at = (this.#options.now ?? Date.now)() } = item;
    if (!this.#database || prompt.trim() === "" || prompt.length > MAX_PROMPT_CHARACTERS) return;
    this.#waiting.push({ prompt: prompt.toWellFormed(), cwd, sessionId, at });
    this.#schedule();
  }

  /** Writes what waits. False where it has to wait longer. */
  flush(): boolean {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0 || !this.#database) return true;
    const items = this.#waiting;
    const write = (database: Database): void => this.#write(database, items);
    let outcome = this.#guard(write);
    // A damaged file was replaced by a new one, which gets them; once, not for ever.
    if (outcome === "renewed") outcome = this.#guard(write);
    if (outcome === "busy" && (this.#attempts += 1) < MAX_ATTEMPTS) return false;
    this.#attempts = 0;
    this.#waiting = [];
    if (outcome === "busy") this.#warn("is busy; some prompts were not saved");
    return true;
  }

  /** Newest first, each text once. */
  recent(range: HistoryRange = {}): HistoryItem[] {
    return this.#select("1 = 1", [], range);
  }

  /** Newest first, each text once; all words must be there, or the text as it stands. */
  search(query: string, range: HistoryRange = {}): HistoryItem[] {
    if (query.trim() === "") return this.recent(range);
    const expression = searchExpression(query);
    const found = expression
      ? this.#select(
          "id IN (SELECT rowid FROM history_fts WHERE history_fts MATCH ?)",
          [expression],
          range,
        )
      : [];
    if (found.length > 0) return found;
    // Languages without spaces, and searches for signs: the index has no such words.
    return this.#select("prompt LIKE ? ESCAPE '\\'", [likePattern(query)], range);
  }

  /** In which something like it was asked, newest first. */
  sessionsMatching(query: string, limit: number = DEFAULT_LIMIT): string[] {
    const expression = searchExpression(query);
    if (expression === undefined) return [];
    this.flush();
    const rows = this.#read<{ session_id: string }>(
      `SELECT session_id FROM history
       WHERE id IN (SELECT rowid FROM history_fts WHERE history_fts MATCH ?)
       GROUP BY session_id ORDER BY max(id) DESC LIMIT ?`,
      [expression, limit],
    );
    return rows.map((row) => row.session_id);
  }

  [Symbol.dispose](): void {
    // A process that ends has no later.
    for (let attempt = 1; !this.flush() && attempt < LAST_ATTEMPTS; attempt += 1);
    clearTimeout(this.#timer);
    this.#database?.close();
    this.#database = undefined;
  }

  #schedule(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.flush()) this.#schedule();
    }, WRITE_DELAY_MS);
    // What waits is written when it is closed; nobody stays for it.
    this.#timer.unref?.();
  }

  #write(database: Database, items: readonly Required<NewPrompt>[]): void {
    const { maxPrompts = MAX_PROMPTS } = this.#options;
    const latest = database.query<{ prompt: string; session_id: string }, [string]>(
      "SELECT prompt, session_id FROM history WHERE cwd = ? ORDER BY id DESC LIMIT 1",
    );
    const insert = database.query<null, [string, number, string, string]>(
      "INSERT INTO history (prompt, created_at, cwd, session_id) VALUES (?, ?, ?, ?)",
    );
    const trim = database.query<null, [number]>(
      "DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)",
    );
    database
      .transaction(() => {
        for (const { prompt, cwd, sessionId, at } of items) {
          const before = latest.get(cwd);
          if (before?.prompt === prompt && before.session_id === sessionId) continue;
          insert.run(prompt, at, cwd, sessionId);
        }
        trim.run(maxPrompts);
      })
      .immediate();
  }

  #select(condition: string, values: SQLQueryBindings[], range: HistoryRange): HistoryItem[] {
    const { cwd, onlyCwd = false, limit = DEFAULT_LIMIT } = range;
    this.flush();
    const here = cwd ?? "";
    const scope = onlyCwd ? "AND cwd = ?" : "";
    const scoped = onlyCwd ? [here] : [];
    // Each text once, and where it was asked here before: as it was asked here.
    const rows = this.#read<Row>(
      `SELECT prompt, cwd, session_id, created_at FROM (
         SELECT *, row_number() OVER (PARTITION BY prompt ORDER BY cwd = ? DESC, id DESC) AS copy
         FROM history WHERE ${condition} ${scope}
       ) WHERE copy = 1 ORDER BY cwd = ? DESC, id DESC LIMIT ?`,
      [here, ...values, ...scoped, here, limit],
    );
    return rows.map((row) => ({
      prompt: row.prompt,
      cwd: row.cwd,
      sessionId: row.session_id,
      at: row.created_at,
    }));
  }

  #read<T>(sql: string, values: SQLQueryBindings[]): T[] {
    let rows: T[] = [];
    this.#guard((database) => {
      rows = database.query<T, SQLQueryBindings[]>(sql).all(...values);
    });
    return rows;
  }

  #guard(work: (database: Database) => void): "done" | "busy" | "renewed" | "failed" {
    if (!this.#database) return "failed";
    try {
      work(this.#database);
      return "done";
    } catch (error) {
      if (isBusy(error)) return "busy";
      if (!(error instanceof Error && "code" in error)) throw error;
      if (isDamage(error)) {
        this.#database.close();
        this.#take(startOver(this.#options.path));
        return this.#database ? "renewed" : "failed";
      }
      this.#warn(`cannot be used now (${error.message}); prompts are not saved`);
      return "failed";
    }
  }

  #take({ database, warning }: ReturnType<typeof openDatabase>): void {
    this.#database = database;
    if (warning !== undefined) this.#options.onWarning?.(warning);
  }

  /** Once: a full disk would say it with every prompt. */
  #warn(problem: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.onWarning?.(`${this.#options.path} ${problem}.`);
  }
}
