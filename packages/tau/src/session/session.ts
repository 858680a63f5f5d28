// A session wires a model, tools, behaviours and a log together and runs prompts on them. The
// log is the conversation: what is in it was acknowledged, and what was acknowledged is in it.
// It does one thing at a time; what comes meanwhile waits in its mailbox.

import type { Budget } from "@tau/agent/budget";
import type { RunEnd } from "@tau/agent/event";
import { ForcedChoices } from "@tau/agent/forced-choices";
import { HookCalls } from "@tau/agent/hook-calls";
import { Hooks, type HookHandlers, type HookOwner } from "@tau/agent/hooks";
import type { Asker } from "@tau/agent/judge-call";
import { runLoop } from "@tau/agent/loop";
import { undelivered, type Mail, type SaidMessage } from "@tau/agent/mail";
import { Mailbox, type PostOptions } from "@tau/agent/mailbox";
import { ToolTable, type ToolTableOptions } from "@tau/agent/tool-table";
import type { Tool, ToolOutput } from "@tau/agent/tool";
import { textOf, type AssistantMessage, type Message } from "@tau/ai/message";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type { AsideRequest, Behaviour, BehaviourHost } from "../behaviours/behaviour.ts";
import {
  COMPACTION_OWNER,
  CompactionBehaviour,
  type CompactionReport,
} from "../behaviours/compaction/compaction-behaviour.ts";
import type { ModelRecovery } from "../behaviours/retry/model-recovery.ts";
import type { SessionModels } from "../model/choose-model.ts";
import { BackgroundWork } from "./background-work.ts";
import { callTool } from "./call-tool.ts";
import { ContextView } from "./context/context-view.ts";
import type { RuntimeState } from "./context/runtime-state.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import { createLogMailPort } from "./log-mail-port.ts";
import { LogRecorder } from "./log-recorder.ts";
import { ModelState } from "./model-state.ts";
import { readContext } from "./read-context.ts";
import { describeQueue } from "./queued-messages.ts";
import { hearInput, postHeard } from "./hear-input.ts";
import { IdleTimer } from "./idle-timer.ts";
import type { Navigation } from "./operations/navigate-tree.ts";
import { SessionBusy } from "./session-busy.ts";
import { announced } from "./ask-person.ts";
import type { SessionEvent } from "./session-event.ts";
import { SessionEvents } from "./session-events.ts";
import type { SessionLog } from "./session-log.ts";
import { DEFAULT_SESSION_SETTINGS, type SessionSettings } from "./session-settings.ts";
import { TypedWords } from "./typed-words.ts";

export interface SessionOptions {
  log: SessionLog;
  recovery: ModelRecovery;
  /** Without it the model cannot be changed, and behaviours ask the conversation's own. */
  models?: SessionModels;
  system: readonly string[];
  tools: readonly Tool[];
  settings?: SessionSettings;
  toolLimits?: Pick<ToolTableOptions, "limits" | "maxTimeoutMs">;
  /** Keeps what was too long for the model. */
  spill?: ToolTableOptions["spill"];
  /** Called once, with what the session offers them. */
  behaviours?: (host: BehaviourHost) => readonly Behaviour[];
  /** Of extensions and embedding programs. */
  hooks?: readonly { owner: HookOwner; handlers: HookHandlers }[];
  /** Without one, calls that need consent are refused. */
  ask?: Asker;
  budget?: Budget;
  maxTurns?: number;
  /** Whether mail that comes while nothing runs starts a run. */
  wakes?: boolean;
  /** Takes secrets out of what is written down without being the model's or a tool's. */
  hide?: <T>(value: T) => T;
  /** Left together with the session, last first. */
  owns?: readonly AsyncDisposable[];
}

export interface PromptOptions {
  signal?: AbortSignal;
  /** Where it came from, for `input` handlers. */
  source?: string;
  /** What the user typed, if it is not the message's text. */
  typed?: string;
}

export type PromptEnd =
  | RunEnd
  /** It was a command or the like. */
  | { reason: "consumed" }
  /** The conversation is full: it is to go on in a fresh session that begins with the document. */
  | { reason: "handoff"; document: string; message: SaidMessage };

type MailWish = Omit<PostOptions, "delivery"> & Pick<PromptOptions, "typed">;

export type StartReason = "new" | "resume" | "fork" | "handoff";

