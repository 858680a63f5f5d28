// The session that a front-end is in, which may become another one: a new one, an earlier one,
// a fork, or the fresh one that a handoff begins. Listeners stay with it through every change.

import type { Environment } from "@tau/ai/environment";
import { HookCalls, UNSTOPPABLE } from "@tau/agent/hook-calls";
import type { RunEnd } from "@tau/agent/event";
import type { SaidMessage } from "@tau/agent/mail";
import type { CompactionReport } from "@tau/agent/session-hook-points";
import { ownEnvironment } from "@tau/host/process/own-environment";
import type { PartKey } from "../base/part.ts";
import type { Settings } from "../config/settings.ts";
import type { Feature } from "../feature-api/feature.ts";
import type { SessionControl } from "../feature-api/session-control.ts";
import { WORKSPACE, type Workspace } from "../tools/workspace.ts";
import {
  createSessionOn,
  openSession,
  type CreatedSession,
  type CreateSessionOptions,
} from "./create-session.ts";
import { EXTENSIONS } from "../extend/extension-book.ts";
import { createSessionLog } from "../session/log/open-session.ts";
import type { CopySource } from "../session/operations/copy-source.ts";
import type { CopyTarget } from "../session/operations/copy-target.ts";
import type { PromptOptions, Session } from "../session/session.ts";
import { EventListeners } from "../session/event-listeners.ts";
import type { SessionChange, SessionListener } from "../session/session-event.ts";
import type { NewEntry, SessionEntry } from "../session/entry.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { SessionStore, SessionWish } from "../session/session-store.ts";

/** A run's end, or that the prompt was no matter for a run. */
export type ActiveEnd = RunEnd | { reason: "consumed" };

/** An extension objects to leaving the session. */
export class ChangeRefused extends Error {
  override readonly name = "ChangeRefused";
}

export class ActiveSession implements AsyncDisposable {
  readonly #options: CreateSessionOptions;
  readonly #events = new EventListeners(() => this.session.origin);
  readonly #readers = new Set<(entries: readonly SessionEntry[]) => void>();
  #created: CreatedSession;
  #unsubscribe: () => void;

  private constructor(options: CreateSessionOptions, created: CreatedSession) {
    this.#options = options;
    this.#created = created;
    this.#unsubscribe = this.#follow(created.session);
  }

  static async open(given: CreateSessionOptions): Promise<ActiveSession> {
    let active: ActiveSession | undefined;
    const control = controlOf(() => {
      if (!active) throw new ChangeRefused("The session is still being opened.");
      return active;
    });
    // The same for every session that follows, whatever extensions do to that of the process.
    const options = { ...given, env: given.env ?? ownEnvironment(), control };
    const created = await openSession(options, { projectGoesWith: "caller" });
    active = new ActiveSession(options, created);
    return active;
  }

