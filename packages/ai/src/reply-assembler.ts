// Builds one assistant message out of what a decoder recognises and reports it as
// stream events. It owns the laws of the stream (order of events, one terminal event,
// what becomes of a block that was cut off), so that no decoder has to.

import { modelFailure, type ModelFailure } from "./error.ts";
import type { StreamEvent } from "./event.ts";
import type {
  AssistantMessage,
  Opaque,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
} from "./message.ts";
import { isTooDeep } from "./json-depth.ts";
import { emptyUsage, type Usage } from "./usage.ts";
import type { WireId } from "./wire.ts";

/**
 * Of text, thinking and arguments together: several times what any vendor lets a model say. A reply
 * that does not end must not eat the memory, the log and the screen.
 */
export const MAX_REPLY_CHARS = 2 * 1024 * 1024;
/** Of text, thinking and calls: no model has that many things to do at once. */
export const MAX_REPLY_BLOCKS = 2000;
/** What is kept of the arguments of a call that the reply's end cut off: enough to see what it was. */
const MAX_CUT_ARGUMENT_CHARS = 64 * 1024;

export interface ReplyOrigin {
  provider: string;
  model: string;
  wire: WireId;
}

/** One block while it is being received. */
export interface OpenBlock {
  readonly kind: "text" | "thinking" | "toolCall";
  readonly isOpen: boolean;
  append(delta: string): void;
  /** Vendor bytes to keep with the block; a second call replaces the first. */
  keep(data: string): void;
  /** The vendor's final text or argument JSON, where it sends one; it replaces the deltas. */
  settle(whole: string): void;
  close(): void;
}

type Block = TextBlock | ThinkingBlock | ToolCallBlock;

export class ReplyAssembler {
  readonly message: AssistantMessage;
  #emit: (event: StreamEvent) => void;
  #origin: ReplyOrigin;
  readonly #judge: (failure: ModelFailure) => ModelFailure;
  #open = new Set<AssembledBlock>();
  #chars = 0;
  #started = false;
  #ended = false;

  /** `judge` is what a host's own codes mean, where a decoder cannot know it. */
  constructor(
    origin: ReplyOrigin,
    emit: (event: StreamEvent) => void,
    timestamp = Date.now(),
    judge: (failure: ModelFailure) => ModelFailure = (failure) => failure,
  ) {
    this.#origin = origin;
    this.#judge = judge;
    this.#emit = emit;
    this.message = {
      role: "assistant",
      content: [],
      ...origin,
      stopReason: "stop",
      usage: emptyUsage(),
      timestamp,
    };
  }

  get ended(): boolean {
    return this.#ended;
  }

