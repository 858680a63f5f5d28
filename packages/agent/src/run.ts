// What the parts of the loop share while a run is on.

import type { HookCalls } from "./hook-calls.ts";
import type { LoopOptions } from "./loop-options.ts";
import type { ModelCaller, RequestFrame } from "./model-caller.ts";
import type { RepeatDetector, Repetition } from "./repeat-detector.ts";
import type { Transcript } from "./transcript.ts";

export interface Run {
  readonly options: LoopOptions;
  readonly hooks: HookCalls;
  readonly transcript: Transcript;
  readonly repeats: RepeatDetector | undefined;
  /** A hook or a recovery may change both for the rest of the run. */
  frame: RequestFrame;
  callModel: ModelCaller;
  turn: number;
  /** Replies in a row that their vendor paused. */
  pauses: number;
  /** The mailbox's count when the model was last asked. */
  askedAt: number;
  /** The model goes round in a circle and will not hear of it. */
  stuck: Repetition | undefined;
}

/** True where the conversation was made shorter. */
export async function compact(run: Run, reason: string): Promise<boolean> {
  const { transcript, options } = run;
  const { signal } = options;
  try {
    const shorter = await options.compact?.({ reason, messages: transcript.messages, signal });
    if (!shorter) return false;
    transcript.replace(shorter);
    return true;
  } catch (error) {
    // Stopped like anything else; the run sees the signal itself.
    if (signal.aborted) return false;
    throw error;
  }
}
