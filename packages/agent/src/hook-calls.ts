// Calls the handlers of the hook points for one run (or one moment of a session), each by
// its own rule of combining answers. A handler that throws, or answers what its point does not know,
// is reported and passed over; only at `tool_call` does it count: who cannot judge a call must not
// let it through.

import type { StreamEvent } from "@tau/ai/event";
import type { Message, ToolCallBlock } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";
import type { AgentEvent } from "./event.ts";
import { checkAnswer } from "./hook-answers.ts";
import type {
  Answer,
  HookName,
  RunStartAnswer,
  StopReply,
  Told,
  TurnEndAnswer,
} from "./hook-points.ts";
import { ownClock, type HookOwner, type Hooks, type Registration } from "./hooks.ts";
import type { SaidMessage } from "./mail.ts";
import type { Recovery } from "./model-caller.ts";
import type { SessionHookPoints } from "./session-hook-points.ts";
import { NotSettled, settleAfterAbort } from "./settle-after-abort.ts";
import type { ToolRun } from "./tool-table.ts";

/** After an abort a handler has this long to come to an end before it is passed over. */
export const HOOK_GRACE_MS = 1000;
/** Of an extension: whoever presses Esc must not feel whose code it is that hangs. */
export const OUTSIDE_GRACE_MS = 50;
/** A handler of an extension that keeps others waiting for so long is told of. */
export const SLOW_HOOK_MS = 2000;
/** Whoever still has time left, because a person was asked meanwhile, is looked at again no sooner. */
const LOOK_AGAIN_MS = 50;

/** A handler's answer, or that it failed; the failure has been reported. */
export type Heard<K extends HookName> = { answer: Answer<K> | undefined } | { error: unknown };

export interface TurnDecision {
  messages: SaidMessage[];
  compact?: { reason: string };
  isDone?: true;
  stop?: { behaviour: string; reason: string };
}

/** Steps that an asynchronous function which waits for nothing is done in. */
const QUICK_TICKS = 4;

export interface HookCallOptions {
  signal: AbortSignal;
  emit: (event: AgentEvent) => void;
  /** An extension's handler that takes longer is passed over, if nobody could stop it otherwise. */
  outsideLimitMs?: number;
}

/** Nobody can stop what happens between runs: an extension that hangs there is passed over. */
export const UNSTOPPABLE = { signal: new AbortController().signal, outsideLimitMs: 5000 } as const;

type SessionHook = keyof SessionHookPoints;
type Outside = Extract<HookOwner, { kind: "extension" }>;

export class HookCalls {
  readonly #hooks: Pick<Hooks, "has" | "at"> | undefined;
  readonly #signal: AbortSignal;
  readonly #emit: (event: AgentEvent) => void;
  readonly #outsideLimitMs: number | undefined;

  constructor(hooks: Pick<Hooks, "has" | "at"> | undefined, options: HookCallOptions) {
    this.#hooks = hooks;
    this.#signal = options.signal;
    this.#emit = options.emit;
    this.#outsideLimitMs = options.outsideLimitMs;
  }

  /** Worth asking before anything is prepared for a call. */
  has(name: HookName): boolean {
    return this.#hooks?.has(name) ?? false;
  }

  at<K extends HookName>(name: K): readonly Registration<K>[] {
    return this.#hooks?.at(name) ?? [];
  }

