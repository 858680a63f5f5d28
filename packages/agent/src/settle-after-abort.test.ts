import { describe, expect, test } from "bun:test";
import { abortableSleep, NotSettled, settleAfterAbort } from "./settle-after-abort.ts";

const LONG_MS = 60_000;
const never = new Promise<never>(() => {});

describe("work that an abort may end", () => {
  test("has its own outcome where there is no abort, however long it takes", async () => {
    const { signal } = new AbortController();
    expect(
      await settleAfterAbort(
        Bun.sleep(20).then(() => 7),
        signal,
        1,
      ),
    ).toBe(7);
    const failing = Bun.sleep(5).then(() => Promise.reject(new Error("own")));
    expect(await settleAfterAbort(failing, signal, 1).catch((error: Error) => error.message)).toBe(
      "own",
    );
  });

  test("has its own outcome where it comes within the grace", async () => {
    const abort = new AbortController();
    const work = Bun.sleep(10).then(() => 7);
    const settling = settleAfterAbort(work, abort.signal, LONG_MS);
    abort.abort();
    expect(await settling).toBe(7);
    expect(
      await settleAfterAbort(
        Bun.sleep(5).then(() => 8),
        abort.signal,
        LONG_MS,
      ),
    ).toBe(8);
  });

  test("is left behind after the grace, and may fail later unheard", async () => {
    const abort = new AbortController();
    const late = Bun.sleep(30).then(() => Promise.reject(new Error("late")));
    const settling = settleAfterAbort(late, abort.signal, 5);
    abort.abort();
    const error = await settling.catch((error: unknown) => error);
    expect(error).toBeInstanceOf(NotSettled);
    expect((error as Error).message).toBe("still busy 5 ms after the abort");
    const aborted = await settleAfterAbort(never, abort.signal, 5).catch((error: unknown) => error);
    expect(aborted).toBeInstanceOf(NotSettled);
    await Bun.sleep(40);
  });

  test("leaves neither a listener nor a timer behind", async () => {
    for (const work of [() => Promise.resolve(1), () => Promise.reject(new Error("own"))]) {
      const removed: string[] = [];
      const abort = new AbortController();
      const { signal } = abort;
      const remove = signal.removeEventListener.bind(signal);
      signal.removeEventListener = (...args: Parameters<typeof remove>) => {
        removed.push(args[0]);
        remove(...args);
      };
      await settleAfterAbort(work(), signal, LONG_MS).catch(() => undefined);
      expect(removed).toEqual(["abort"]);
    }
  });

  test("that ended in the grace keeps no process from ending", async () => {
    const script = `
      import { settleAfterAbort } from ${JSON.stringify(`${import.meta.dir}/settle-after-abort.ts`)};
      const abort = new AbortController();
      const work = Bun.sleep(5);
      const failing = Bun.sleep(5).then(() => { throw new Error("own"); });
      const both = [work, failing].map((one) => settleAfterAbort(one, abort.signal, ${LONG_MS}));
      abort.abort();
      await Promise.allSettled(both);
    `;
    const child = Bun.spawn([process.execPath, "-e", script], { timeout: 4000 });
    expect(await child.exited).toBe(0);
  });
});

describe("a sleep", () => {
  test("lasts its time", async () => {
    const before = performance.now();
    await abortableSleep(20, new AbortController().signal);
    expect(performance.now() - before).toBeGreaterThan(18);
  });

  test("ends with the signal, or is none where that has ended; nothing is left behind", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 5);
    const sleeping = abortableSleep(LONG_MS, abort.signal);
    await sleeping;
    const none = abortableSleep(LONG_MS, abort.signal);
    expect(none).toBeInstanceOf(Promise);
    await none;
    const script = `
      import { abortableSleep } from ${JSON.stringify(`${import.meta.dir}/settle-after-abort.ts`)};
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 5);
      await abortableSleep(${LONG_MS}, abort.signal);
    `;
    const child = Bun.spawn([process.execPath, "-e", script], { timeout: 4000 });
    expect(await child.exited).toBe(0);
  });

  test("lets go of the signal when it is over", async () => {
    const { signal } = new AbortController();
    const removed: string[] = [];
    const remove = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      removed.push(args[0]);
      remove(...args);
    };
    await abortableSleep(1, signal);
    expect(removed).toEqual(["abort"]);
  });
});
