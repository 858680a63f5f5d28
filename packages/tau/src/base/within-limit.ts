// Waiting for other people's code, but not for ever.

export class TookTooLong extends Error {
  override readonly name = "TookTooLong";
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`it was not done after ${limitMs / 1000} s and is not waited for any longer`);
    this.limitMs = limitMs;
  }
}

/** The work's own outcome, or `TookTooLong`. The work itself goes on: it cannot be stopped from here. */
export async function withinLimit<T>(work: PromiseLike<T> | T, limitMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TookTooLong(limitMs)), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
