// A model's reply without the secrets that it may have written itself: everything after the line to the
// model (screens, events, the log, titles, summaries) gets placeholders, as if it had written those.
// The tool that a call is for gets the values back just before it runs.

import type { StreamEvent } from "@tau/ai/event";
import type { AssistantMessage } from "@tau/ai/message";
import { ReplyStream } from "@tau/ai/reply-stream";
import { RedactingArguments } from "./redacting-arguments.ts";
import { RedactingText } from "./redacting-text.ts";
import { redactBlock, redactMessage, type Redactor } from "./redactor.ts";

export function redactReply(reply: ReplyStream, redactor: Redactor): ReplyStream {
  const redacted = new ReplyStream();
  const blocks = new OpenBlocks(redactor);
  void (async () => {
    for await (const event of reply)
      for (const one of redactEvent(event, blocks, redactor)) redacted.push(one);
  })();
  return redacted;
}

type BlockEnd = Extract<StreamEvent, { block: unknown }>;

/** What is still coming of a block, by its place in the reply. */
class OpenBlocks {
  readonly #redactor: Redactor;
  readonly #open = new Map<number, RedactingText | RedactingArguments>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  push(event: Extract<StreamEvent, { delta: string }>): StreamEvent[] {
    return deltaOf(event, this.#at(event).push(event.delta));
  }

  /** What was held back. */
  end({ type, index }: BlockEnd): StreamEvent[] {
    const rest = this.#open.get(index)?.end() ?? "";
    this.#open.delete(index);
    return deltaOf({ type: DELTA_BEFORE[type], index }, rest);
  }

  #at({ type, index }: Extract<StreamEvent, { delta: string }>) {
    const known = this.#open.get(index);
    if (known) return known;
    const Kind = type === "toolcall_delta" ? RedactingArguments : RedactingText;
    const made = new Kind(this.#redactor);
    this.#open.set(index, made);
    return made;
  }
}

const DELTA_BEFORE = {
  text_end: "text_delta",
  thinking_end: "thinking_delta",
  toolcall_end: "toolcall_delta",
} as const;

function deltaOf(
  { type, index }: Pick<Extract<StreamEvent, { delta: string }>, "type" | "index">,
  delta: string,
): StreamEvent[] {
  return delta === "" ? [] : [{ type, index, delta }];
}

function redactEvent(event: StreamEvent, blocks: OpenBlocks, redactor: Redactor): StreamEvent[] {
  switch (event.type) {
    case "start":
    case "text_start":
    case "thinking_start":
      return [event];
    case "toolcall_start":
      return [{ ...event, name: redactor.hide(event.name) }];
    case "text_delta":
    case "thinking_delta":
    case "toolcall_delta":
      return blocks.push(event);
    case "text_end":
    case "thinking_end":
    case "toolcall_end": {
      const block = redactBlock(event.block, redactor);
      return [...blocks.end(event), { ...event, block } as BlockEnd];
    }
    case "done":
      return [{ ...event, message: redactWhole(event.message, redactor) }];
    case "error": {
      const message = redactWhole(event.message, redactor);
      const error = { ...event.error, message: redactor.hide(event.error.message) };
      return [{ ...event, error, message }];
    }
  }
}

function redactWhole(message: AssistantMessage, redactor: Redactor): AssistantMessage {
  const redacted = redactMessage(message, redactor);
  if (!redacted.error) return redacted;
  const { error } = redacted;
  return { ...redacted, error: { ...error, message: redactor.hide(error.message) } };
}
