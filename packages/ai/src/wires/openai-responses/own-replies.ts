// What the round-trip tests of this wire share: replies as this vendor's own, with the
// ids and encrypted reasoning that it would have given them.

import fc from "fast-check";
import type { AssistantBlock } from "../../message.ts";
import type { ReplyOrigin } from "../../reply-assembler.ts";
import type { AssistantOptions } from "../arbitrary-block.ts";

export const ORIGIN: ReplyOrigin = {
  provider: "openai",
  model: "gpt-one",
  wire: "openai-responses",
};
export const URL_OF_WIRE = new URL("http://h/v1/responses");

export function arbitraryKept(type: AssistantBlock["type"]): fc.Arbitrary<string> {
  const id = fc.uuid().map((uuid) => uuid.replaceAll("-", ""));
  const parts = fc.array(fc.lorem({ maxCount: 3 }), { maxLength: 3 });
  if (type !== "thinking") return id.map((hex) => JSON.stringify({ id: `msg_${hex}` }));
  return fc.tuple(id, parts).map(([hex, texts]) => {
    const summary = texts.map((text) => ({ type: "summary_text", text }));
    return JSON.stringify({ id: `rs_${hex}`, summary, encrypted_content: `gAAA${hex}` });
  });
}

/** Whole replies of this wire's own model. */
export const OWN: AssistantOptions = { origin: ORIGIN, complete: true, opaqueData: arbitraryKept };

/** Reasoning behind the last answer leads to nothing and is not replayed. */
export function toLastAnswer(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const last = blocks.findLastIndex(
    (block) => block.type === "toolCall" || (block.type === "text" && block.text.trim() !== ""),
  );
  return blocks.slice(0, last + 1);
}
