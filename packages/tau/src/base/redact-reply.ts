// A model's reply without the secrets that it may have written itself: everything after the line to the
// model (screens, events, the log, titles, summaries) gets placeholders, as if it had written those.
// The tool that a call is for gets the values back just before it runs.

import type { StreamEvent } from "@tau/ai/event";
import type { AssistantBlock, AssistantMessage } from "@tau/ai/message";
import { ReplyStream } from "@tau/ai/reply-stream";
import { RedactingArguments } from "./redacting-arguments.ts";
import { RedactingText } from "./redacting-text.ts";
import { redactBlock, redactMessage, type Redactor } from "./redactor.ts";

export function redactReply(reply: ReplyStream, redactor: Redactor): ReplyStream {
  const redacted = new ReplyStream();
  const blocks = new OpenBlocks(redactor);
  /** Of blocks that ended: only what follows says whether they were whole. */
  let ends: BlockEnd[] = [];
  void (async () => {
    for await (const event of reply) {
      if (isBlockEnd(event)) {
        ends.push(event);
        continue;
      }
      const isCut = event.type === "error" || (event.type === "done" && event.reason === "length");
      const cut = new Set(isCut ? ends.map(({ index }) => index) : []);
      for (const one of [...ends, event]) {
        for (const told of redactEvent(
          withoutOpenEnds(one, cut, redactor),
          blocks,
          redactor,
          cut,
        )) {
          redacted.push(told);
        }
      }
      ends = [];
    }
  })();
  return redacted;
}

function isBlockEnd(event: StreamEvent): event is BlockEnd {
  return "block" in event;
}

/** A block that broke off may end in the beginning of a secret: that is not passed on. */
function withoutOpenEnds(
  event: StreamEvent,
  cut: ReadonlySet<number>,
  redactor: Redactor,
): StreamEvent {
  if (cut.size === 0) return event;
  if (isBlockEnd(event)) {
    const block = cut.has(event.index) ? withoutOpenEnd(event.block, redactor) : event.block;
    return { ...event, block } as BlockEnd;
  }
  if (event.type !== "error" && event.type !== "done") return event;
  const content = event.message.content.map((block, index) =>
    cut.has(index) ? withoutOpenEnd(block, redactor) : block,
  );
  return { ...event, message: { ...event.message, content } };
}

function withoutOpenEnd<B extends AssistantBlock>(block: B, redactor: Redactor): B {
  const { text, malformed } = block as { text?: string; malformed?: string };
  const closed = (words: string): string => words.slice(0, redactor.openFrom(words));
  if (text !== undefined) return { ...block, text: closed(text) };
  return malformed === undefined ? block : { ...block, malformed: closed(malformed) };
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

  /** What was held back; of a block that broke off it is not known what it would have become. */
  end({ type, index }: BlockEnd, isCut: boolean): StreamEvent[] {
    const rest = isCut ? "" : (this.#open.get(index)?.end() ?? "");
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

function redactEvent(
  event: StreamEvent,
  blocks: OpenBlocks,
  redactor: Redactor,
  cut: ReadonlySet<number>,
): StreamEvent[] {
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
      return [...blocks.end(event, cut.has(event.index)), { ...event, block } as BlockEnd];
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