  start(): void {
    if (this.#started || this.#ended) return;
    this.#started = true;
    this.#emit({ type: "start" });
  }

  openText(): OpenBlock {
    return this.#openBlock({ type: "text", text: "" });
  }

  openThinking(options: { redacted?: boolean } = {}): OpenBlock {
    const block: ThinkingBlock = { type: "thinking", text: "" };
    if (options.redacted) block.redacted = true;
    return this.#openBlock(block);
  }

  openToolCall(call: { id: string; name: string }): OpenBlock {
    return this.#openBlock({ type: "toolCall", id: call.id, name: call.name, arguments: {} });
  }

  usage(usage: Partial<Usage>): void {
    if (this.#ended) return;
    Object.assign(this.message.usage, usage);
  }

  responseId(id: string): void {
    if (this.#ended) return;
    this.message.responseId = id;
  }

  /** Ends the reply as the vendor says it ended. Vendors report a plain stop beside calls too. */
  finish(reason: "stop" | "length" | "toolUse"): void {
    if (this.#ended) return;
    this.start();
    this.#closeAll(reason === "length" ? CutOff.yes : CutOff.no);
    const hasCalls = this.message.content.some((block) => block.type === "toolCall");
    const settled = reason === "length" ? "length" : hasCalls ? "toolUse" : "stop";
    this.message.stopReason = settled;
    this.#ended = true;
    this.#emit({ type: "done", reason: settled, message: this.message });
  }

  /** Ends the reply for now: the vendor wants to be asked to go on. */
  pause(): void {
    if (this.#ended) return;
    this.message.isPaused = true;
    this.finish("stop");
  }

  /** Ends the reply as failed; what had arrived stays in the message. */
  fail(failure: ModelFailure): void {
    if (this.#ended) return;
    this.start();
    this.#closeAll(CutOff.yes);
    const { provider, model } = this.#origin;
    const error: ModelFailure = { provider, model, ...this.#judge(failure) };
    const reason = failure.kind === "aborted" ? "aborted" : "error";
    this.message.stopReason = reason;
    this.message.error = error;
    this.#ended = true;
    this.#emit({ type: "error", reason, error, message: this.message });
  }

  /** The usual end of a decoder's `end()`: nothing said that the reply was complete. */
  failIfUnfinished(): void {
    this.fail(modelFailure("protocol", "The model's reply ended before it was complete."));
  }

  #openBlock(block: Block): OpenBlock {
    if (this.message.content.length >= MAX_REPLY_BLOCKS) {
      this.#failTooLarge(`more than ${MAX_REPLY_BLOCKS.toLocaleString("en")} parts`);
    }
    // The message has been handed out: what a decoder still finds in its frame is not part of it.
    if (this.#ended) return AssembledBlock.closed(block, this.#origin);
    this.start();
    const index = this.message.content.push(block) - 1;
    const open = new AssembledBlock(block, index, this.#emit, this.#origin, {
      takes: (chars) => this.#takes(chars),
      closes: () => this.#open.delete(open),
    });
    this.#open.add(open);
    if (block.type === "text") this.#emit({ type: "text_start", index });
    else if (block.type === "thinking") this.#emit({ type: "thinking_start", index });
    else this.#emit({ type: "toolcall_start", index, id: block.id, name: block.name });
    return open;
  }

  /** Whether so much more may come. If not, the reply has failed. */
  #takes(chars: number): boolean {
    this.#chars += chars;
    if (this.#chars <= MAX_REPLY_CHARS) return true;
    this.#failTooLarge(`more than ${MAX_REPLY_CHARS.toLocaleString("en")} characters`);
    return false;
  }

  #failTooLarge(what: string): void {
    const sentence = `The model's reply did not end: it had ${what} and was cut off.`;
    this.fail(modelFailure("protocol", sentence, { retryable: false, code: "reply_too_large" }));
  }

  #closeAll(cut: CutOff): void {
    for (const block of this.#open) block.closeAs(cut);
  }
}

/** What a block asks of its reply. */
interface BlockOwner {
  takes(chars: number): boolean;
  closes(): void;
}

/** Whether the reply ended before the vendor closed the block. */
enum CutOff {
  no,
  yes,
}

class AssembledBlock implements OpenBlock {
  readonly kind: Block["type"];
  #block: Block;
  #index: number;
  #emit: (event: StreamEvent) => void;
  #origin: ReplyOrigin;
  #owner: BlockOwner;
  #argumentText = "";
  #isOpen = true;

  constructor(
    block: Block,
    index: number,
    emit: (event: StreamEvent) => void,
    origin: ReplyOrigin,
    owner: BlockOwner,
  ) {
    this.kind = block.type;
    this.#block = block;
    this.#index = index;
    this.#emit = emit;
    this.#origin = origin;
    this.#owner = owner;
  }

  /** Takes everything and reports nothing. */
  static closed(block: Block, origin: ReplyOrigin): AssembledBlock {
    const ignore = (): void => undefined;
    const owner = { takes: () => false, closes: ignore };
    const closed = new AssembledBlock(block, -1, ignore, origin, owner);
    closed.#isOpen = false;
    return closed;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  append(delta: string): void {
    if (!this.#isOpen || delta === "" || !this.#owner.takes(delta.length)) return;
    const block = this.#block;
    if (block.type === "toolCall") {
      this.#argumentText += delta;
      this.#emit({ type: "toolcall_delta", index: this.#index, delta });
      return;
    }
    block.text += delta;
    const type = block.type === "text" ? "text_delta" : "thinking_delta";
    this.#emit({ type, index: this.#index, delta });
  }

  keep(data: string): void {
    if (!this.#owner.takes(data.length)) return;
    const opaque: Opaque = { wire: this.#origin.wire, model: this.#origin.model, data };
    this.#block.opaque = opaque;
  }

  settle(whole: string): void {
    if (!this.#isOpen) return;
    const have = this.#block.type === "toolCall" ? this.#argumentText : this.#block.text;
    // Only what the deltas did not bring is news to a reader.
    if (whole.startsWith(have)) this.append(whole.slice(have.length));
    else if (!this.#owner.takes(whole.length)) return;
    else if (this.#block.type === "toolCall") this.#argumentText = whole;
    else this.#block.text = whole;
  }

  close(): void {
    this.closeAs(CutOff.no);
  }

  closeAs(cut: CutOff): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#owner.closes();
    const block = this.#block;
    const index = this.#index;
    if (block.type === "text") this.#emit({ type: "text_end", index, block });
    else if (block.type === "thinking") this.#emit({ type: "thinking_end", index, block });
    else {
      readArguments(block, this.#argumentText, cut);
      this.#emit({ type: "toolcall_end", index, block });
    }
  }
}

/**
 * A call without any argument text is a call without arguments, unless it was cut off
 * there. A cut-off text that is a whole object all the same lost nothing.
 */
function readArguments(call: ToolCallBlock, text: string, cut: CutOff): void {
  if (text.trim() === "" && cut === CutOff.no) return;
  try {
    if (isTooDeep(text)) throw new SyntaxError("nested too deep");
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      call.arguments = value as Record<string, unknown>;
      return;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  call.malformed = cut === CutOff.yes ? text.slice(0, MAX_CUT_ARGUMENT_CHARS) : text;
}
