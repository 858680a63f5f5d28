import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import type { RecoveryEvent } from "./event.ts";
import { RetrySeries, type RetrySeriesOptions } from "./retry-series.ts";

const step = (delayMs: number) => ({
  action: "wait" as const,
  delayMs,
  failure: modelFailure("overloaded", "busy"),
  model: "a/m",
});

function setUp(options: Partial<RetrySeriesOptions> = {}) {
  const abort = new AbortController();
  const events: RecoveryEvent[] = [];
  const emit = (event: RecoveryEvent): void => void events.push(event);
  return { abort, events, series: new RetrySeries({ emit, signal: abort.signal, ...options }) };
}

test("each attempt is told before it is waited for, and the end once", async () => {
  const { series, events } = setUp();
  const started = performance.now();
  const waiting = series.wait(step(20));
  expect(events).toEqual([{ type: "auto_retry_start", attempt: 1, ...step(20) }]);
  expect(await waiting).toBe(true);
  expect(performance.now() - started).toBeGreaterThan(15);
  await series.wait(step(0));
  series.end({ success: true });
  series.end({ success: false });
  expect(events.slice(1)).toEqual([
    { type: "auto_retry_start", attempt: 2, ...step(0) },
    { type: "auto_retry_end", success: true, attempts: 2 },
  ]);
});

test("a first attempt that was enough is nobody's news", () => {
  const { series, events } = setUp();
  series.end({ success: true });
  expect(events).toEqual([]);
});

test("an abort ends the wait at once", async () => {
  const { series, abort } = setUp();
  const waiting = series.wait(step(200_000));
  abort.abort();
  expect(await waiting).toBe(false);
  expect(await series.wait(step(0))).toBe(false);
});

test("what it is for is said, and whether anybody waits", async () => {
  const { series, events } = setUp({ purpose: "title", isQuiet: true });
  await series.wait(step(0));
  series.end({ success: false });
  expect(events).toMatchObject([
    { attempt: 1, purpose: "title", isQuiet: true },
    { success: false, purpose: "title", isQuiet: true },
  ]);
});

test("a purpose that somebody waits for is not quiet; what has none says nothing of either", async () => {
  const watched = setUp({ purpose: "compaction" });
  await watched.series.wait(step(0));
  expect("isQuiet" in watched.events[0]!).toBe(false);
  expect(watched.events[0]).toMatchObject({ purpose: "compaction" });
  const own = setUp({ isQuiet: true });
  await own.series.wait(step(0));
  expect(own.events[0]).toEqual({ type: "auto_retry_start", attempt: 1, ...step(0) });
});
