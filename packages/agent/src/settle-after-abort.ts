// Waiting that an abort can end. Work is asked to stop through its signal and given a
// moment to do so; work that ignores its signal is left behind, so that nobody's bug can
// keep a user from stopping a run.

export class NotSettled extends Error {
  override readonly name = "NotSettled";
}

/** The work's own outcome, or `NotSettled` where it did not end within the grace after an abort. */
export function settleAfterAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(
        () => reject(new NotSettled(`still busy ${graceMs} ms after the abort`)),
        graceMs,
      );
    };
    const clean = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    // Both handlers stay attached: a late rejection of abandoned work is not unhandled.
    work.then(
      (value) => {
        clean();
        resolve(value);
      },
      (error: unknown) => {
        clean();
        reject(error);
      },
    );
  });
}

/** Returns early, without an error, when the signal aborts. */
export function abortableSleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
