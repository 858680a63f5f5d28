// One agent, from the moment that somebody wants it: queued, at work, idle, parked and back again. Its
// session comes and goes; the agent stays, and nothing of the session is opened or closed but here.

import type { RunEnd } from "@tau/agent/event";
import { textOf, userText } from "@tau/ai/message";
import { suggest } from "../../base/suggest.ts";
import { describeFailure } from "../../session/projection/describe-failure.ts";
import { describeLimit } from "../../session/projection/describe-limit.ts";
import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-event.ts";
import { Activity } from "./activity.ts";
import type { Admission, Slot } from "./admission.ts";
import { agentEntry } from "./agent-log.ts";
import type { HandedIn } from "./agent-seat.ts";
import type { AgentOrder } from "./open-agent.ts";
import type { AgentEnd, AgentState, AgentView } from "../../feature-api/agent-view.ts";

const STOPPED = "it was stopped";

export interface AgentRecord {
  readonly id: string;
  readonly parent: string;
  readonly kind: string;
  readonly description?: string;
  readonly isIsolated: boolean;
  /** 1 for those that the user's own session has started. */
  readonly depth: number;
  /** What it and others were told with their tasks. */
  readonly context?: string;
}

/** What came of a task. */
export interface AgentOutcome {
  readonly end: AgentEnd;
  /** What it handed in, or the last it said. */
  readonly result: unknown;
  readonly error?: string;
  /** What is odd about it: it never handed anything in. */
  readonly warning?: string;
  /** What became of its own working tree. */
  readonly tree?: string;
  readonly durationMs: number;
}

export interface AgentPlace {
  tryEnter: Admission["tryEnter"];
  enter: Admission["enter"];
  enterNow: Admission["enterNow"];
  /** Opens its session: anew, or from its log. */
  open(agent: Agent, isNew: boolean): Promise<Session>;
  idleTtlMs(): number;
  /** Whether agents that it has started are still at work. */
  hasChildrenAtWork(id: string): boolean;
  /** Its task is over: a word on what became of its own tree, if it had one. */
  finish(agent: Agent, end: AgentEnd): Promise<string | undefined>;
  /** It is left, and may come back another time. */
  left(agent: Agent): Promise<void>;
  /** It was interrupted, and is here again: somebody has to wait for it. */
  cameBack(agent: Agent): void;
  /** Something that is shown of it is otherwise now. */
  changed(agent: Agent): void;
  heard(agent: Agent, event: SessionEvent): void;
}

/** Of a log that was there before. */
export interface EarlierAgent {
  readonly end?: AgentEnd;
  readonly startedAt: number;
  /** The last that is known of it. */
  readonly endedAt: number;
  readonly model?: string;
  readonly activity?: Pick<Activity, "requests" | "tokens" | "costUsd">;
  readonly error?: string;
}

export class Agent {
  readonly activity = new Activity();
  readonly #place: AgentPlace;
  #state: AgentState;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #closing: Promise<void> | undefined;
  #unsubscribe: (() => void) | undefined;
  #slot: Slot | undefined;
  #parkTimer: ReturnType<typeof setTimeout> | undefined;
  #task: PromiseWithResolvers<AgentOutcome> | undefined;
  #isNew: boolean;
  /** What it was asked last, for when it sleeps. */
  #model: string | undefined;
  startedAt = Date.now();
  endedAt: number | undefined;
  end: AgentEnd | undefined;
  error: string | undefined;
  /** Why it cannot come back, if it cannot. */
  goneBecause: string | undefined;
  handedIn: HandedIn | undefined;
  /** Whoever gave it its task has not got the result yet. */
  isOwed = false;
  /** What it was made for; of an earlier run's, found when it comes back. */
  order: AgentOrder | undefined;
  /** What came of its last task, as it is read by others; absent if it is on disk only. */
  output: string | undefined;

  constructor(
    readonly record: AgentRecord,
    place: AgentPlace,
    earlier?: EarlierAgent,
  ) {
    this.#place = place;
    this.#isNew = earlier === undefined;
    this.#state = earlier ? "parked" : "queued";
    if (!earlier) return;
    Object.assign(this.activity, earlier.activity);
    this.startedAt = earlier.startedAt;
    this.endedAt = earlier.endedAt;
    this.#model = earlier.model;
    this.end = earlier.end ?? "interrupted";
    this.error = earlier.error;
  }

  get id(): string {
    return this.record.id;
  }

  get state(): AgentState {
    return this.#state;
  }

  /** Undefined while it is queued or parked. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** Something is expected of it: it has a task, and has not handed in what came of it. */
  get isObliged(): boolean {
    return this.#task !== undefined && this.handedIn === undefined;
  }

