// Token counts of one reply, in one vocabulary: `input` never includes what was read
// from or written to a prompt cache, whatever the vendor's own sums say.

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Part of `output`, where the vendor tells. */
  reasoning?: number;
}

export function emptyUsage(): Usage {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
}

/** A token count from the wire: vendors send null, omit it, or (some proxies) send strings. */
export function tokenCount(value: unknown): number {
  const count = Number(value);
  return Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0;
}
