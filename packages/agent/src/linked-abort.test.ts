import { expect, test } from "bun:test";
import { LinkedAbort } from "./linked-abort.ts";

test("ends with its parent, for the same reason", () => {
  const parent = new AbortController();
  using link = new LinkedAbort(parent.signal);
  expect(link.signal.aborted).toBe(false);
  parent.abort("enough");
  expect([link.signal.aborted, link.signal.reason]).toEqual([true, "enough"]);
});

test("has ended where its parent has", () => {
  using link = new LinkedAbort(AbortSignal.abort("before"));
  expect([link.signal.aborted, link.signal.reason]).toEqual([true, "before"]);
});

test("ends on its own, and its parent goes on", () => {
  const parent = new AbortController();
  using link = new LinkedAbort(parent.signal);
  link.abort("mine");
  expect([link.signal.aborted, link.signal.reason]).toEqual([true, "mine"]);
  expect(parent.signal.aborted).toBe(false);
});

test("lets go of its parent when it is disposed of", () => {
  const parent = new AbortController();
  const link = new LinkedAbort(parent.signal);
  link[Symbol.dispose]();
  parent.abort();
  expect(link.signal.aborted).toBe(false);
});

test("of several parents the first to end counts, and it lets go of them all", () => {
  const [one, two] = [new AbortController(), new AbortController()];
  using link = new LinkedAbort(one.signal, two.signal);
  two.abort("second");
  one.abort("first, too late");
  expect([link.signal.aborted, link.signal.reason]).toEqual([true, "second"]);
  using before = new LinkedAbort(new AbortController().signal, AbortSignal.abort("before"));
  expect([before.signal.aborted, before.signal.reason]).toEqual([true, "before"]);
  const parents = [new AbortController(), new AbortController()];
  const gone = new LinkedAbort(...parents.map(({ signal }) => signal));
  gone[Symbol.dispose]();
  for (const parent of parents) parent.abort();
  expect(gone.signal.aborted).toBe(false);
});