  get view(): AgentView {
    const { id, parent, kind, description, isIsolated } = this.record;
    const { doing, requests, tokens, costUsd, lastActiveAt } = this.activity;
    const model = this.#session?.model;
    if (model) this.#model = `${model.provider}/${model.id}`;
    const waits = this.#state === "running" && this.#session && !this.#session.isBusy;
    return {
      id,
      parent,
      kind,
      description,
      isIsolated,
      state: this.#state,
      model: this.#model,
      doing: waits ? "waiting for its agents" : doing,
      requests,
      tokens,
      costUsd,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      lastActiveAt,
      unread: this.#session?.mailbox.queued().length ?? 0,
      end: this.end,
      error: this.error,
    };
  }

  /** Works on a task, once there is room; resolves in any case, when nothing more will come of it. */
  async work(assignment: string, signal: AbortSignal): Promise<AgentOutcome> {
    const task = Promise.withResolvers<AgentOutcome>();
    this.#task = task;
    this.handedIn = undefined;
    const stop = (): void => void this.stop();
    try {
      const { depth } = this.record;
      this.#slot = this.#place.tryEnter(depth) ?? (await this.#place.enter(depth, signal));
      signal.addEventListener("abort", stop, { once: true });
      this.startedAt = Date.now();
      this.#enter("running");
      const session = await this.live();
      signal.throwIfAborted();
      session.prompt(userText(assignment)).catch((error: unknown) => this.#broke(error));
    } catch (error) {
      this.#broke(signal.aborted ? signal.reason : error, signal.aborted);
    }
    const outcome = await task.promise;
    signal.removeEventListener("abort", stop);
    return outcome;
  }

  /** After it was interrupted: somebody has spoken to it, and what comes of its task is awaited again. */
  goOn(signal: AbortSignal): Promise<AgentOutcome> {
    const task = Promise.withResolvers<AgentOutcome>();
    this.#task = task;
    this.end = undefined;
    this.endedAt = undefined;
    signal.addEventListener("abort", () => void this.stop(), { once: true });
    return task.promise;
  }

  /** Its session, brought back from the log if need be. Throws what opening it throws. */
  async live(): Promise<Session> {
    await this.#closing;
    if (this.#session) return this.#session;
    if (this.goneBecause !== undefined) throw new AgentGone(this.id, this.goneBecause);
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Out of memory, unless it is busy: its log is closed, and others may have it. */
  async park(): Promise<void> {
    const session = this.#session;
    if (this.#state !== "idle" || !session || session.isBusy || session.mailbox.wantsRun) return;
    await this.#close("parked");
  }

  /** Whatever it does ends, and it does not come back. */
  async stop(): Promise<void> {
    if (this.#state === "aborted") return;
    this.goneBecause ??= STOPPED;
    this.#enter("aborted");
    await this.#opening?.catch(() => {});
    await this.#session?.abort();
    await this.#settle({ end: "aborted", result: this.#lastWords() });
    await this.#close("aborted");
  }

  /** Tau is left: what it had not finished is known as interrupted when it comes back. */
  async leave(): Promise<void> {
    clearTimeout(this.#parkTimer);
    await this.#opening?.catch(() => {});
    const task = this.#task;
    this.#task = undefined;
    await this.#session?.abort();
    const durationMs = Date.now() - this.startedAt;
    if (task) await this.#note("interrupted", durationMs);
    await this.#place.left(this).catch(() => {});
    await this.#close(this.#state === "aborted" ? "aborted" : "parked");
    task?.resolve({ end: "interrupted", result: undefined, durationMs });
  }

  /** After somebody it waited for has ended, or its own run has. */
  async look(): Promise<void> {
    const session = this.#session;
    if (!session || session.isBusy || this.#state === "aborted") return;
    if (!this.#task) return this.#rest();
    const { handedIn } = this;
    if (handedIn) {
      const { result, failure } = handedIn;
      const end = failure === undefined ? "completed" : "failed";
      return this.#settle({ end, result, error: failure });
    }
    // Their results wake it.
    if (this.#place.hasChildrenAtWork(this.id) || session.mailbox.wantsRun) return;
    const warning = "it ended without handing in a result, though it was reminded";
    await this.#settle({ end: "completed", result: this.#lastWords(), warning });
  }

  async #open(): Promise<Session> {
    const isNew = this.#isNew;
    const session = await this.#place.open(this, isNew);
    this.#isNew = false;
    this.#session = session;
    this.#unsubscribe = session.subscribe((event) => this.#hear(session, event), "part");
    if (isNew) await session.append([agentEntry({ event: "begun", ...this.record })]);
    if (this.#state === "parked") this.#enter("idle");
    if (this.end === "interrupted") this.#place.cameBack(this);
    return session;
  }

  #hear(session: Session, event: SessionEvent): void {
    const isShown = this.activity.take(event, session.model.cost);
    if (event.type === "agent_start" && this.#state !== "aborted") {
      this.#slot ??= this.#place.enterNow(this.record.depth);
      this.#enter("running");
    } else if (event.type === "agent_end") {
      const { end } = event;
      void session.whenIdle().then(() => this.#ran(end));
    } else if (isShown) this.#place.changed(this);
    this.#place.heard(this, event);
  }

  async #ran(end: RunEnd): Promise<void> {
    this.#slot?.[Symbol.dispose]();
    this.#slot = undefined;
    if (this.#state === "aborted") return;
    if (!this.#task || end.reason === "done") return this.look();
    // A person has stopped it at its own screen: it can be spoken to, and its task is over.
    const error = whyEnded(end, this.#session);
    const how = end.reason === "aborted" ? "aborted" : "failed";
    await this.#settle({ end: how, result: this.#lastWords(), error });
  }

  #broke(error: unknown, isAborted = false): void {
    this.#slot?.[Symbol.dispose]();
    this.#slot = undefined;
    const words = error instanceof Error ? error.message : String(error);
    if (isAborted) {
      this.goneBecause ??= STOPPED;
      this.#enter("aborted");
    }
    void this.#settle({
      end: isAborted ? "aborted" : "failed",
      result: undefined,
      error: isAborted ? undefined : words,
    });
  }

  async #settle(given: Omit<AgentOutcome, "durationMs">): Promise<void> {
    const task = this.#task;
    if (!task) return;
    this.#task = undefined;
    const endedAt = Date.now();
    const durationMs = endedAt - this.startedAt;
    const tree = await this.#place.finish(this, given.end).catch(treeFailure);
    await this.#note(given.end, durationMs, given.error);
    this.endedAt = endedAt;
    this.end = given.end;
    this.error = given.error;
    // Where its tree is gone it has nothing to stand on.
    if (this.#state !== "aborted") {
      if (this.goneBecause !== undefined && this.#session) await this.#close("parked");
      else this.#rest();
    }
    task.resolve({ ...given, tree, durationMs });
  }

  async #note(end: AgentEnd, durationMs: number, error?: string): Promise<void> {
    const { requests, tokens, costUsd } = this.activity;
    const note = { event: "ended", end, durationMs, requests, tokens, costUsd, error } as const;
    // Of a log that cannot be written somebody else tells; its result is here all the same.
    await this.#session?.append([agentEntry(note)]).catch(() => {});
  }

  #rest(): void {
    if (!this.#session) {
      // It never came to be: there is nothing to come back to.
      this.goneBecause ??= this.error ?? "it could not be started";
      return this.#enter("aborted");
    }
    this.#enter("idle");
    const ttl = this.#place.idleTtlMs();
    if (ttl <= 0) return;
    this.#parkTimer = setTimeout(() => void this.park(), ttl);
    this.#parkTimer.unref();
  }

  #enter(state: AgentState): void {
    clearTimeout(this.#parkTimer);
    this.#state = state;
    this.#place.changed(this);
  }

  #close(state: "parked" | "aborted"): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#slot?.[Symbol.dispose]();
    this.#slot = undefined;
    this.#enter(state);
    this.#closing = (async () => {
      await this.#closing;
      await session?.leave("quit");
    })();
    return this.#closing;
  }

  #lastWords(): string {
    const last = this.#session?.messages.findLast(({ role }) => role === "assistant");
    return last ? textOf(last).trim() : "";
  }
}

function treeFailure(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return `Its working tree could not be merged: ${words}`;
}

/** It cannot be spoken to any more. */
export class AgentGone extends Error {
  override readonly name = "AgentGone";

  constructor(id: string, why: string) {
    super(`${id} cannot come back: ${why}.`);
  }
}

export class UnknownAgent extends Error {
  override readonly name = "UnknownAgent";

  constructor(id: string, known: readonly string[]) {
    const near = suggest(id, known);
    const there = known.length === 0 ? "there are none" : `there are ${known.join(", ")}`;
    super(`There is no agent ${id}; ${near === undefined ? there : `did you mean ${near}?`}`);
  }
}

function whyEnded(end: RunEnd, session: Session | undefined): string | undefined {
  if (end.reason === "aborted") return undefined;
  if (end.reason === "limit") return describeLimit(end);
  const last = session?.messages.findLast((message) => message.role === "assistant");
  return describeFailure(last?.error).sentence;
}
