// The one line to models: every call that a session makes goes through here, the loop's and those
// beside the conversation. It knows what may be spent, which credential and which model is next
// when one fails, what must not leave, what was used, and how to stop. The loop drives its own
// replies, because it has to take back what it has shown of a failed one; everybody else asks.
//
// On every wire a call is one request to the model's endpoint: nothing below this retries. What a
// wire may fetch besides, a token for a key, goes elsewhere and is not counted; a socket that breaks
// before it said anything is the same call, sent the other way.

import type { Budget } from "@tau/agent/budget";
import type { RecoveryEvent } from "@tau/agent/event";
import { LinkedAbort } from "@tau/agent/linked-abort";
import type { ModelCaller, Recovery } from "@tau/agent/model-caller";
import { RetrySeries } from "@tau/agent/retry-series";
import type { CredentialSource } from "@tau/ai/credential";
import { deferredReply } from "@tau/ai/deferred-reply";
import { ModelError, type ModelFailure } from "@tau/ai/error";
import type { RetrySettings } from "@tau/ai/failure-policy";
import type { AssistantMessage, Message } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ReplyStream } from "@tau/ai/reply-stream";
import type { ModelRequest } from "@tau/ai/request";
import { emptyUsage } from "@tau/ai/usage";
import { redactReply } from "../base/redact-reply.ts";
import { redactRequest, type Redactor } from "../base/redactor.ts";
import type { AsideRequest, AskOptions, ModelCallRecord } from "./aside.ts";
import { askUntilSettled } from "./ask-until-settled.ts";
import { CallTally } from "./call-tally.ts";
import { hasImages, LeftOut, type LeftOutState, type SentParts } from "./left-out.ts";
import type { ImageFitter } from "./fit-images.ts";
import type { ModelTarget, TargetCaller, TargetChain } from "./model-target.ts";
import { RetryMachine, type RetryPlan } from "./retry-machine.ts";
import { failedReply, failureOf, refused } from "./unasked-reply.ts";
import {
  describeShortening,
  sizeOfRequest,
  WindowLessons,
  type SentSize,
  type WindowState,
} from "./window-lessons.ts";

export interface LineOptions {
  chain: TargetChain;
  call: TargetCaller;
  /** Ends connections that are kept between calls: they belong to a model, and to the session. */
  hangUp?: () => void;
  credentials: CredentialSource;
  settings: RetrySettings;
  /** `cooldown-expiry`: a run begins with the first model again once its limit is over. */
  revert: "cooldown-expiry" | "never";
  sessionId: string;
  /** The last look at whatever leaves, and the first at whatever comes back, whoever asks. */
  redactor?: () => Redactor | undefined;
  /** A sibling of a model with more room, if it names one that can be used. */
  larger?: (model: Model) => Promise<ModelTarget | undefined>;
  /** The first of these roles that is set and can be called, with what it falls back to. */
  forRoles?: (roles: readonly string[]) => Promise<TargetChain | undefined>;
  /** The model that a selector names, with what it falls back to; a `UserError` if it cannot be called. */
  forModel?: (selector: string) => Promise<TargetChain>;
  now?: () => number;
}

/** What the session at this end of the line brings. */
export interface LinePorts {
  budget?: Budget;
  /** Whether what does not fit may go to a larger sibling. */
  mayPromote: boolean;
  emit: (event: RecoveryEvent) => void;
  /** Puts calls beside the conversation down for good. */
  record: (calls: readonly ModelCallRecord[]) => Promise<void>;
  /** What was left out when the session was left, as `keepLeftOut` got it. */
  leftOut?: unknown;
  keepLeftOut: (state: LeftOutState) => Promise<void>;
  /** The same for what was learnt about windows. */
  windows?: unknown;
  keepWindows: (state: WindowState) => Promise<void>;
}

/** A service that is no model of ours: it is called by whoever knows it. */
export interface AskedService {
  /** For the log, as `provider/id`. */
  name: string;
  send: (request: AsideRequest, signal: AbortSignal) => Promise<string>;
}

/** Without a reply in between. What is refused so often, each time half as long, is refused for something else. */
const MAX_SHORTENINGS = 4;

