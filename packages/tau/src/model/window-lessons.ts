// What a session has learnt about the context windows of its models, from refusals: how large they really
// are, and which messages are sent shortened because of that. A lesson is about one model: another one gets
// everything. Whatever is learnt makes the next request smaller, and there is an end to that.

import type { ModelFailure } from "@tau/ai/error";
import type { Message } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ModelRequest } from "@tau/ai/request";
import { messageTokens, overheadTokens } from "../base/message-tokens.ts";
import { isShortenable, levelFor, shortenMessage } from "./shorten-message.ts";

/** Of a window, for what is sent; the rest is for the reply. */
const REQUEST_SHARE = 3 / 4;
/** Of the room that there is: the conversation has to go on after this. */
const FILLED_SHARE = 0.6;
/** Nothing is said with less. */
const LEAST_MESSAGE_TOKENS = 200;
/** Servers that count more than three tokens for one of ours count something else. */
const MAX_RATIO = 3;
/** The body was too large, in bytes: that says nothing about tokens. */
const TOO_MANY_BYTES = 413;

interface Lesson {
  /** In the server's tokens; absent if it is not known to be smaller than the model's row says. */
  window?: number;
  /** Nobody named it: it is smaller than something that was refused. */
  isGuess: boolean;
  /** The server's tokens for each of ours, at least 1. */
  ratio: number;
  /** By what names a message: how many tokens are sent of it. */
  shortened: Map<string, number>;
}

/** As the log keeps it, by model. */
export type WindowState = Record<
  string,
  { window?: number; isGuess: boolean; ratio: number; shortened: Record<string, number> }
>;

/** What a request weighed, so that its refusal can be understood. In our tokens. */
export interface SentSize {
  model: Model;
  /** The system prompt and the tools. */
  overhead: number;
  /** Whole, as the session has them. */
  messages: readonly Message[];
}

export type Shortening =
  /** The same request is smaller now. */
  | { type: "shortened" }
  /** It is the newest prompt itself; from the next one on it is sent shortened. */
  | { type: "prompt_too_large"; promptTokens: number; roomTokens: number }
  /** The system prompt and the tools fill the window by themselves. */
  | { type: "no_room"; overheadTokens: number; windowTokens: number }
  /** There is nothing that could be shortened further. */
  | { type: "none" };

export class WindowLessons {
  readonly #models = new Map<string, Lesson>();
  readonly #whole: string;

  /** `whole`: where a message that is sent shortened can be read. */
  constructor(whole: string) {
    this.#whole = whole;
  }