export class Session implements AsyncDisposable {
  readonly hooks = new Hooks();
  readonly mailbox: Mailbox;
  readonly hide: <T>(value: T) => T;
  readonly typed: TypedWords;
  /** Everything that happens reaches the listeners through here. */
  readonly emit: (event: SessionEvent) => void;
  readonly #events: SessionEvents;
  readonly #options: SessionOptions;
  readonly #settings: SessionSettings;
  readonly #view: ContextView;
  readonly #recorder: LogRecorder;
  readonly #models: ModelState;
  readonly #tools: ToolTable;
  readonly #compaction: CompactionBehaviour;
  readonly #forcedChoices = new ForcedChoices();
  readonly #background = new BackgroundWork((error) => this.#reportBug(error));
  #work: { controller: AbortController; done: Promise<unknown> } | undefined;
  readonly #idle = new IdleTimer((afterMs) => this.#whenIdle(afterMs));

  private constructor(options: SessionOptions, view: ContextView, mail: readonly SessionEntry[]) {
    const { log, recovery } = options;
    this.#options = options;
    this.hide = options.hide ?? ((value) => value);
    this.typed = new TypedWords(this.hide);
    this.#events = new SessionEvents(this.hide, {
      isBusy: () => this.isBusy,
      flush: () => this.#recorder.flush(),
      background: (work) => this.#background.start(work),
    });
    this.emit = this.#events.emit;
    this.#settings = options.settings ?? DEFAULT_SESSION_SETTINGS;
    this.#view = view;
    this.#models = new ModelState(recovery, view);
    this.#recorder = new LogRecorder(log, view, {
      unrecorded: this.#models.unrecorded,
      events: this.#events.keeper,
      typed: (message) => this.typed.of(message),
      thinkingMs: () => this.#events.thinking.took,
      hide: this.hide,
      appended: (entries) => this.#tellOf(entries),
    });
    const waiting = mail.filter((entry) => entry.type === "mail");
    this.typed.restore(waiting);
    this.mailbox = new Mailbox({
      port: createLogMailPort((entries) => this.#recorder.append(entries), this.typed),
      restored: undelivered(waiting),
      steering: this.#settings.steeringMode,
      followUps: this.#settings.followUpMode,
    });
    this.mailbox.subscribe(({ state }) => {
      this.emit({ type: "queue_changed", queued: describeQueue(this.mailbox.queued()) });
      if (state === "queued") this.#wake();
    });
    const host = this.#host();
    const behaviours = options.behaviours?.(host) ?? [];
    this.#tools = new ToolTable(
      [...options.tools, ...behaviours.flatMap((behaviour) => behaviour.tools ?? [])],
      { ...options.toolLimits, ...(options.spill ? { spill: options.spill } : {}) },
    );
    this.#compaction = new CompactionBehaviour(host, this.#settings.compaction);
    this.hooks.register(COMPACTION_OWNER, this.#compaction.handlers);
    for (const { owner, handlers } of [...behaviours, ...(options.hooks ?? [])]) {
      this.hooks.register(owner, handlers);
    }
  }

  /** Reads what the log's position needs, and no more. */
  static async open(options: SessionOptions): Promise<Session> {
    const { log } = options;
    const [{ branch, before }, mail] = await Promise.all([readContext(log), log.pendingMail()]);
    return new Session(options, new ContextView(branch, before), mail);
  }

  /** Tells extensions and behaviours that it is there, once everything is in its place. */
  async announce(reason: StartReason): Promise<void> {
    const { signal } = new AbortController();
    const calls = new HookCalls(this.hooks, { signal, emit: this.emit });
    const told = { sessionId: this.id, reason };
    if (calls.has("session_start")) await calls.notify("session_start", told);
  }

  get id(): string {
    return this.#options.log.header.id;
  }

  get log(): SessionLog {
    return this.#options.log;
  }

  /** The one in use now: a fallback may have taken over. */
  get model(): Model {
    return this.#options.recovery.target.model;
  }

  get thinking(): ThinkingLevel | undefined {
    return this.#options.recovery.target.thinking;
  }

  get state(): RuntimeState {
    return this.#view.state;
  }

  /** What the model is sent of the conversation. */
  get messages(): readonly Message[] {
    return this.#view.live.messages;
  }

  get tools(): ToolTable {
    return this.#tools;
  }

  /** A run or a compaction is on. */
  get isBusy(): boolean {
    return this.#work !== undefined;
  }

  /** Returns the way to stop listening. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  /** Told of entries of the branch as soon as they are durable, before what follows from them. */
  onAppended(listener: (entries: readonly SessionEntry[]) => void): () => void {
    return this.#events.onAppended(listener);
  }

  /** Rejects with `SessionBusy` while something runs. */
  prompt(message: SaidMessage, options: PromptOptions = {}): Promise<PromptEnd> {
    return this.#exclusively(options.signal, async (signal): Promise<PromptEnd> => {
      const input = await hearInput(this, message, { source: options.source, signal });
      if (!input) return { reason: "consumed" };
      this.typed.note(input, options.typed ?? textOf(message));
      const room = await this.#compaction.beforePrompt(signal);
      if (room?.type === "handoff") {
        return { reason: "handoff", document: room.document, message: input };
      }
      return this.#run([input], signal);
    });
  }

  /**
   * Into the run that is on, or a run of its own; resolves with its id when it is safe on disk.
   * Undefined where it was a command, as in the next two.
   */
  steer(message: SaidMessage, options: MailWish = {}): Promise<string | undefined> {
    return postHeard(this, message, { ...options, delivery: "steer" });
  }

  /** When the run that is on would be done. */
  followUp(message: SaidMessage, options: MailWish = {}): Promise<string | undefined> {
    return postHeard(this, message, { ...options, delivery: "followUp" });
  }

  /** Together with the next prompt. */
  addToNext(message: SaidMessage, options: MailWish = {}): Promise<string | undefined> {
    return postHeard(this, message, { ...options, delivery: "nextTurn" });
  }

  /** What waited and is taken back. */
  withdraw(ids?: readonly string[]): Promise<Mail[]> {
    return this.mailbox.withdraw(ids);
  }

  /** Resolves when nothing runs any more. What was finished is kept. */
  async abort(): Promise<void> {
    this.#work?.controller.abort();
    await this.whenIdle();
  }

  async whenIdle(): Promise<void> {
    while (this.#work) await this.#work.done;
  }

  /** Makes the conversation shorter now; what runs is stopped first. */
  async compact(
    options: { instructions?: string; strategy?: string; signal?: AbortSignal } = {},
  ): Promise<CompactionReport> {
    await this.abort();
    const { signal: outer, ...wishes } = options;
    return this.#exclusively(outer, (signal) =>
      this.#compaction.run({ reason: "manual", signal, mayHandOff: true, ...wishes }),
    );
  }

  /** A `UserError` where there is no such model, or no key for it. */
  async setModel(selector: string, thinking?: ThinkingLevel): Promise<void> {
    const { models } = this.#options;
    if (!models) throw new Error("This session was given one model and no way to others.");
    this.#models.choose(await models.resolve(selector, thinking));
    await this.#recordState();
  }

  async setThinking(thinking: ThinkingLevel): Promise<void> {
    this.#models.choose([{ ...this.#options.recovery.target, thinking }]);
    await this.#recordState();
  }

  /** What the user calls it from now on. */
  rename(title: string): Promise<void> {
    return this.append([{ type: "title", title: this.hide(title), source: "user" }]);
  }

  /** For code cells and extensions. Rejects with a `ToolError` where it is refused or fails. */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutput> {
    const { ask } = this.#options;
    const { hooks, emit } = this;
    const asking = ask && announced(ask, emit);
    return callTool({ tools: this.#tools, hooks, ask: asking, emit }, name, args, signal);
  }

  /** One question beside the conversation: the model of a role, or the conversation's own. */
  askAside(
    roles: readonly string[],
    request: AsideRequest,
    signal: AbortSignal,
  ): Promise<AssistantMessage> {
    return this.#askAside(roles, request, signal);
  }

  append(entries: readonly NewEntry[]): Promise<void> {
    return this.#recorder.append(entries);
  }

  /**
   * Goes to another place in the tree; what was said behind the old one stays in the log, and
   * becomes a summary at the new place where that is wanted. Gives back the words of a user's
   * message that are to be said differently.
   */
  navigate(
    targetId: string,
    options: { summarise?: boolean; instructions?: string; signal?: AbortSignal } = {},
  ): Promise<Navigation> {
    return this.#exclusively(options.signal, async (signal) => {
      const { navigateSession } = await import("./navigate-session.ts");
      const navigation = await navigateSession(this.#host(), this.log, targetId, {
        ...options,
        signal,
      });
      await this.#recorder.follow();
      const { oldLeafId: from, leafId: to, isMoved } = navigation;
      if (isMoved) this.emit({ type: "position_changed", from, to });
      return navigation;
    });
  }

  async label(entryId: string, label: string | undefined): Promise<void> {
    const { labelEntry } = await import("./operations/name-session.ts");
    await labelEntry(this.log, entryId, label);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#idle.stop();
    await this.abort();
    const { signal } = new AbortController();
    const calls = new HookCalls(this.hooks, { signal, emit: this.emit });
    if (calls.has("session_end")) await calls.notify("session_end", { sessionId: this.id });
    await this.#background[Symbol.asyncDispose]();
    for (const owned of this.#options.owns?.toReversed() ?? []) await owned[Symbol.asyncDispose]();
    await this.#events.flush();
    await this.log.close();
    this.#events.clear();
  }

  async #run(prompt: SaidMessage[], signal: AbortSignal): Promise<RunEnd> {
    const { recovery, system, maxTurns, ask, budget } = this.#options;
    recovery.startRun(signal);
    const { end } = await runLoop({
      request: {
        ...recovery.target,
        system,
        cacheKey: this.id,
        stream: true,
        cacheRetention: recovery.target.model.cacheRetention,
      },
      messages: this.#view.context().messages,
      prompt,
      record: this.#recorder.record,
      mailbox: this.mailbox,
      interrupt: this.#settings.interruptMode,
      hooks: this.hooks,
      forcedChoices: this.#forcedChoices,
      compact: this.#compaction.compact,
      isCutByWindow: this.#compaction.isCutByWindow,
      tools: this.#tools,
      callModel: recovery.call,
      recover: recovery.recover,
      recovered: recovery.recovered,
      signal,
      emit: this.emit,
      ask: ask && announced(ask, this.emit),
      budget,
      maxTurns,
    });
    return end;
  }

  /** What ended it is on disk when whoever waits for it is told; the next one need not wait for that. */
  #exclusively<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#recorder.settling(this.#alone(outer, work));
  }

  async #alone<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#work) throw new SessionBusy();
    this.#idle.stop();
    const controller = new AbortController();
    const onAbort = (): void => controller.abort();
    outer?.addEventListener("abort", onAbort, { once: true });
    if (outer?.aborted) controller.abort();
    const { promise: done, resolve: settle } = Promise.withResolvers<void>();
    this.#work = { controller, done };
    try {
      return await work(controller.signal);
    } finally {
      outer?.removeEventListener("abort", onAbort);
      this.#work = undefined;
      settle();
      // Who stopped it wants quiet; what waits is shown and goes with the next prompt.
      if (!controller.signal.aborted) this.#wake();
      if (!this.#work) this.#idle.start(this.#compaction.idleAfterMs);
    }
  }

  /** Mail that no run is there for gets one. */
  #wake(): void {
    if (!this.#options.wakes || this.#work || !this.mailbox.wantsRun) return;
    this.#background.start((signal) =>
      this.#exclusively(signal, (inner) => this.#run([], inner)).then(() => undefined),
    );
  }

  #whenIdle(afterMs: number): void {
    if (this.#work) return;
    this.#background.start(async (outer) => {
      await this.#exclusively(outer, (signal) => this.#compaction.whenIdle(afterMs, signal));
    });
  }

  async #recordState(): Promise<void> {
    const entries = this.#models.unrecorded();
    if (entries.length > 0) await this.append(entries);
    this.#tellModel(false);
  }

  #tellOf(entries: readonly SessionEntry[]): void {
    this.#events.appended(entries);
    for (const entry of entries) {
      if (entry.type === "title") {
        this.emit({ type: "title_changed", title: entry.title, source: entry.source });
      } else if (entry.type === "model_change" && entry.temporary) this.#tellModel(true);
    }
  }

  #tellModel(temporary: boolean): void {
    const { model, thinking } = this;
    const name = `${model.provider}/${model.id}`;
    this.emit({ type: "model_changed", model: name, temporary, thinking });
  }

  #reportBug(error: unknown): void {
    this.emit({ type: "hook_error", behaviour: "background", hook: "background", error });
  }

  #host(): BehaviourHost {
    const { recovery, system } = this.#options;
    return {
      sessionId: this.id,
      get model() {
        return recovery.target.model;
      },
      system,
      view: this.#view,
      mailbox: this.mailbox,
      forcedChoices: this.#forcedChoices,
      hooks: this.hooks,
      tools: () => this.#tools.specs(),
      append: (entries) => this.append(entries),
      call: recovery.call,
      promote: async (failed) =>
        this.#settings.promotes ? await recovery.promote(failed) : undefined,
      askAside: (roles, request, signal) => this.#askAside(roles, request, signal),
      notify: this.emit,
      background: (work) => this.#background.start(work),
    };
  }

  async #askAside(
    roles: readonly string[],
    request: AsideRequest,
    signal: AbortSignal,
  ): Promise<AssistantMessage> {
    const { recovery, models } = this.#options;
    const role = await models?.forRoles(roles);
    const { model } = role?.target ?? recovery.target;
    const whole = { tools: [], ...request, model, stream: true };
    return (role?.call ?? recovery.call)(whole, { signal }).result();
  }
}
