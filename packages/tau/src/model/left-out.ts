// What a session no longer sends to a model because the vendor refused a request for it: tools,
// images, or all images. Learnt from typed failures; every lesson takes something away, so that
// repairing comes to an end. A refusal is about one model: another one gets everything.

import type { Blame } from "@tau/ai/blame";
import type { ModelFailure } from "@tau/ai/error";
import type { AssistantBlock, ImageBlock } from "@tau/ai/message";
import type { Model } from "@tau/ai/model";
import type { ModelRequest } from "@tau/ai/request";
import { withPlainSchema } from "@tau/ai/schema/plain-schema";
import type { WireId } from "@tau/ai/wire";

/** Repairs without a reply in between; a server that refuses more refuses everything. */
const MAX_REPAIRS = 32;

interface Lessons {
  tools: Set<string>;
  /** So many tools, the first; built-in ones come before others. */
  mostTools: number;
  /** Tools go out with schemas of types and names alone. */
  hasPlainSchemas: boolean;
  images: Set<string>;
  /** Images that it has answered to: they cannot be at fault. */
  proven: Set<string>;
  isBlind: boolean;
  /** What it thought before this moment is not given back to it. */
  forgetsBefore: number;
}

/** Encrypted reasoning that only the account which it was made for can be given back. */
const BOUND_TO_ACCOUNT: ReadonlySet<WireId> = new Set<WireId>([
  "openai-responses",
  "openai-codex-responses",
  "azure-openai-responses",
]);

/** As the log keeps it, by model. */
export type LeftOutState = Record<
  string,
  {
    tools: string[];
    /** Absent without a limit. */
    mostTools?: number;
    hasPlainSchemas: boolean;
    images: string[];
    isBlind: boolean;
    forgetsBefore: number;
  }
>;

/** What a request carried, so that its refusal can be understood. */
export interface SentParts {
  model: Model;
  tools: readonly string[];
  /** In their order. */
  images: readonly string[];
  /** When the model last answered; 0 if it has not. */
  lastReplyAt: number;
}

/** Names an image by its content: it stays the same in every later request. */
export function imageKey({ data }: Pick<ImageBlock, "data">): string {
  return `${Bun.hash(data).toString(36)}-${data.length}`;
}

export function hasImages({ messages }: Pick<ModelRequest, "messages">): boolean {
  return messages.some(({ content }) =>
    (content as readonly { type: string }[]).some((block) => block.type === "image"),
  );
}

export class LeftOut {
  readonly #models = new Map<string, Lessons>();
  #repairs = 0;

  get state(): LeftOutState {
    const known = [...this.#models].map(
      ([name, { tools, mostTools, hasPlainSchemas, images, isBlind, forgetsBefore }]) => [
        name,
        {
          tools: [...tools],
          mostTools: Number.isFinite(mostTools) ? mostTools : undefined,
          hasPlainSchemas,
          images: [...images],
          isBlind,
          forgetsBefore,
        },
      ],
    );
    return Object.fromEntries(known);
  }

