// A call whose arguments are one JSON object followed by a closing marker: what DeepSeek,
// Kimi, harmony and Hermes have in common.

import type { Step } from "./input.ts";
import { Markers } from "./markers.ts";
import type { Scan } from "./scanner.ts";

export interface JsonCallEnd {
  /** Each ends the call and is stepped over. */
  closers: readonly string[];
  /** Each ends the call too, but belongs to what follows. */
  successors?: readonly string[];
  /** What the convention wraps the object in: may stand between it and the closer. */
  wrapper?: string;
}

/** A whole object counts without its closer only where the model stopped by itself. */
export function* readJsonCall(
  { input, out }: Scan,
  call: { name: string; id?: string },
  end: JsonCallEnd,
): Step {
  const { closers, successors = [] } = end;
  const writer = out.call(call.name, call.id);
  if ((yield* input.accept(closers)) !== undefined) {
    writer.end();
    return;
  }
  const isWhole = yield* input.jsonObject([...closers, ...successors], writer.json);
  if (isWhole) {
    if (end.wrapper !== undefined) yield* input.accept([end.wrapper]);
    const isClosed =
      (yield* input.accept(closers)) !== undefined ||
      (yield* input.next(successors)) !== undefined ||
      (input.isAtEnd && input.ending === "stop");
    if (isClosed) {
      writer.end();
      return;
    }
  }
  if ((yield* input.next(successors)) === undefined) {
    yield* input.passUntil(new Markers(closers), writer.json);
  }
  writer.abandon();
}