  /** One handler, whatever becomes of it. */
  async hear<K extends HookName>(
    name: K,
    { owner, handler }: Registration<K>,
    told: Told<K>,
  ): Promise<Heard<K>> {
    try {
      const said: unknown = handler(told, { signal: this.#signal });
      const answer =
        (isThenable(said) ? await this.#settled(said, owner, name) : said) ?? undefined;
      checkAnswer(name, answer);
      return { answer: answer as Answer<K> | undefined };
    } catch (error) {
      this.report(owner.name, name, error);
      return { error };
    }
  }

  /** Nearly all handlers are done at once: only for the others is anything set up to watch them. */
  async #settled(said: PromiseLike<unknown>, owner: HookOwner, hook: HookName): Promise<unknown> {
    const work = Promise.resolve(said);
    const state = { isDone: false };
    const note = (): void => void (state.isDone = true);
    work.then(note, note);
    for (let tick = 0; tick < QUICK_TICKS && !state.isDone; tick++) await undefined;
    if (state.isDone) return work;
    if (owner.kind !== "extension") return settleAfterAbort(work, this.#signal, HOOK_GRACE_MS);
    const slow = this.#watch(owner, hook);
    try {
      return await this.#limited(settleAfterAbort(work, this.#signal, OUTSIDE_GRACE_MS), owner);
    } finally {
      clearInterval(slow);
    }
  }

  /** Tells who keeps everybody waiting, for as long as it does. */
  #watch(owner: Outside, hook: HookName): ReturnType<typeof setInterval> {
    const { name: behaviour, person } = owner;
    const clock = ownClock(person);
    return setInterval(() => {
      const waitedMs = Math.round(clock());
      // Timers are a little early at times.
      const isSlow = waitedMs + 1 >= SLOW_HOOK_MS;
      if (person?.isAsking || !isSlow) return;
      this.#emit({ type: "hook_slow", behaviour, hook, waitedMs });
    }, SLOW_HOOK_MS);
  }

  /** A person who is asked may take as long as they like. */
  async #limited<T>(work: Promise<T>, { person }: Outside): Promise<T> {
    const limitMs = this.#outsideLimitMs;
    if (limitMs === undefined) return work;
    const { promise, reject } = Promise.withResolvers<never>();
    const why = `it was not done after ${limitMs / 1000} s and is not waited for any longer`;
    const clock = ownClock(person);
    const look = (): void => {
      const leftMs = limitMs - clock();
      if (leftMs <= 0 && !person?.isAsking) reject(new NotSettled(why));
      else timer = setTimeout(look, Math.max(leftMs, LOOK_AGAIN_MS));
    };
    let timer = setTimeout(look, limitMs);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined where a handler consumed it. */
  async input(message: SaidMessage, source: string): Promise<SaidMessage | undefined> {
    let current = message;
    for (const one of this.at("input")) {
      const answer = await this.#answer("input", one, { message: current, source });
      if (answer?.type === "consume") return undefined;
      if (answer) current = answer.message;
    }
    return current;
  }

  async runStart(told: Told<"run_start">): Promise<RunStartAnswer & { messages: SaidMessage[] }> {
    const sum: RunStartAnswer & { messages: SaidMessage[] } = { messages: [] };
    let { request } = told;
    for (const one of this.at("run_start")) {
      const answer = await this.#answer("run_start", one, { ...told, request });
      if (!answer) continue;
      sum.messages.push(...(answer.messages ?? []));
      sum.request = { ...sum.request, ...answer.request };
      if (answer.callModel) sum.callModel = answer.callModel;
      request = { ...request, ...answer.request };
    }
    return sum;
  }

  async context(messages: readonly Message[], turn: number): Promise<readonly Message[]> {
    let view = messages;
    for (const one of this.at("context")) {
      view = (await this.#answer("context", one, { messages: view, turn })) ?? view;
    }
    return view;
  }

  async request(request: ModelRequest, turn: number): Promise<ModelRequest> {
    let current = request;
    for (const one of this.at("request")) {
      const answer = await this.#answer("request", one, { request: current, turn });
      // What the conversation and the tools are is settled, whatever an extension answers.
      const { messages, tools } = current;
      current = { ...current, ...answer, messages, tools };
    }
    return current;
  }

  /** At once, for every event of every reply: no promise, no allocation beyond the telling. */
  stream(event: StreamEvent, turn: number): (StopReply & { behaviour: string }) | undefined {
    for (const { owner, handler } of this.at("stream")) {
      try {
        const answer: unknown = handler({ event, turn }, { signal: this.#signal });
        if (isThenable(answer)) {
          Promise.resolve(answer).catch((error: unknown) =>
            this.report(owner.name, "stream", error),
          );
        } else if (answer) {
          checkAnswer("stream", answer);
          return { ...(answer as StopReply), behaviour: owner.name };
        }
      } catch (error) {
        this.report(owner.name, "stream", error);
      }
    }
    return undefined;
  }

  async toolResult(
    call: ToolCallBlock,
    run: ToolRun,
    { wasRun }: { wasRun: boolean },
  ): Promise<ToolRun> {
    let current = run;
    for (const one of this.at("tool_result")) {
      const { result, details } = current;
      const answer = await this.#answer("tool_result", one, { call, result, details, wasRun });
      if (!answer) continue;
      const { content = result.content, isError = result.isError } = answer;
      current = { ...current, result: { ...result, content, isError } };
      if ("details" in answer) current.details = answer.details;
    }
    return current;
  }

  async turnEnd(told: Told<"turn_end">): Promise<TurnDecision> {
    const decision: TurnDecision = { messages: [] };
    for (const one of this.at("turn_end")) {
      const answer: TurnEndAnswer | undefined = await this.#answer("turn_end", one, told);
      if (answer?.type === "continue") decision.messages.push(...answer.messages);
      else if (answer?.type === "compact") decision.compact ??= { reason: answer.reason };
      else if (answer?.type === "done") decision.isDone = true;
      else if (answer?.type === "stop") {
        decision.stop ??= { behaviour: one.owner.name, reason: answer.reason };
      }
    }
    return decision;
  }

  async failure(told: Told<"failure">): Promise<Recovery | undefined> {
    for (const one of this.at("failure")) {
      const answer = await this.#answer("failure", one, told);
      if (answer) return answer;
    }
    return undefined;
  }

  /** Points where handlers only take note. */
  async notify<K extends "reply" | "idle" | SessionHook>(name: K, told: Told<K>): Promise<void> {
    for (const one of this.at(name)) await this.hear(name, one, told);
  }

  /** Points of a session with answers, in order; a cancellation is the last. */
  async session<K extends SessionHook>(name: K, told: Told<K>): Promise<Answer<K>[]> {
    const answers: Answer<K>[] = [];
    for (const one of this.at(name)) {
      const answer = await this.#answer(name, one, told);
      if (answer === undefined) continue;
      answers.push(answer);
      if ("cancel" in (answer as object)) break;
    }
    return answers;
  }

  /**
   * Points where the first answer is the answer. Rejects if nobody answers and a behaviour failed:
   * whoever asks cannot go on as if nothing had been tried. An extension that fails is told of, and
   * counts as one that has nothing to say.
   */
  async first<K extends SessionHook>(name: K, told: Told<K>): Promise<Answer<K> | undefined> {
    const failures: unknown[] = [];
    for (const one of this.at(name)) {
      const heard = await this.hear(name, one, told);
      if ("answer" in heard) {
        if (heard.answer !== undefined) return heard.answer;
      } else if (one.owner.kind === "behaviour") failures.push(heard.error);
    }
    if (failures.length > 0) throw failures[0];
    return undefined;
  }

  async #answer<K extends HookName>(
    name: K,
    one: Registration<K>,
    told: Told<K>,
  ): Promise<Answer<K> | undefined> {
    const heard = await this.hear(name, one, told);
    return "answer" in heard ? heard.answer : undefined;
  }

  /** To whoever watches the run. */
  report(behaviour: string, hook: HookName, error: unknown): void {
    this.#emit({ type: "hook_error", behaviour, hook, error });
  }
}

/** A promise of whatever make: another library's, another realm's. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
