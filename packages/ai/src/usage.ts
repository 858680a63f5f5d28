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

export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  };
  if (a.reasoning !== undefined || b.reasoning !== undefined) {
    sum.reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  }
  return sum;
}

/** A token count from the wire: vendors send null, omit it, or (some proxies) send strings. */
export function tokenCount(value: unknown): number {
  const count = Number(value);
  return Number.isFinite(count) && count > 0 ? Math.trunc(count) : 0;
}
