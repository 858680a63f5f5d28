// A session wires a model, tools, behaviours and a log together and runs prompts on them. The
// log is the conversation: what is in it was acknowledged, and what was acknowledged is in it.
// It does one thing at a time; what comes meanwhile waits in its mailbox.

import type { Budget } from "@tau/agent/budget";
import type { RunEnd } from "@tau/agent/event";
import { ForcedChoices } from "@tau/agent/forced-choices";
import { HookCalls, UNSTOPPABLE } from "@tau/agent/hook-calls";
import { Hooks } from "@tau/agent/hooks";
import type { Asker, Origin } from "@tau/agent/judge-call";
import { runLoop } from "@tau/agent/loop";
import { undelivered, type Mail, type SaidMessage } from "@tau/agent/mail";
import { Mailbox, type PostOptions } from "@tau/agent/mailbox";
import { ToolTable, type ToolTableOptions } from "@tau/agent/tool-table";
import type { ToolOutput } from "@tau/agent/tool";
import { textOf, type Message } from "@tau/ai/message";
import type { Model, ThinkingLevel } from "@tau/ai/model";
import type {
  CompactionCall,
  CompactionReport,
  EndReason,
  StartReason,
} from "@tau/agent/session-hook-points";
import type { Redactor } from "../base/redactor.ts";
import type { SessionModels } from "../model/choose-model.ts";
import type { ModelLine } from "../model/model-line.ts";
import { BackgroundWork } from "./background-work.ts";
import { callTool } from "./call-tool.ts";
import { connectLine } from "./connect-line.ts";
import { ContextView } from "./context/context-view.ts";
import type { RuntimeState } from "./context/runtime-state.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import { createLogMailPort } from "./log-mail-port.ts";
import { LogRecorder } from "./log-recorder.ts";
import { ModelState } from "./model-state.ts";
import { readContext } from "./read-context.ts";
import { describeQueue } from "./queued-messages.ts";
import { hearInput, postHeard } from "./hear-input.ts";
import { IdleWork } from "./idle-work.ts";
import { leaveSession } from "./leave-session.ts";
import { Parts, type PartKey } from "../base/part.ts";
import { runAsCommand, type SessionCommand } from "./session-command.ts";
import { makeHost } from "./make-host.ts";
import type { SessionHost, SessionMember } from "./session-host.ts";
import { askThrough } from "./ask-person.ts";
import type { Navigation } from "./operations/navigate-tree.ts";
import { ExclusiveWork } from "./exclusive-work.ts";
import type { SessionEvent, SessionListener } from "./session-event.ts";
import type { SessionLog } from "./session-log.ts";
import { DEFAULT_SESSION_SETTINGS, type SessionSettings } from "./session-settings.ts";
import { SessionEvents } from "./session-events.ts";
import { tellModel, tellOfEntries } from "./tell-changes.ts";
import { TypedWords } from "./typed-words.ts";
import { spendIn, type Spend } from "./spend.ts";