const UNCONNECTED: LinePorts = {
  mayPromote: false,
  emit: () => {},
  record: async () => {},
  keepLeftOut: async () => {},
  keepWindows: async () => {},
};

export class ModelLine {
  readonly #options: LineOptions;
  readonly #conversation: RetryMachine;
  readonly #asking = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #leftOut = new LeftOut();
  readonly #windows: WindowLessons;
  /** How often each series was made shorter since its last reply. */
  readonly #shortenings = new WeakMap<RetryMachine, number>();
  /** What the last request of each series carried. */
  readonly #sent = new WeakMap<RetryMachine, SentParts & SentSize>();
  #images: ImageFitter | undefined;
  #ports = UNCONNECTED;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#windows = new WindowLessons(`the session's log, history://${options.sessionId}`);
    this.#conversation = this.#machine(options.chain, { holder: options.sessionId });
  }

  /** Once, by the session it is for. */
  connect(ports: LinePorts): void {
    this.#ports = ports;
    this.#leftOut.restore(ports.leftOut);
    this.#windows.restore(ports.windows);
  }

  /** What the conversation is with now, with the window that it really has. */
  get target(): ModelTarget {
    return this.#fittedTarget(this.#conversation);
  }

  /** The user chose another model: from the next request on. */
  retarget(chain: TargetChain): void {
    this.#options.hangUp?.();
    this.#conversation.retarget(chain);
  }

  /** The user wants a model as if it were new: its server may take by now what it refused before. */
  async forget(model: Model): Promise<void> {
    if (this.#leftOut.forget(model)) await this.#ports.keepLeftOut(this.#leftOut.state);
    if (this.#windows.forget(model)) await this.#ports.keepWindows(this.#windows.state);
  }

  /** Before each run. */
  startRun(): void {
    this.#conversation.startOver();
    this.#shortenings.delete(this.#conversation);
    if (this.#options.revert === "cooldown-expiry") this.#conversation.revert();
  }

  /** The loop's way to the model. It counts what it spends itself, to end its run there. */
  readonly call: ModelCaller = (request, { signal }) =>
    this.#send(request, this.#conversation, signal);

  /** For the loop: what is done about a failed reply. */
  readonly recover = async (
    failed: AssistantMessage,
    { signal }: { signal: AbortSignal },
  ): Promise<Recovery> => {
    const failure = failureOf(failed);
    const machine = this.#conversation;
    if (failure.kind === "context_overflow") {
      const fitting = await this.#makeFit(failure, machine);
      if ("because" in fitting) return { type: "give_up", because: fitting.because };
      return signal.aborted ? { type: "give_up" } : this.#again(fitting);
    }
    const plan = (await this.#repair(failure, machine)) ?? (await machine.next(failure, signal));
    if (plan?.action === "rotate") await this.#changeAccount(machine);
    return plan && !signal.aborted ? this.#again(plan) : { type: "give_up" };
  };

  /** For the loop: a reply did not fail. */
  readonly recovered = (): void => {
    this.#conversation.startOver();
    const sent = this.#sent.get(this.#conversation);
    this.#shortenings.delete(this.#conversation);
    if (!sent) return;
    this.#leftOut.passed(sent);
    this.#windows.passed(sent);
  };

  /**
   * For a conversation that has outgrown its model: goes on with the sibling that the model
   * names for it, for the rest of the session.
   */
  async promote(failure: ModelFailure): Promise<Recovery | undefined> {
    await this.#learnWindow(failure, this.#conversation);
    const plan = await this.#promote(this.#conversation);
    return plan && this.#again(plan);
  }

  /**
   * One question beside the conversation, with the same retry and fallback. Resolves with a reply
   * that carries its error when nothing helped, it was stopped, or the budget is spent; rejects
   * only if what it used could not be put down.
   */
  ask(request: AsideRequest, options: AskOptions): Promise<AssistantMessage> {
    return this.#tracked(options.signal, async (signal) => {
      const machine = await this.#machineFor(options);
      const tally = new CallTally(options.purpose);
      const { budget, emit } = this.#ports;
      const reply = await askUntilSettled(request, {
        machine,
        tally,
        budget,
        signal,
        series: new RetrySeries({ ...options, emit, signal }),
        send: (whole) => this.#send(whole, machine, signal).result(),
        makeFit: async (failure) => {
          await this.#learnWindow(failure, machine);
          const larger = await this.#promote(machine);
          const plan = larger ?? (await this.#makeFit(failure, machine));
          return "because" in plan ? undefined : plan;
        },
        repair: (failure) => this.#repair(failure, machine),
      });
      if (tally.records.length > 0) await this.#ports.record(tally.records);
      return reply;
    });
  }

  /** Messages of the conversation as its model gets them: those that are too long for it shortened. */
  asSent(messages: readonly Message[]): readonly Message[] {
    return this.#windows.messages({ model: this.#conversation.target.model, messages });
  }

  /** The same for a service: once, and with what it throws. Its use is not known in tokens. */
  askService(
    service: AskedService,
    request: AsideRequest,
    { purpose, signal: outer }: AskOptions,
  ): Promise<string> {
    return this.#tracked(outer, async (signal) => {
      const refusal = this.#ports.budget?.admit();
      if (refusal) throw new ModelError(refused(refusal));
      const call = { purpose, model: service.name, usage: emptyUsage(), costUsd: 0, requests: 1 };
      let outcome: ModelCallRecord["outcome"] = "failed";
      try {
        const answer = await service.send(this.#lookedOver(request), signal);
        outcome = "done";
        return this.#options.redactor?.()?.hide(answer) ?? answer;
      } finally {
        if (signal.aborted) outcome = "aborted";
        await this.#ports.record([{ ...call, outcome }]);
      }
    });
  }

  /** Stops what is being asked beside the conversation and waits until it has stopped. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#asking);
    this.#options.hangUp?.();
  }

  async #promote(machine: RetryMachine): Promise<RetryPlan | undefined> {
    if (!this.#ports.mayPromote) return undefined;
    const { model } = this.#fittedTarget(machine);
    const larger = await this.#options.larger?.(model);
    // One that turned out to be smaller than it says is no help.
    if (!larger || this.#windowOf(larger) <= model.contextWindow) return undefined;
    machine.replaceTarget(larger);
    return { action: "fallback", delayMs: 0 };
  }

  async #learnWindow(failure: ModelFailure, machine: RetryMachine): Promise<void> {
    const sent = this.#sent.get(machine);
    // What is asked beside the conversation is too small to guess by.
    const mayGuess = machine === this.#conversation;
    if (!sent || !this.#windows.learn(failure, sent, { mayGuess })) return;
    await this.#ports.keepWindows(this.#windows.state);
  }

  /** When nothing else made room: a larger model of the chain, or less of what is too long. */
  async #makeFit(
    failure: ModelFailure,
    machine: RetryMachine,
  ): Promise<RetryPlan | { because: ModelFailure | undefined }> {
    await this.#learnWindow(failure, machine);
    const sent = this.#sent.get(machine);
    if (!sent) return { because: undefined };
    const least = Math.max(this.#windowOf(machine.target), failure.requestTokens ?? 0);
    if (this.#ports.mayPromote && machine.promoteTo((other) => this.#windowOf(other) > least)) {
      return { action: "fallback", delayMs: 0 };
    }
    const isConversation = machine === this.#conversation;
    const attempt = (this.#shortenings.get(machine) ?? 0) + 1;
    if (attempt > MAX_SHORTENINGS) return { because: undefined };
    this.#shortenings.set(machine, attempt);
    const shortening = this.#windows.shorten(sent, { hasPrompt: isConversation });
    if (shortening.type === "none") return { because: undefined };
    // What was asked beside the conversation is not asked again.
    if (isConversation) await this.#ports.keepWindows(this.#windows.state);
    if (shortening.type === "shortened") return { action: "shorten", delayMs: 0 };
    return { because: { ...failure, message: describeShortening(shortening) } };
  }

  #windowOf({ model }: ModelTarget): number {
    return this.#windows.fitted(model).contextWindow;
  }

  #fittedTarget({ target }: RetryMachine): ModelTarget {
    return { ...target, model: this.#windows.fitted(target.model) };
  }

  /** Without what was refused, if the vendor says what that is. */
  async #repair(failure: ModelFailure, machine: RetryMachine): Promise<RetryPlan | undefined> {
    const sent = this.#sent.get(machine);
    const blames = sent ? this.#leftOut.learn(failure, sent) : [];
    if (blames.length === 0) return undefined;
    await this.#ports.keepLeftOut(this.#leftOut.state);
    return { action: "leave_out", delayMs: 0, failure: { ...failure, blames } };
  }

  /** What one account may not be given of another's is left out at once, not after a refusal. */
  async #changeAccount(machine: RetryMachine): Promise<void> {
    const sent = this.#sent.get(machine);
    if (!sent || !this.#leftOut.changeAccount(sent)) return;
    await this.#ports.keepLeftOut(this.#leftOut.state);
  }

  #again({ action, delayMs, failure }: RetryPlan): Recovery {
    if (action === "fallback") this.#options.hangUp?.();
    const { target: request, call: callModel } = this;
    return { type: "retry", action, afterMs: delayMs, failure, request, callModel };
  }

  #send(request: ModelRequest, machine: RetryMachine, signal: AbortSignal) {
    const credential = () => machine.takeCredential(signal);
    const redactor = this.#options.redactor?.();
    const looked = this.#lookedOver(request);
    const reply = this.#fitted(looked, machine, (fitted) =>
      this.#options.call(fitted, { signal, credential }),
    );
    return redactor ? redactReply(reply, redactor) : reply;
  }

  /** As its vendor takes it. What that needs for images is loaded if there are any. */
  #fitted(
    whole: ModelRequest,
    machine: RetryMachine,
    call: (request: ModelRequest) => ReplyStream,
  ): ReplyStream {
    const model = this.#windows.fitted(whole.model);
    const messages = this.#leftOut.messages(whole);
    const tools = this.#leftOut.tools(whole);
    const request: ModelRequest = {
      ...whole,
      model,
      ...tools,
      messages: this.#windows.messages({ model, messages }),
    };
    if (model !== whole.model && request.maxOutput !== undefined) {
      request.maxOutput = Math.min(request.maxOutput, model.maxOutput);
    }
    const sent: SentParts & SentSize = {
      ...sizeOfRequest({ ...request, messages }),
      tools: tools.tools.map(({ name }) => name),
      images: [],
      lastReplyAt: request.messages.findLast(({ role }) => role === "assistant")?.timestamp ?? 0,
    };
    this.#sent.set(machine, sent);
    if (!hasImages(request) || request.model.wire === "in-process") return call(request);
    return deferredReply(async () => {
      try {
        this.#images ??= new (await import("./fit-images.ts")).ImageFitter(this.#leftOut);
        const fitted = await this.#images.fit(request);
        this.#sent.set(machine, { ...sent, images: fitted.images });
        return call(fitted.request);
      } catch (error) {
        // A bug of ours must end the reply as one: nobody else would.
        return failedReply(request.model, error);
      }
    });
  }

  #lookedOver<R extends Pick<ModelRequest, "system" | "messages">>(request: R): R {
    const redactor = this.#options.redactor?.();
    return redactor ? redactRequest(request, redactor) : request;
  }

  /** Of its own, so that the conversation neither loses its credential by it nor its patience. */
  async #machineFor({ roles = [], model }: AskOptions): Promise<RetryMachine> {
    const { sessionId, forRoles, forModel } = this.#options;
    const holder = `${sessionId}/aside`;
    const named = model === undefined ? undefined : await forModel?.(model);
    const chain = named ?? (roles.length > 0 ? await forRoles?.(roles) : undefined);
    const { rest, target, credential } = this.#conversation;
    const isSameProvider = !chain || chain[0].model.provider === target.model.provider;
    // The account that the conversation is with, for as long as it works.
    return this.#machine(chain ?? rest, {
      holder,
      credential: isSameProvider ? credential : undefined,
    });
  }

  #machine(
    chain: TargetChain,
    whose: Pick<ConstructorParameters<typeof RetryMachine>[0], "holder" | "credential">,
  ): RetryMachine {
    const { credentials, settings, now = Date.now } = this.#options;
    return new RetryMachine({ chain, credentials, settings, now, ...whose });
  }

  async #tracked<T>(outer: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    using link = new LinkedAbort(outer, this.#closing.signal);
    const asking = work(link.signal);
    this.#asking.add(asking);
    try {
      return await asking;
    } finally {
      this.#asking.delete(asking);
    }
  }
}
