// A value between two tags of a convention that does not escape: GLM, Claude's XML and
// Qwen's coder form. The closing tag ends a value only where the convention's next tag
// follows it, so most texts about tags pass unharmed.

import { admitsOnlyText, decodeValue } from "../parameter-value.ts";
import type { JsonSchema } from "../../request.ts";
import type { Step } from "./input.ts";
import type { Markers } from "./markers.ts";
import type { CallWriter } from "./reply-writer.ts";
import type { Scan } from "./scanner.ts";

export interface TaggedValue {
  key: string;
  schema: JsonSchema | undefined;
  closers: Markers;
  /** What may come behind the closer; undefined in the answer where none came. */
  followers: readonly string[];
  /** Takes away what the convention puts around values. */
  unwrap?: (text: string) => string;
}

/** Tells the value and answers with the follower, which has been stepped over. */
export function* readTaggedValue(
  { input }: Scan,
  call: CallWriter,
  value: TaggedValue,
): Step<string | undefined> {
  const { key, schema, unwrap } = value;
  const text = admitsOnlyText(schema) && !unwrap ? call.string(key) : undefined;
  let collected = "";
  const take = text?.write ?? ((piece: string) => void (collected += piece));
  for (;;) {
    const closer = yield* input.passUntil(value.closers, take);
    if (closer === undefined) return undefined;
    const follower = yield* input.accept(value.followers);
    if (follower === undefined) {
      take(closer);
      continue;
    }
    if (text) text.end();
    else call.value(key, decodeValue(unwrap?.(collected) ?? collected, schema));
    return follower;
  }
}
