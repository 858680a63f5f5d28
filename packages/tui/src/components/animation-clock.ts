// One clock for everything that moves. Being drawn is what keeps it going: a component that
// was drawn gets one more tick; when nothing that moves was drawn since the last tick, there
// is no timer at all.

import type { RequestRender } from "../component.ts";

/** About 12 frames a second: smooth enough for a spinner, cheap enough for a laptop. */
const TICK_MS = 80;

export interface AnimationClock {
  /** Counts ticks; equal between two ticks, so that what is drawn is equal, too. */
  readonly frame: number;
  /** Called while drawing something that moves. */
  keepGoing(): void;
  readonly running: boolean;
  stop(): void;
}

export function createAnimationClock(
  requestRender: RequestRender,
  tickMs = TICK_MS,
): AnimationClock {
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tick = (): void => {
    timer = undefined;
    frame++;
    requestRender();
  };
  return {
    get frame() {
      return frame;
    },
    get running() {
      return timer !== undefined;
    },
    keepGoing() {
      if (timer !== undefined) return;
      timer = setTimeout(tick, tickMs);
      // A spinner must never keep a program alive.
      timer.unref();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
