// Timing of whole processes. Everything is measured in interleaved rounds, so that a busy
// moment of the machine falls on all subjects alike; figures are medians.

export interface ProcessSample {
  ms: number;
  peakBytes: number;
}

export async function timeProcess(
  command: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined> },
): Promise<ProcessSample> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    ...options,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  const code = await child.exited;
  const ms = performance.now() - started;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}`);
  return { ms, peakBytes: child.resourceUsage()?.maxRSS ?? 0 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
