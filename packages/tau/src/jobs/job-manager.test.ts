// Jobs end once, and are told of once: to whoever asks, or by themselves.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { JobFailed, type JobSnapshot } from "./job.ts";
import { DEFAULT_JOB_SETTINGS } from "./settings.ts";
import { JobManager, TooManyJobs } from "./job-manager.ts";

function open(options: { maxRunning?: number; retentionMs?: number } = {}) {
  const delivered: JobSnapshot[] = [];
  const { maxRunning = 10, retentionMs } = options;
  const settings = { ...DEFAULT_JOB_SETTINGS, maxJobs: maxRunning };
  const jobs = new JobManager({ settings, retentionMs });
  jobs.onEnd = (job) => void delivered.push(job);
  return { jobs, delivered, [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose]() };
}

function controlled() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, resolve, reject };
}

const { signal } = new AbortController();
const soon = () => Bun.sleep(0);

test("one that ends while nobody asks is told of once, and not again when asked", async () => {
  await using m = open();
  const one = controlled();
  const { id } = m.jobs.start("bash", "build", one.work);
  expect(m.jobs.get(id)).toMatchObject({ status: "running", label: "build" });
  one.resolve("fine");
  await soon();
  expect(m.delivered).toMatchObject([{ id, status: "completed", resultText: "fine" }]);
  expect(m.jobs.report([id])).toMatchObject([{ status: "completed" }]);
  await soon();
  expect(m.delivered).toHaveLength(1);
});

test("waiting returns with the faster of two; what was waited for is not told again", async () => {
  await using m = open();
  const slow = controlled();
  const fast = controlled();
  const a = m.jobs.start("bash", "slow", slow.work);
  const b = m.jobs.start("task", "fast", fast.work);
  const waiting = m.jobs.waitForAny([a.id, b.id], { timeoutMs: 10_000, signal });
  fast.reject(new JobFailed("exit code 1"));
  await waiting;
  expect(m.jobs.report([a.id, b.id])).toMatchObject([
    { id: "bash-1", status: "running" },
    { id: "task-1", status: "failed", errorText: "exit code 1" },
  ]);
  slow.resolve("done");
  await soon();
  expect(m.delivered.map(({ id }) => id)).toEqual(["bash-1"]);
});

test("a wait that is over or stopped cancels nothing", async () => {
  await using m = open();
  const one = controlled();
  const { id } = m.jobs.start("bash", "x", one.work);
  await m.jobs.waitForAny([id], { timeoutMs: 5, signal });
  await m.jobs.waitForAny([id], { timeoutMs: 10_000, signal: AbortSignal.abort() });
  expect(m.jobs.get(id)).toMatchObject({ status: "running" });
  one.resolve("ok");
});

test("cancelling ends it, sticks, and is not told of", async () => {
  await using m = open();
  let aborted = false;
  const { id } = m.jobs.start("bash", "x", ({ signal: own }) => {
    own.addEventListener("abort", () => (aborted = true));
    return new Promise((resolve) => own.addEventListener("abort", () => resolve("late words")));
  });
  expect(m.jobs.cancel(id)).toBe("cancelled");
  expect(m.jobs.cancel(id)).toBe("already_completed");
  expect(m.jobs.cancel("bash-9")).toBe("not_found");
  await soon();
  expect(aborted).toBe(true);
  expect(m.jobs.get(id)).toMatchObject({ status: "cancelled", resultText: "late words" });
  expect(m.delivered).toEqual([]);
});

test("too many at once are refused; finished ones are forgotten after a while", async () => {
  await using m = open({ maxRunning: 1, retentionMs: 20 });
  const one = controlled();
  const { id } = m.jobs.start("bash", "x", one.work);
  expect(() => m.jobs.start("bash", "y", one.work)).toThrow(TooManyJobs);
  one.resolve("ok");
  await soon();
  expect(m.jobs.get(id)).toBeDefined();
  while (m.jobs.get(id)) await Bun.sleep(5);
  expect(m.jobs.list()).toEqual([]);
});

test("leaving ends everything and tells nobody", async () => {
  const m = open();
  let ended = 0;
  for (let at = 0; at < 3; at++) {
    m.jobs.start(
      "bash",
      "x",
      ({ signal: own }) =>
        new Promise((resolve) => own.addEventListener("abort", () => (ended++, resolve("")))),
    );
  }
  await m.jobs[Symbol.asyncDispose]();
  expect(ended).toBe(3);
  expect(m.delivered).toEqual([]);
});

test("however asking and ending interleave, each end is told exactly once", async () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant("end" as const), job: fc.nat(3) }),
    fc.record({
      type: fc.constant("wait" as const),
      jobs: fc.uniqueArray(fc.nat(3), { minLength: 1 }),
    }),
    fc.record({ type: fc.constant("stop" as const) }),
    fc.record({ type: fc.constant("tick" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await using m = open();
      const works = Array.from({ length: 4 }, controlled);
      const ids = works.map((work, at) => m.jobs.start("bash", `job ${at}`, work.work).id);
      const told: string[] = [];
      const ended = new Set<number>();
      const waits: Promise<void>[] = [];
      let controller = new AbortController();
      for (const one of steps) {
        if (one.type === "end") {
          ended.add(one.job);
          works[one.job]!.resolve("ok");
        } else if (one.type === "tick") await soon();
        else if (one.type === "stop") {
          controller.abort();
          controller = new AbortController();
        } else {
          const wanted = one.jobs.map((at) => ids[at]!);
          const before = new Set([...told, ...m.delivered.map(({ id }) => id)]);
          const running = wanted.filter((id) => m.jobs.get(id)!.status === "running");
          const waiting = m.jobs
            .waitForAny(running, { timeoutMs: 10_000, signal: controller.signal })
            .then(() => {
              for (const job of m.jobs.report(wanted)) {
                const isKnown = before.has(job.id) || told.includes(job.id);
                const wasDelivered = m.delivered.some(({ id }) => id === job.id);
                if (job.status !== "running" && !isKnown && !wasDelivered) told.push(job.id);
              }
            });
          if (running.length > 0) waits.push(waiting);
        }
      }
      controller.abort();
      for (const work of works) work.resolve("ok");
      await Promise.all(waits);
      await soon();
      await soon();
      const all = [...told, ...m.delivered.map(({ id }) => id)];
      expect(all.toSorted()).toEqual(ids.toSorted());
    }),
    { numRuns: 200 },
  );
});
