// What keeps secrets out of everything that is sent, shown or written down. A session has at most
// one; without it, nothing is hidden.

import type { Message } from "@tau/ai/message";
import type { ModelRequest } from "@tau/ai/request";

export interface Redactor {
  /** The same text with every secret replaced. */
  hide(text: string): string;
  /** In all texts of a value; the same value if there is none in it. */
  hideIn<T>(value: T): T;
  /** Characters that a secret may still need to be told from the rest, in text that comes in pieces. */
  readonly reach: number;
  /** Where secrets stand in a text: from, to. */
  spans(text: string): Iterable<readonly [from: number, to: number]>;
}

/**
 * The last look at a request before it leaves: whatever way a text took to get there, no known secret
 * is in it. What a vendor signed cannot be changed and is left as it is; it was made from what had
 * been hidden before.
 */
export function redactRequest<R extends Pick<ModelRequest, "system" | "messages">>(
  request: R,
  redactor: Redactor,
): R {
  const system = redactor.hideIn(request.system);
  const messages = request.messages.map((message) => redactMessage(message, redactor));
  const isSame = messages.every((message, at) => message === request.messages[at]);
  if (system === request.system && isSame) return request;
  return { ...request, system, messages };
}

function redactMessage(message: Message, redactor: Redactor): Message {
  const content = message.content as readonly { type: string }[];
  const hidden = content.map((block) =>
    block.type === "text" || block.type === "toolCall" ? redactor.hideIn(block) : block,
  );
  return hidden.every((block, at) => block === content[at])
    ? message
    : ({ ...message, content: hidden } as Message);
}
