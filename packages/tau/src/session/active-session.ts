// The session that a front-end is in, which may become another one: a new one, an earlier one,
// a fork, or the fresh one that a handoff begins. Listeners stay with it through every change.

import { HookCalls } from "@tau/agent/hook-calls";
import type { RunEnd } from "@tau/agent/event";
import type { SaidMessage } from "@tau/agent/mail";
import type { Approval } from "../behaviours/approval/approval-behaviour.ts";
import type { SecretVault } from "../behaviours/secrets/secret-vault.ts";
import type { TodoList } from "../behaviours/todo/todo-list.ts";
import type { Settings } from "../config/settings.ts";
import type { CellHome } from "../tools/eval/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import type { AvailableInstructions } from "../context/available-instructions.ts";
import type { CompactionReport } from "../behaviours/compaction/compaction-behaviour.ts";
import {
  createSession,
  createSessionOn,
  type CreatedSession,
  type CreateSessionOptions,
} from "./create-session.ts";
import type { SessionEntry } from "./entry.ts";
import { createSessionLog } from "./log/open-session.ts";
import type { CopySource } from "./operations/copy-source.ts";
import type { CopyTarget } from "./operations/copy-target.ts";
import type { PromptOptions, Session } from "./session.ts";
import type { SessionChange, SessionEvent } from "./session-event.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionStore, SessionWish } from "./session-store.ts";

/** A run's end, or that the prompt was no matter for a run. */
export type ActiveEnd = RunEnd | { reason: "consumed" };

/** An extension objects to leaving the session. */
export class ChangeRefused extends Error {
  override readonly name = "ChangeRefused";
}

export class ActiveSession implements AsyncDisposable {
  readonly #options: CreateSessionOptions;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly #readers = new Set<(entries: readonly SessionEntry[]) => void>();
  #created: CreatedSession;
  #unsubscribe: () => void;

  private constructor(options: CreateSessionOptions, created: CreatedSession) {
    this.#options = options;
    this.#created = created;
    this.#unsubscribe = this.#follow(created.session);
  }

  static async open(options: CreateSessionOptions): Promise<ActiveSession> {
    return new ActiveSession(options, await createSession(options));
  }

  get session(): Session {
    return this.#created.session;
  }

  get store(): SessionStore {
    return this.#created.store;
  }

  get vault(): SecretVault | undefined {
    return this.#created.vault;
  }

  get approval(): Approval {
    return this.#created.approval;
  }

  get settings(): Settings {
    return this.#created.settings;
  }

  get workspace(): Workspace {
    return this.#created.workspace;
  }

  /** For cells of the user's own; absent where there are none. */
  get cells(): CellHome | undefined {
    return this.#created.cells;
  }

  /** Of the current session: what can be called by name. */
  get instructions(): AvailableInstructions | undefined {
    return this.#created.instructions;
  }

  /** Of the current session; absent where the model has no list. */
  get todos(): TodoList | undefined {
    return this.#created.todos;
  }

  /** What there was to say when the current session was opened. */
  get notices(): readonly string[] {
    return this.#created.notices;
  }

  /** Returns the way to stop listening. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Told of the entries of the current session's branch as soon as they are durable. */
  onAppended(listener: (entries: readonly SessionEntry[]) => void): () => void {
    this.#readers.add(listener);
    return () => this.#readers.delete(listener);
  }

  /** In this session, or, where it is full and to be handed over, in the one that goes on. */
  async prompt(message: SaidMessage, options: PromptOptions = {}): Promise<ActiveEnd> {
    const end = await this.session.prompt(message, options);
    if (end.reason !== "handoff") return end;
    await this.handOver(end.document);
    return this.prompt(end.message, options);
  }

  async compact(
    options: { instructions?: string; strategy?: string; signal?: AbortSignal } = {},
  ): Promise<CompactionReport> {
    const report = await this.session.compact(options);
    if (report.type === "handoff") await this.handOver(report.document);
    return report;
  }

  startNew(): Promise<void> {
    return this.#change("new", () => this.#openLog({ kind: "new" }));
  }

  /** By id, prefix or path. */
  async resume(wanted: string): Promise<void> {
    const { id, log } = this.session;
    if (log.path !== undefined && (id.startsWith(wanted) || log.path === wanted)) return;
    return this.#change("resume", () => this.#openLog({ kind: "resume", wanted }));
  }