  get state(): WindowState {
    const known = [...this.#models].map(([name, { shortened, ...lesson }]) => [
      name,
      { ...lesson, shortened: Object.fromEntries(shortened) },
    ]);
    return Object.fromEntries(known);
  }

  /** What a session knew when it was left; whatever else is there is passed over. */
  restore(state: unknown): void {
    if (typeof state !== "object" || state === null) return;
    for (const [name, known] of Object.entries(state as Partial<WindowState>)) {
      const shortened = Object.entries(known?.shortened ?? {}).filter(([, size]) => size > 0);
      this.#models.set(name, {
        window: Number(known?.window) || undefined,
        isGuess: known?.isGuess === true,
        ratio: Number(known?.ratio) || 1,
        shortened: new Map(shortened),
      });
    }
  }

  /** The model as its server has it. */
  fitted(model: Model): Model {
    const window = this.#models.get(nameOf(model))?.window;
    if (window === undefined || window >= model.contextWindow) return model;
    const maxOutput = Math.min(model.maxOutput, Math.floor(window * (1 - REQUEST_SHARE)));
    return { ...model, contextWindow: window, maxOutput };
  }

  /** The conversation as the model gets it. */
  messages({ messages, model }: Pick<ModelRequest, "messages" | "model">): readonly Message[] {
    const shortened = this.#models.get(nameOf(model))?.shortened;
    if (!shortened || shortened.size === 0) return messages;
    return messages.map((message) => {
      const tokens = shortened.get(keyOf(message));
      if (tokens === undefined || !isShortenable(message)) return message;
      return shortenMessage(message, tokens, this.#whole);
    });
  }

  /**
   * What a refusal for its length says about the window. True if that was not known. `mayGuess`: a window
   * that is not named is smaller than what was sent.
   */
  learn(failure: ModelFailure, sent: SentSize, { mayGuess }: { mayGuess: boolean }): boolean {
    const lesson = this.#of(sent.model);
    const before = { ...lesson };
    const weight = this.#weightOf(sent);
    const { windowTokens, requestTokens, status } = failure;
    if (requestTokens !== undefined && weight > 0) {
      lesson.ratio = Math.min(MAX_RATIO, Math.max(lesson.ratio, requestTokens / weight));
    }
    // Images weigh what nobody can tell.
    const isTelling =
      mayGuess && weight > 0 && status !== TOO_MANY_BYTES && !hasImages(sent.messages);
    const window = windowTokens ?? (isTelling ? weight : undefined);
    const known = this.fitted(sent.model).contextWindow;
    if (window !== undefined && window < known) {
      lesson.window = window;
      lesson.isGuess = windowTokens === undefined;
    }
    return lesson.window !== before.window || lesson.ratio !== before.ratio;
  }

  /** Makes what was refused smaller. `hasPrompt`: the newest message of the user is never cut unasked. */
  shorten(sent: SentSize, { hasPrompt }: { hasPrompt: boolean }): Shortening {
    const lesson = this.#of(sent.model);
    const room = this.#roomFor(sent, lesson);
    const { window } = lesson;
    if (window !== undefined && room < LEAST_MESSAGE_TOKENS) {
      return { type: "no_room", overheadTokens: sent.overhead, windowTokens: window };
    }
    const prompt = hasPrompt ? sent.messages.findLast(({ role }) => role === "user") : undefined;
    const promptTokens = prompt ? messageTokens(prompt) : 0;
    const isTooLarge = promptTokens > room;
    const fixed = isTooLarge ? undefined : prompt;
    const sizes = sent.messages.map((message) => this.#sizeOf(message, lesson));
    const canShorten = sent.messages.map((one) => isShortenable(one) && one !== fixed);
    const free = sizes.filter((_, index) => canShorten[index]);
    const total = sum(sizes);
    const goal = Math.min(room * FILLED_SHARE, total / 2) - (total - sum(free));
    const level = Math.max(LEAST_MESSAGE_TOKENS, levelFor(free, goal));
    let isSmaller = false;
    for (const [index, message] of sent.messages.entries()) {
      if (!canShorten[index] || sizes[index]! <= level) continue;
      lesson.shortened.set(keyOf(message), level);
      isSmaller = true;
    }
    // The turn in which it was said ends; what is sent of it is for those that follow.
    if (isTooLarge) return { type: "prompt_too_large", promptTokens, roomTokens: room };
    return { type: isSmaller ? "shortened" : "none" };
  }

  /** The model has answered to it: a window that would not hold it was guessed wrongly. */
  passed(sent: SentSize): void {
    const lesson = this.#models.get(nameOf(sent.model));
    if (lesson?.isGuess && this.#weightOf(sent) > (lesson.window ?? Infinity)) {
      lesson.window = undefined;
    }
  }

  /** Everything about a model. True if there was something. */
  forget(model: Model): boolean {
    return this.#models.delete(nameOf(model));
  }

  #weightOf(sent: SentSize): number {
    const lesson = this.#of(sent.model);
    return sent.overhead + sum(sent.messages.map((message) => this.#sizeOf(message, lesson)));
  }

  /** For messages, in our tokens. */
  #roomFor(sent: SentSize, { window, ratio }: Lesson): number {
    const known = window ?? Math.min(sent.model.contextWindow, this.#weightOf(sent));
    const ours = known / ratio;
    // Where the system prompt and the tools fill most of it, half of what they leave.
    const room = Math.max(ours * REQUEST_SHARE - sent.overhead, (ours - sent.overhead) / 2);
    return Math.max(0, Math.floor(room));
  }

  #sizeOf(message: Message, { shortened }: Lesson): number {
    return Math.min(messageTokens(message), shortened.get(keyOf(message)) ?? Infinity);
  }

  #of(model: Model): Lesson {
    const name = nameOf(model);
    const lesson = this.#models.get(name) ?? { isGuess: false, ratio: 1, shortened: new Map() };
    this.#models.set(name, lesson);
    return lesson;
  }
}

/** For the user, who has to do something about it. */
export function describeShortening(
  found: Extract<Shortening, { type: "prompt_too_large" | "no_room" }>,
): string {
  const words = (tokens: number): string => Math.ceil(tokens).toLocaleString("en");
  if (found.type === "no_room") {
    return `The instructions and tools alone have about ${words(found.overheadTokens)} tokens, and the model's context window has about ${words(found.windowTokens)}.`;
  }
  const [prompt, room] = [words(found.promptTokens), words(found.roomTokens)];
  return `This prompt has about ${prompt} tokens, and there is room for about ${room}; it was not answered, and later prompts send only its beginning and its end.`;
}

export function sizeOfRequest({ model, system, tools, messages }: ModelRequest): SentSize {
  return { model, overhead: overheadTokens(system, tools), messages };
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

/** What stays the same when secrets are hidden in it, or a summary goes before it. */
function keyOf(message: Message): string {
  const { role, timestamp } = message;
  return role === "toolResult" ? `${role} ${message.toolCallId}` : `${role} ${timestamp}`;
}

function hasImages(messages: readonly Message[]): boolean {
  return messages.some(({ content }) =>
    (content as readonly { type: string }[]).some(({ type }) => type === "image"),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