  /** One that was given, or is a parent's, is somebody else's to look after. */
  get #ownsProject(): boolean {
    return !this.#options.project && !this.#options.parent;
  }

  get session(): Session {
    return this.#created.session;
  }

  get store(): SessionStore {
    return this.#created.store;
  }

  /** What the current session's tools work on. */
  get workspace(): Workspace {
    return this.session.parts.need(WORKSPACE);
  }

  /** What a feature of the current session offers, if it is on. */
  part<T>(key: PartKey<T>): T | undefined {
    return this.session.part(key);
  }

  /** Of the current session. */
  get features(): readonly Feature[] {
    return this.#created.features;
  }

  /** The settings that the current session was made with. */
  get settings(): Settings {
    return this.#created.project.settings;
  }

  /** What the session reads instead of the process's own. */
  get env(): Environment {
    return this.#created.project.env;
  }

  /** What there was to say when the current session was opened. */
  get notices(): readonly string[] {
    return this.#created.notices;
  }

  /** Of these, what is about the session itself and not about its project. */
  get ownNotices(): readonly string[] {
    const { notices, project } = this.#created;
    return notices.filter((notice) => !project.notices.includes(notice));
  }

  /** Returns the way to stop listening. `part`: for one who tells nobody of what has failed. */
  subscribe(listener: SessionListener, as?: "audience" | "part"): () => void {
    return this.#events.subscribe(listener, as);
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
      const { forkSession } = await import("../session/operations/fork-session.ts");
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
      const { branchSession } = await import("../session/operations/branch-session.ts");
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
      const calls = this.#hookCalls(this.session);
      const answers = await calls.session("session_handing_over", { document });
      const entries = answers.flatMap((answer) => answer.entries) as NewEntry[];
      const { header, path } = this.session.log;
      const { surroundings, places } = this.store;
      const { cwd, id: parentSession } = header;
      const place = { directory: places.directory };
      const log =
        path === undefined
          ? await this.store.open({ kind: "memory" })
          : await createSessionLog({ ...surroundings, place, cwd, parentSession });
      await log.appendAll(entries);
      return log;
    });
  }

  /**
   * The same session again, with its settings read and its extensions loaded anew. If that fails, it is
   * there without extensions: nobody loses a session to a slip in one of them.
   */
  async reload(): Promise<void> {
    const before = this.session;
    const { path } = before.log;
    if (path === undefined) {
      throw new ChangeRefused("A session that is not saved cannot be loaded anew; restart Tau.");
    }
    await before.abort();
    const { forgetExtensions } = await import("./forget-extensions.ts");
    forgetExtensions(before.part(EXTENSIONS));
    const { project } = this.#created;
    if (this.#ownsProject) await project.refresh();
    this.#unsubscribe();
    await before.leave("reload");
    const again = async (
      extensions: CreateSessionOptions["extensions"],
    ): Promise<CreatedSession> => {
      const log = await this.store.open({ kind: "resume", wanted: path });
      const { model: _model, thinking: _level, ...rest } = this.#options;
      const wishes = { ...rest, ...this.#inheritedModel(before), extensions, project };
      return createSessionOn(log, this.store, { ...wishes, reason: "reload", previous: before.id });
    };
    try {
      this.#created = await again(this.#options.extensions);
    } catch {
      this.#created = await again(undefined);
    }
    this.#unsubscribe = this.#follow(this.session);
    this.#events.emit({ type: "session_changed", id: this.session.id, path, reason: "reload" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    if (this.#ownsProject) await this.#created.project[Symbol.asyncDispose]();
    this.#events.clear();
    this.#readers.clear();
  }

  #follow(session: Session): () => void {
    const leave = [
      session.subscribe(this.#events.emit),
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
    const startReason = reason === "branch" ? "fork" : reason;
    const answers = await calls.session("session_before_switch", {
      from: before.id,
      to: undefined,
      reason: startReason,
    });
    for (const answer of answers) if ("cancel" in answer) throw refused(answer.reason);
    const log = await open();
    const { model, thinking: _level, ...rest } = this.#options;
    // What was asked for on the way in held for the first session; the log knows its own.
    const kept = typeof model === "object" || reason !== "resume" ? this.#inheritedModel() : {};
    const { project } = this.#created;
    // What the user has changed meanwhile holds from here on; what the project started goes on.
    if (this.#ownsProject) await project.refresh();
    const wishes = { ...rest, ...kept, project, reason: startReason, previous: before.id };
    const created = await createSessionOn(log, this.store, wishes);
    this.#unsubscribe();
    this.#created = created;
    this.#unsubscribe = this.#follow(created.session);
    this.store.entered(log);
    const { id } = created.session;
    // It is over; only what fails on the way out is still worth a word.
    before.subscribe((event) => {
      if (event.type === "hook_error") this.#events.emit(event);
    });
    await calls.notify("session_switch", { from: before.id, to: id, reason: startReason });
    await before.leave(startReason);
    this.#events.emit({ type: "session_changed", id, path: log.path, reason });
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
  #inheritedModel(from = this.session): Pick<CreateSessionOptions, "model" | "thinking"> {
    const { model: wanted } = this.#options;
    if (typeof wanted === "object") return { model: wanted };
    const { model, thinking } = from;
    const selector = `${model.provider}/${model.id}`;
    return thinking === undefined ? { model: selector } : { model: selector, thinking };
  }

  #hookCalls(session: Session): HookCalls {
    return new HookCalls(session.hooks, { ...UNSTOPPABLE, emit: this.#events.emit });
  }
}

/** Whoever begins the fresh session: not the user, whose words would be heard as typed. */
const HANDED_OVER = "handoff";

/** For those who are in a session, before the one that holds it is there. */
function controlOf(active: () => ActiveSession): SessionControl {
  return {
    startNew: async () => active().startNew(),
    resume: async (wanted) => active().resume(wanted),
    branch: async (entryId) => active().branch(entryId),
    fork: async () => active().fork(),
    handOver: async (document, words) => {
      await active().handOver(document);
      await active().session.followUp(words, { sender: HANDED_OVER });
    },
    reload: async () => active().reload(),
  };
}

function refused(reason: string | undefined): ChangeRefused {
  return new ChangeRefused(reason ?? "An extension prevented the switch.");
}
