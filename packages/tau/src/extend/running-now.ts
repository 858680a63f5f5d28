// Whose code was called last and is not done: for what leaves no trace of who it was (a loop that never
// ends, a call in the last place of a function).

export interface RunningCode {
  readonly extension: string;
  /** Where it stands, if at a hook. */
  readonly hook?: string;
}

const running = new Set<RunningCode>();
const listeners = new Set<(latest: RunningCode | undefined) => void>();

/** The one that began last. */
export function runningNow(): RunningCode | undefined {
  let latest: RunningCode | undefined;
  for (const one of running) latest = one;
  return latest;
}

/** Returns what says that it is done. */
export function beginRunning(code: RunningCode): () => void {
  running.add(code);
  for (const listener of listeners) listener(code);
  return () => {
    running.delete(code);
    if (listeners.size === 0) return;
    const latest = runningNow();
    for (const listener of listeners) listener(latest);
  };
}

/** Told of every change, at once. */
export function watchRunning(listener: (latest: RunningCode | undefined) => void): void {
  listeners.add(listener);
}
