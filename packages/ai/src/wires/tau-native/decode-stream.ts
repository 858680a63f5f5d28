// Tau's own stream (or a whole message) → neutral events: the same events again. The reply
// was assembled once already, at the other end; who spoke, what it cost and what its blocks
// carry is therefore taken over, not made up anew.

import { modelFailure } from "../../error.ts";
import type { AssistantBlock, AssistantMessage } from "../../message.ts";
import type { OpenBlock, ReplyAssembler } from "../../reply-assembler.ts";
import type { FrameSink } from "../../wire.ts";
import { asArray, asNumber, asObject, asString, parseObject, type Json } from "../json.ts";
import { isReply, isReplyBlock } from "./check-message.ts";
import { failureIn } from "./failure.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

export function decodeStream(out: ReplyAssembler): FrameSink {
  const reply = new NativeReply(out);
  return {
    frame: ({ event, data }) => reply.event(event, JSON.parse(data)),
    end: () => out.failIfUnfinished(),
  };
}

/** A whole message is its own stream, told at once. */
export function decodeReply(body: unknown, out: ReplyAssembler): void {
  const whole = asObject(body) ?? {};
  const reply = new NativeReply(out);
  reply.event("start", whole);
  if (out.ended) return;
  const message = asObject(whole.message) ?? {};
  asArray(message.content).forEach((item, index) => {
    const block = asObject(item) ?? {};
    const kind = block.type === "toolCall" ? "toolcall" : String(block.type);
    reply.event(`${kind}_start`, { ...block, index });
    reply.event(`${kind}_end`, { index, block });
  });
  reply.event(message.error === undefined ? "done" : "error", { message, error: message.error });
}

interface Receiving {
  open: OpenBlock;
  /** The block of the message that is being filled. */
  block: AssistantBlock;
  text: string;
}

class NativeReply {
  #out: ReplyAssembler;
  #blocks = new Map<number, Receiving>();

  constructor(out: ReplyAssembler) {
    this.#out = out;
  }

  event(type: string, data: unknown): void {
    const fields = asObject(data) ?? {};
    const index = asNumber(fields.index) ?? -1;
    switch (type) {
      case "start":
        this.#start(fields);
        break;
      case "text_start":
        this.#begin(index, this.#out.openText());
        break;
      case "thinking_start":
        this.#begin(index, this.#out.openThinking());
        break;
      case "toolcall_start": {
        const id = asString(fields.id) ?? "";
        this.#begin(index, this.#out.openToolCall({ id, name: asString(fields.name) ?? "" }));
        break;
      }
      case "text_delta":
      case "thinking_delta":
      case "toolcall_delta":
        this.#delta(asArray(data));
        break;
      case "text_end":
      case "thinking_end":
      case "toolcall_end":
        this.#end(index, fields.block);
        break;
      case "done":
      case "error":
        this.#finish(type, fields);
        break;
      default: // What a later server adds without a new version is no loss to this client.
    }
  }

  #start({ version }: Json): void {
    if (version !== PROTOCOL_VERSION) {
      const said = version === undefined ? "none" : String(version);
      this.#out.fail(
        modelFailure(
          "protocol",
          `The server speaks another version of Tau's protocol (${said} instead of ${PROTOCOL_VERSION}); update one of the two.`,
          { retryable: false },
        ),
      );
    }
    this.#out.start();
  }

  #begin(index: number, open: OpenBlock): void {
    this.#blocks.set(index, { open, block: this.#out.message.content.at(-1)!, text: "" });
  }

  #delta([index, delta]: unknown[]): void {
    const receiving = this.#blocks.get(asNumber(index) ?? -1);
    const text = asString(delta);
    if (!receiving || text === undefined) return;
    receiving.text += text;
    receiving.open.append(text);
  }

  #end(index: number, raw: unknown): void {
    const receiving = this.#blocks.get(index);
    if (!receiving) return;
    const { open, block, text } = receiving;
    const given = asObject(raw);
    if (!given || !isReplyBlock(given) || given.type !== open.kind) {
      throw new SyntaxError("a block is not what it should be");
    }
    const whole = given as unknown as AssistantBlock;
    settle(open, text, whole);
    if (whole.opaque) block.opaque = whole.opaque;
    if (block.type === "thinking" && given.redacted === true) block.redacted = true;
    // A call that its own reply cut off before its first argument is cut off here too, by
    // the reply's end; closed now, it would pass for a call without arguments.
    if (whole.type === "toolCall" && whole.malformed?.trim() === "") return;
    open.close();
  }

  #finish(type: "done" | "error", { message: raw, error }: Json): void {
    if (!isReply(raw)) throw new SyntaxError("the reply is not what it should be");
    const message = raw as AssistantMessage;
    const { provider, model, wire, usage, timestamp } = message;
    Object.assign(this.#out.message, { provider, model, wire, usage, timestamp });
    if (message.responseId !== undefined) this.#out.responseId(message.responseId);
    if (type === "done") {
      const isCut = message.stopReason === "length";
      // A call that nobody closed was cut off: it must not run as if it were whole.
      if (!isCut && this.#hasOpenCall()) this.#out.failIfUnfinished();
      else this.#out.finish(isCut ? "length" : "stop");
    } else {
      const unknown = modelFailure("protocol", "The server reported a failure without a reason.");
      this.#out.fail(failureIn(error) ?? failureIn(message.error) ?? unknown);
    }
  }

  #hasOpenCall(): boolean {
    return [...this.#blocks.values()].some(({ open }) => open.kind === "toolCall" && open.isOpen);
  }
}

/** The block is the last word; it says nothing new where the pieces add up to it. */
function settle(open: OpenBlock, text: string, whole: AssistantBlock): void {
  if (whole.type !== "toolCall") open.settle(whole.text);
  else if (whole.malformed !== undefined) {
    // Closed here, it would be a call that can run.
    if (parseObject(whole.malformed)) throw new SyntaxError("a whole call is called malformed");
    open.settle(whole.malformed);
  } else {
    const args = JSON.stringify(whole.arguments);
    if (text === "" && args === "{}") return;
    if (!saysTheSame(text, args)) open.settle(args);
  }
}

function saysTheSame(text: string, args: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === args;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
