import { expect, test } from "bun:test";
import fc from "fast-check";
import { BoundedBest } from "./bounded-best.ts";

const ascending = (a: number, b: number): number => a - b;

test("keeps what a full sort would put first", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(20), (items, limit) => {
      const best = new BoundedBest(limit, ascending);
      for (const item of items) best.offer(item);
      expect(best.sorted()).toEqual(items.toSorted(ascending).slice(0, limit));
      expect(best.offered).toBe(items.length);
    }),
  );
});

test("absorbing another is offering all that it was offered", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), fc.nat(10), (own, more, limit) => {
      const best = new BoundedBest(limit, ascending);
      const other = new BoundedBest(limit, ascending);
      for (const item of own) best.offer(item);
      for (const item of more) other.offer(item);
      best.absorb(other);
      expect(best.sorted()).toEqual([...own, ...more].sort(ascending).slice(0, limit));
      expect(best.offered).toBe(own.length + more.length);
    }),
  );
});

test("forgets everything when cleared", () => {
  const best = new BoundedBest(3, ascending);
  best.offer(1);
  best.clear();
  expect([best.sorted(), best.offered]).toEqual([[], 0]);
});