  /** What a session knew when it was left; whatever else is there is passed over. */
  restore(state: unknown): void {
    if (typeof state !== "object" || state === null) return;
    for (const [name, known] of Object.entries(state as Partial<LeftOutState>)) {
      this.#models.set(name, {
        tools: new Set(wordsIn(known?.tools)),
        mostTools: typeof known?.mostTools === "number" ? known.mostTools : Infinity,
        hasPlainSchemas: known?.hasPlainSchemas === true,
        images: new Set(wordsIn(known?.images)),
        proven: new Set(),
        isBlind: known?.isBlind === true,
        forgetsBefore: Number(known?.forgetsBefore) || 0,
      });
    }
  }

  /** What is left out from now on that was not before. */
  learn(failure: ModelFailure, sent: SentParts): readonly Blame[] {
    if (!failure.blames || this.#repairs >= MAX_REPAIRS) return [];
    const lessons = this.#of(sent.model);
    const learnt = failure.blames.flatMap((blame) => take(blame, lessons, sent) ?? []);
    if (learnt.length > 0) this.#repairs++;
    return learnt;
  }

  /** Another account continues. Whether there is something that it is not given. */
  changeAccount(sent: SentParts): boolean {
    if (!BOUND_TO_ACCOUNT.has(sent.model.wire)) return false;
    return take({ part: "reasoning" }, this.#of(sent.model), sent) !== undefined;
  }

  /** The model has answered to it. */
  passed(sent: SentParts): void {
    this.#repairs = 0;
    const { proven } = this.#of(sent.model);
    for (const image of sent.images) proven.add(image);
  }

  /** Only the tools that are taken, and no wish for one that is not. */
  tools({ tools, toolChoice, model }: ModelRequest): Pick<ModelRequest, "tools" | "toolChoice"> {
    const lessons = this.#models.get(nameOf(model));
    if (!lessons) return { tools, toolChoice };
    const taken = tools
      .filter(({ name }) => !lessons.tools.has(name))
      .slice(0, lessons.mostTools)
      .map((tool) => (lessons.hasPlainSchemas ? withPlainSchema(tool) : tool));
    const wished = typeof toolChoice === "object" ? toolChoice.name : undefined;
    const isThere = wished === undefined || taken.some(({ name }) => name === wished);
    return { tools: taken, toolChoice: taken.length > 0 && isThere ? toolChoice : undefined };
  }

  /** Everything about a model. True if there was something. */
  forget(model: Model): boolean {
    return this.#models.delete(nameOf(model));
  }

  /** Without what was thought before a vendor refused to take it back. */
  messages({ messages, model }: ModelRequest): ModelRequest["messages"] {
    const before = this.#models.get(nameOf(model))?.forgetsBefore ?? 0;
    if (before === 0) return messages;
    return messages.map((message) =>
      message.role === "assistant" && message.timestamp < before
        ? { ...message, content: message.content.flatMap((block) => withoutThought(block, model)) }
        : message,
    );
  }

  /** Why an image is not sent; undefined if it is. */
  whyNot(model: Model, image: string): string | undefined {
    const lessons = this.#models.get(nameOf(model));
    if (lessons?.isBlind || !model.input.includes("image")) return "this model does not see images";
    return lessons?.images.has(image) ? "it was refused" : undefined;
  }

  #of(model: Model): Lessons {
    const name = nameOf(model);
    const lessons = this.#models.get(name) ?? {
      tools: new Set<string>(),
      mostTools: Infinity,
      hasPlainSchemas: false,
      images: new Set<string>(),
      proven: new Set<string>(),
      isBlind: false,
      forgetsBefore: 0,
    };
    this.#models.set(name, lessons);
    return lessons;
  }
}

function wordsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
}

function nameOf({ provider, id }: Model): string {
  return `${provider}/${id}`;
}

/** Where items are tied to the reasoning before them, its place stays: they go without their ids then. */
function withoutThought(block: AssistantBlock, { wire }: Model): AssistantBlock[] {
  if (block.type !== "thinking") return [{ ...block, opaque: undefined }];
  return BOUND_TO_ACCOUNT.has(wire) ? [{ type: "thinking", text: block.text }] : [];
}

/** What is left out because of it; undefined if it was known before, or is not in the request. */
function take(blame: Blame, lessons: Lessons, sent: SentParts): Blame | undefined {
  switch (blame.part) {
    case "tool":
      if (!sent.tools.includes(blame.name)) return undefined;
      lessons.tools.add(blame.name);
      return blame;
    case "tools":
      return takeMost(blame, lessons, sent);
    case "schemas":
      // Even the plainest were refused: then it is none of them.
      if (lessons.hasPlainSchemas) return takeMost({ part: "tools" }, lessons, sent);
      if (sent.tools.length === 0) return undefined;
      lessons.hasPlainSchemas = true;
      return blame;
    case "reasoning":
      // Once for all that was said until now: a second refusal is about something else.
      if (lessons.forgetsBefore > sent.lastReplyAt) return undefined;
      lessons.forgetsBefore = sent.lastReplyAt + 1;
      return sent.lastReplyAt > 0 ? blame : undefined;
    case "sight":
      if (sent.images.length === 0) return undefined;
      lessons.isBlind = true;
      return blame;
    case "image":
      if (sent.images.length === 0) return undefined;
      for (const image of suspects(blame.index, lessons, sent)) lessons.images.add(image);
      return blame;
  }
}

function takeMost(
  blame: Extract<Blame, { part: "tools" }>,
  lessons: Lessons,
  sent: SentParts,
): Blame | undefined {
  const most = blame.most ?? 0;
  if (sent.tools.length <= most) return undefined;
  lessons.mostTools = most;
  return blame;
}

/** The one that was named; otherwise those that were not answered to before, or all. */
function suspects(index: number | undefined, lessons: Lessons, sent: SentParts): readonly string[] {
  const named = index === undefined ? undefined : sent.images[index];
  if (named !== undefined) return [named];
  const fresh = sent.images.filter((image) => !lessons.proven.has(image));
  return fresh.length > 0 ? fresh : sent.images;
}