  /** A second session with all that this one has; this one stays as it is. */
  fork(): Promise<void> {
    return this.#change("fork", async () => {
      const { forkSession } = await import("./operations/fork-session.ts");
      const { log } = await forkSession(this.#source(), this.#target(), this.store.surroundings);
      return log;
    });
  }

  /**
   * A new session from the way to one entry. Gives back the words of the entry where they are
   * to be said differently.
   */
  async branch(entryId: string): Promise<string | undefined> {
    const calls = this.#hookCalls(this.session);
    const answers = await calls.session("session_before_branch", { entryId });
    for (const answer of answers) if ("cancel" in answer) throw refused(answer.reason);
    let editorText: string | undefined;
    await this.#change("branch", async () => {
      const { branchSession } = await import("./operations/branch-session.ts");
      const { surroundings } = this.store;
      const made = await branchSession(this.#source(), entryId, this.#target(), surroundings);
      ({ editorText } = made);
      return made.log;
    });
    await calls.notify("session_branch", { entryId, sessionId: this.session.id });
    return editorText;
  }

  /** A fresh session that begins with what the old one leaves to it. */
  handOver(document: string): Promise<void> {
    return this.#change("handoff", async () => {
      const [{ handoffEntry }, { carriedEntries }] = await Promise.all([
        import("../behaviours/compaction/handoff.ts"),
        import("../behaviours/todo/todo-list.ts"),
      ]);
      const { header, path } = this.session.log;
      const { surroundings, places } = this.store;
      const { cwd, id: parentSession } = header;
      const place = { directory: places.directory };
      const log =
        path === undefined
          ? await this.store.open({ kind: "memory" })
          : await createSessionLog({ ...surroundings, place, cwd, parentSession });
      await log.appendAll([handoffEntry(document), ...carriedEntries(this.todos?.phases ?? [])]);
      return log;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    this.#listeners.clear();
    this.#readers.clear();
  }

  #follow(session: Session): () => void {
    const leave = [
      session.subscribe(this.#emit),
      session.onAppended((entries) => {
        for (const reader of this.#readers) reader(entries);
      }),
    ];
    return () => leave.forEach((stop) => stop());
  }

  #openLog(wish: SessionWish): Promise<SessionLog> {
    const isInMemory = wish.kind === "new" && this.session.log.path === undefined;
    return this.store.open(isInMemory ? { kind: "memory" } : wish);
  }

  /** The next one is there before the old one is left: a failure leaves everything as it was. */
  async #change(reason: SessionChange, open: () => Promise<SessionLog>): Promise<void> {
    const before = this.session;
    await before.abort();
    const calls = this.#hookCalls(before);
    const answers = await calls.session("session_before_switch", {
      from: before.id,
      to: undefined,
    });
    for (const answer of answers) if ("cancel" in answer) throw refused(answer.reason);
    const log = await open();
    const { model, thinking: _level, ...rest } = this.#options;
    // What was asked for on the way in held for the first session; the log knows its own.
    const kept = typeof model === "object" || reason !== "resume" ? this.#inheritedModel() : {};
    const startReason = reason === "branch" ? "fork" : reason;
    const wishes = { ...rest, ...kept, reason: startReason };
    const created = await createSessionOn(log, this.store, wishes);
    this.#unsubscribe();
    this.#created = created;
    this.#unsubscribe = this.#follow(created.session);
    const { id } = created.session;
    await calls.notify("session_switch", { from: before.id, to: id });
    await before[Symbol.asyncDispose]();
    this.#emit({ type: "session_changed", id, path: log.path, reason });
  }

  #source(): CopySource {
    const { log } = this.session;
    return log.path === undefined ? { log } : { path: log.path };
  }

  /** Beside the session it is made from; in memory where that one is. */
  #target(): CopyTarget {
    const { path, header } = this.session.log;
    if (path === undefined) return {};
    return { directory: this.store.places.directory, cwd: header.cwd };
  }

  /** A new session goes on with the model of the one it follows. */
  #inheritedModel(): Pick<CreateSessionOptions, "model" | "thinking"> {
    const { model: wanted } = this.#options;
    if (typeof wanted === "object") return { model: wanted };
    const { model, thinking } = this.session;
    const selector = `${model.provider}/${model.id}`;
    return thinking === undefined ? { model: selector } : { model: selector, thinking };
  }

  #hookCalls(session: Session): HookCalls {
    return new HookCalls(session.hooks, {
      signal: new AbortController().signal,
      emit: this.#emit,
    });
  }

  readonly #emit = (event: SessionEvent): void => {
    for (const listener of this.#listeners) listener(event);
  };
}

function refused(reason: string | undefined): ChangeRefused {
  return new ChangeRefused(reason ?? "An extension wants to stay here.");
}