export interface SessionOptions {
  log: SessionLog;
  line: ModelLine;
  /** Without it the model cannot be changed. */
  models?: SessionModels;
  settings?: SessionSettings;
  toolLimits?: Pick<ToolTableOptions, "limits" | "maxTimeoutMs">;
  /** Keeps what was too long for the model. */
  spill?: ToolTableOptions["spill"];
  /** Without one, calls that need consent are refused. */
  ask?: Asker;
  budget?: Budget;
  /** Whose it is, if it is not the user's own. */
  agent?: string;
  maxTurns?: number;
  /** Whether mail that comes while nothing runs starts a run. */
  wakes?: boolean;
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

export class Session implements AsyncDisposable {
  readonly hooks = new Hooks();
  readonly mailbox: Mailbox;
  readonly parts = new Parts();
  /** What its events and questions are marked with. */
  readonly origin: Origin;
  /** What the model is told before anything else. */
  system: readonly string[] = [];
  readonly typed: TypedWords;
  /** The way to other models; none if it was given one. */
  readonly models: SessionModels | undefined;
  /** Everything that happens reaches the listeners through here. */
  readonly emit: (event: SessionEvent) => void;
  readonly #events: SessionEvents;
  readonly #options: SessionOptions;
  readonly #settings: SessionSettings;
  readonly #view: ContextView;
  readonly #recorder: LogRecorder;
  readonly #models: ModelState;
  readonly #tools: ToolTable;
  readonly #members: SessionMember[] = [];
  readonly #host: SessionHost;
  readonly #idleWork: IdleWork;
  readonly #forcedChoices = new ForcedChoices();
  readonly #background = new BackgroundWork((error) =>
    this.#report("background", "background", error),
  );
  readonly #work = new ExclusiveWork({
    posts: () => this.mailbox.posts,
    begins: () => this.#idleWork.disturb(),
    ended: (mayGoOn) => {
      if (mayGoOn) this.#wake();
      if (!this.#work.isOn) this.#idleWork.beginQuiet();
    },
  });
  #redactor: Redactor | undefined;

  private constructor(options: SessionOptions, view: ContextView, mail: readonly SessionEntry[]) {
    const { log, line, budget } = options;
    this.#options = options;
    this.models = options.models;
    this.origin = { session: log.header.id, agent: options.agent };
    this.typed = new TypedWords(this.hide);
    this.#events = new SessionEvents(this, {
      isBusy: () => this.isBusy,
      flush: () => this.#recorder.flush(),
      background: (work) => this.#background.start(work),
    });
    this.emit = this.#events.emit;
    this.#settings = options.settings ?? DEFAULT_SESSION_SETTINGS;
    this.#view = view;
    this.#models = new ModelState(line, view);
    this.#recorder = new LogRecorder(log, view, {
      unrecorded: this.#models.unrecorded,
      events: this.#events.keeper,
      said: this.typed,
      thinkingMs: () => this.#events.thinking.took,
      hide: this.hide,
      appended: (entries) => {
        this.#events.appended(entries);
        tellOfEntries(this, entries);
      },
    });
    const { kept } = view.state;
    connectLine(line, this, { budget, promotes: this.#settings.promotes, kept });
    const waiting = mail.filter((entry) => entry.type === "mail");
    this.typed.restore(waiting);
    this.mailbox = new Mailbox({
      port: createLogMailPort((entries) => this.#recorder.append(entries), this.typed),
      restored: undelivered(waiting),
      holdsRestored: true,
      steering: this.#settings.steeringMode,
      followUps: this.#settings.followUpMode,
    });
    this.mailbox.subscribe(({ state }) => {
      this.emit({ type: "queue_changed", queued: describeQueue(this.mailbox.queued()) });
      if (state === "queued") this.#wake();
    });
    this.#tools = new ToolTable([], { ...options.toolLimits, spill: options.spill });
    this.#idleWork = new IdleWork((work) => {
      if (this.isBusy) return;
      this.#background.start(async (signal) => void (await this.#exclusively(signal, work)));
    });
    this.#host = makeHost(this, {
      view,
      line,
      forcedChoices: this.#forcedChoices,
      background: this.#background,
      idleWork: this.#idleWork,
    });
  }

  /** Reads what the log's position needs, and no more. */
  static async open(options: SessionOptions): Promise<Session> {
    const { log } = options;
    const [{ branch, before }, mail] = await Promise.all([readContext(log), log.pendingMail()]);
    return new Session(options, new ContextView(branch, before), mail);
  }

  /**
   * Takes somebody in: their hooks, tools, commands and part. They leave when the session is left, the
   * last first.
   */
  join(member: SessionMember): void {
    const { owner, hooks, part, redactor } = member;
    if (hooks) this.hooks.register(owner, hooks);
    if (part) this.parts.provide(part.key, part.value);
    if (redactor) this.#redactor = redactor;
    this.#members.push(member);
    const tools = this.#members.flatMap((one) => one.tools ?? []);
    if (member.tools) this.#tools.replaceAll(tools);
  }

  /** What a member has to work with. */
  get host(): SessionHost {
    return this.#host;
  }

  /** What somebody who joined offers, if they did. */
  part<T>(key: PartKey<T>): T | undefined {
    return this.parts.get(key);
  }

  /** Those that its members brought. */
  get commands(): readonly SessionCommand[] {
    return this.#members.flatMap(({ commands }) => commands ?? []);
  }

  /** Takes secrets out of what is written down without being the model's or a tool's. */
  readonly hide = <T>(value: T): T => (this.#redactor ? this.#redactor.hideIn(value) : value);

  get redactor(): Redactor | undefined {
    return this.#redactor;
  }

  /** Tells extensions and features that it is there, once everything is in its place. */
  async announce(reason: StartReason, previous?: string): Promise<void> {
    await this.#calls().notify("session_start", { sessionId: this.id, reason, previous });
  }

  get id(): string {
    return this.#options.log.header.id;
  }

  get log(): SessionLog {
    return this.#options.log;
  }

  /** The one in use now: a fallback may have taken over. */
  get model(): Model {
    return this.#options.line.target.model;
  }

  get thinking(): ThinkingLevel | undefined {
    return this.#options.line.target.thinking;
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

  /** What it may spend, if that is limited. */
  get budget(): Budget | undefined {
    return this.#options.budget;
  }

  /** A run or a compaction is on. */
  get isBusy(): boolean {
    return this.#work.isOn;
  }

  /** Returns the way to stop listening. `part`: who belongs to the session is nobody who could tell a person. */
  subscribe(listener: SessionListener, as?: "audience" | "part"): () => void {
    return this.#events.subscribe(listener, as);
  }

  /** Told of entries of the branch as soon as they are durable, before what follows from them. */
  onAppended(listener: (entries: readonly SessionEntry[]) => void): () => void {
    return this.#events.onAppended(listener);
  }

  /** Rejects with `SessionBusy` while something runs. */
  async prompt(message: SaidMessage, options: PromptOptions = {}): Promise<PromptEnd> {
    if (await runAsCommand(this, message)) return { reason: "consumed" };
    return this.#exclusively(options.signal, async (signal): Promise<PromptEnd> => {
      const input = await hearInput(this, message, { source: options.source, signal });
      if (!input) return { reason: "consumed" };
      this.typed.note(input, options.typed ?? textOf(message));
      const room = await this.#calls(signal).first("session_before_prompt", { sessionId: this.id });
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

  /** Resolves when what runs is over. What was finished is kept. */
  abort(): Promise<void> {
    return this.#work.stop();
  }

  async whenIdle(): Promise<void> {
    await this.#work.whenOver();
  }

  /** Makes the conversation shorter now; what runs is stopped first. */
  async compact(
    options: Omit<CompactionCall, "reason" | "mayHandOff"> & { signal?: AbortSignal } = {},
  ): Promise<CompactionReport> {
    await this.abort();
    const { signal: outer, ...wishes } = options;
    const call: CompactionCall = { reason: "manual", mayHandOff: true, ...wishes };
    const report = await this.#exclusively(outer, (signal) =>
      this.#calls(signal).first("session_shorten", call),
    );
    return report ?? { type: "dropped", message: "Compaction is not available in this session." };
  }

  /** A `UserError` where there is no such model, or no key for it. */
  async setModel(selector: string, thinking?: ThinkingLevel): Promise<void> {
    const { models } = this;
    if (!models) throw new Error("This session was given one model and no way to others.");
    await this.#models.chooseAnew(await models.resolve(selector, thinking));
    await this.#recordState();
  }

  async setThinking(thinking: ThinkingLevel): Promise<void> {
    this.#models.choose([{ ...this.#options.line.target, thinking }]);
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
    const { hooks, emit } = this;
    return callTool({ tools: this.#tools, hooks, ask: this.#asker, emit }, name, args, signal);
  }

  /** One question beside the conversation: counted, retried and put down like its own. */
  ask(...asked: Parameters<ModelLine["ask"]>): ReturnType<ModelLine["ask"]> {
    return this.#options.line.ask(...asked);
  }

  /** What all of it has used up to now, as the log has it. */
  spend(): Promise<Spend> {
    return spendIn(this.log, this.models?.priceOf ?? (async () => this.model.cost));
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
      const navigation = await navigateSession(this.#host, this.log, targetId, {
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
    await labelEntry(this.log, entryId, this.hide(label));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave("quit");
  }

  /** `reason`: why it is over, for those who are told. */
  async leave(reason: EndReason): Promise<void> {
    this.#idleWork[Symbol.dispose]();
    await this.#work.close();
    await leaveSession(this.log, {
      members: this.#members,
      tellEnd: (signal) =>
        this.#calls(signal).notify("session_end", { sessionId: this.id, reason }),
      background: this.#background,
      line: this.#options.line,
      report: this.#report,
      events: this.#events,
    });
  }

  async #run(prompt: SaidMessage[], signal: AbortSignal): Promise<RunEnd> {
    const { line, maxTurns, budget } = this.#options;
    const calls = this.#calls(signal);
    line.startRun();
    const { end } = await runLoop({
      request: {
        ...line.target,
        system: this.system,
        cacheKey: this.id,
        stream: true,
        cacheRetention: line.target.model.cacheRetention,
      },
      messages: this.#view.context().messages,
      prompt,
      record: this.#recorder.record,
      mailbox: this.mailbox,
      interrupt: this.#settings.interruptMode,
      hooks: this.hooks,
      forcedChoices: this.#forcedChoices,
      compact: async ({ reason }) => {
        const report = await calls.first("session_shorten", { reason });
        return report?.type === "compacted" ? this.#view.context().messages : undefined;
      },
      isCutByWindow: async (reply) => (await calls.first("session_cut_reply", { reply })) ?? false,
      tools: this.#tools,
      callModel: line.call,
      recovered: line.recovered,
      signal,
      emit: this.emit,
      ask: this.#asker,
      budget,
      maxTurns,
    });
    return end;
  }

  get #asker(): Asker | undefined {
    const { ask } = this.#options;
    return ask && askThrough(ask, { members: this.#members, origin: this.origin });
  }

  /** A moment's way to the hooks. */
  #calls(signal?: AbortSignal): HookCalls {
    if (signal) return new HookCalls(this.hooks, { signal, emit: this.emit });
    return new HookCalls(this.hooks, { ...UNSTOPPABLE, emit: this.emit });
  }

  /** What ended it is on disk when whoever waits for it is told; the next one need not wait for that. */
  #exclusively<T>(
    outer: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#recorder.settling(this.#work.run(outer, work));
  }

  /** Mail that no run is there for gets one. */
  #wake(): void {
    if (!this.#options.wakes || this.isBusy || !this.mailbox.wantsRun) return;
    const run = (signal: AbortSignal) => this.#run([], signal);
    this.#background.start((signal) => this.#exclusively(signal, run).then(() => undefined));
  }

  async #recordState(): Promise<void> {
    const entries = this.#models.unrecorded();
    if (entries.length > 0) await this.append(entries);
    tellModel(this, false);
  }

  readonly #report = (behaviour: string, hook: string, error: unknown): void =>
    this.emit({ type: "hook_error", behaviour, hook, error });
}
