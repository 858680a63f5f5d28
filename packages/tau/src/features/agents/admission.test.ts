// Who may work: by number at each depth, by memory, in order.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { Admission, type MemoryProbe, type Slot } from "./admission.ts";

const MB = 1024 * 1024;
const { signal } = new AbortController();
const plenty: MemoryProbe = { used: () => 100 * MB, available: () => 100_000 * MB };

test("as many as the limit at each depth, and the others in their order", async () => {
  const admission = new Admission(() => 2, plenty);
  const entered: string[] = [];
  const enter = async (name: string, depth: number): Promise<Slot> => {
    const slot = await admission.enter(depth, signal);
    entered.push(name);
    return slot;
  };
  const [a] = [enter("a", 1), enter("b", 1), enter("c", 1), enter("d", 1), enter("deep", 2)];
  await Bun.sleep(0);
  // One that waits for those it has started does not keep them from starting.
  expect(entered).toEqual(["a", "b", "deep"]);
  expect(admission.waiting).toBe(2);
  expect(admission.tryEnter(1)).toBeUndefined();
  (await a)[Symbol.dispose]();
  (await a)[Symbol.dispose]();
  await Bun.sleep(0);
  expect(entered).toEqual(["a", "b", "deep", "c"]);
});

test("no more than there is memory for, by what agents have taken; but always one", async () => {
  let used = 100 * MB;
  let available = 200 * MB;
  const admission = new Admission(() => 0, { used: () => used, available: () => available });
  const first = admission.tryEnter(1);
  expect(first).toBeDefined();
  expect(admission.tryEnter(1)).toBeUndefined();
  available = 1000 * MB;
  expect(admission.tryEnter(1)).toBeDefined();
  // Two have taken 800 MB: a third would take 400, and there are not 400 beyond the reserve.
  used = 900 * MB;
  available = 600 * MB;
  expect(admission.tryEnter(1)).toBeUndefined();
  available = 700 * MB;
  expect(admission.tryEnter(1)).toBeDefined();
});

test("memory that comes back lets the next one in, without anybody saying so", async () => {
  let available = 0;
  const admission = new Admission(() => 0, { used: () => 0, available: () => available });
  admission.tryEnter(1);
  const second = admission.enter(1, signal);
  available = 1000 * MB;
  expect((await second).depth).toBe(1);
});

test("who stops waiting is out of the queue", async () => {
  const admission = new Admission(() => 1, plenty);
  const first = admission.tryEnter(1)!;
  const controller = new AbortController();
  const second = admission.enter(1, controller.signal);
  const third = admission.enter(1, signal);
  controller.abort(new Error("stopped"));
  await expect(second).rejects.toThrow("stopped");
  first[Symbol.dispose]();
  expect((await third).depth).toBe(1);
});

test("however they come and go, never more than the limit, and everybody gets in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 30 }),
      async (limit, depths) => {
        const admission = new Admission(() => limit, plenty);
        const inside = new Map<number, number>();
        const work = async (depth: number): Promise<void> => {
          using _slot = await admission.enter(depth, signal);
          inside.set(depth, (inside.get(depth) ?? 0) + 1);
          expect(inside.get(depth)!).toBeLessThanOrEqual(limit);
          await Promise.resolve();
          inside.set(depth, inside.get(depth)! - 1);
        };
        await Promise.all(depths.map(work));
        expect(admission.working).toBe(0);
      },
    ),
  );
});
