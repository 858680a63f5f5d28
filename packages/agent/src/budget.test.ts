import { expect, test } from "bun:test";
import { FREE } from "@tau/ai/model";
import fc from "fast-check";
import { Budget, costOf, type BudgetLimits } from "./budget.ts";
import { echo, model, run } from "./test/scripted-run.ts";

const usage = (tokens: number) => ({ input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 });

test("a run ends before the call that its budget does not allow, and names the limit", async () => {
  const replies = ["a", "b", "c", "d"].map((word) => ({ toolCalls: [echo(word)] }));
  const calls = await run(replies, { budget: new Budget({ requests: 2 }) });
  expect(calls.end).toEqual({ reason: "limit", kind: "requests", limit: "2 model calls" });
  expect(calls.requests).toHaveLength(2);
  // Every scripted reply counts 15 tokens.
  const tokens = await run(replies, { budget: new Budget({ tokens: 40 }) });
  expect(tokens.end).toEqual({ reason: "limit", kind: "tokens", limit: "40 tokens" });
  expect(tokens.requests).toHaveLength(3);
  const priced = { ...model, cost: { ...FREE, input: 100_000 } };
  const money = await run(replies, {
    request: { model: priced, system: [], stream: true },
    budget: new Budget({ costUsd: 1.5 }),
  });
  expect(money.end).toEqual({ reason: "limit", kind: "cost", limit: "$1.5" });
  expect(money.requests).toHaveLength(2);
});

test("time counts from the budget's beginning", async () => {
  let now = 0;
  const budget = new Budget({ wallClockMs: 5000 }, { now: () => now });
  expect(budget.refusal()).toBeUndefined();
  now = 5000;
  expect(budget.child().refusal()).toEqual({ kind: "time", limit: "5 s" });
});

test("cost is by price for each kind of token", () => {
  const cost = { input: 1, output: 2, cacheRead: 4, cacheWrite: 8 };
  const spent = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 };
  expect(costOf(spent, cost)).toBe(15);
});

test("amounts and their sums are told to a billionth of a dollar, without the noise of the arithmetic", () => {
  const tokens = fc.record({
    input: fc.nat(1e6),
    output: fc.nat(1e5),
    cacheRead: fc.nat(1e6),
    cacheWrite: fc.nat(1e5),
  });
  const cost = { input: 0.1, output: 0.7, cacheRead: 0.03, cacheWrite: 1.1 };
  fc.assert(
    fc.property(fc.array(tokens, { minLength: 1, maxLength: 20 }), (calls) => {
      const budget = new Budget({});
      for (const call of calls) budget.spend(call, cost);
      for (const amount of [budget.spent.costUsd, ...calls.map((call) => costOf(call, cost))]) {
        expect(Number(amount.toFixed(9))).toBe(amount);
      }
    }),
  );
});

test("what was spent is told, with what the runs below have spent", () => {
  let now = 100;
  const root = new Budget({}, { now: () => now });
  const child = root.child();
  const cost = { input: 1, output: 2, cacheRead: 4, cacheWrite: 8 };
  const used = { input: 1e6, output: 1, cacheRead: 2, cacheWrite: 3 };
  expect(child.admit()).toBeUndefined();
  child.spend(used, cost);
  expect(root.admit()).toBeUndefined();
  now = 350;
  const costUsd = costOf(used, cost);
  expect(child.spent).toEqual({ requests: 1, tokens: 1e6 + 6, costUsd, wallClockMs: 250 });
  expect(root.spent).toEqual({ requests: 2, tokens: 1e6 + 6, costUsd, wallClockMs: 250 });
});

test("each limit refuses when it is reached, not before, and what is refused is not counted", () => {
  const requests = new Budget({ requests: 1 });
  expect(requests.admit()).toBeUndefined();
  expect(requests.admit()).toEqual({ kind: "requests", limit: "1 model calls" });
  expect(requests.spent.requests).toBe(1);
  const tokens = new Budget({ tokens: 10 });
  tokens.spend(usage(9), FREE);
  expect(tokens.refusal()).toBeUndefined();
  tokens.spend(usage(1), FREE);
  expect(tokens.refusal()).toEqual({ kind: "tokens", limit: "10 tokens" });
  const money = new Budget({ costUsd: 2 });
  money.spend(usage(1e6), { ...FREE, input: 1 });
  expect(money.refusal()).toBeUndefined();
  money.spend(usage(1e6), { ...FREE, input: 1 });
  expect(money.refusal()).toEqual({ kind: "cost", limit: "$2" });
  expect(new Budget({ requests: 0 }).refusal()).toEqual({
    kind: "requests",
    limit: "0 model calls",
  });
});

test("a run is refused by its own budget and by those above it", () => {
  const root = new Budget({ requests: 2 });
  const [one, other] = [root.child({ requests: 1 }), root.child()];
  expect(one.admit()).toBeUndefined();
  expect(one.admit()).toEqual({ kind: "requests", limit: "1 model calls" });
  expect(other.admit()).toBeUndefined();
  expect(other.admit()).toEqual({ kind: "requests", limit: "2 model calls" });
  expect(root.spent.requests).toBe(2);
});

test("time is the clock's where nobody brings another", async () => {
  const budget = new Budget({ wallClockMs: 5 });
  expect(budget.refusal()).toBeUndefined();
  await Bun.sleep(10);
  expect(budget.refusal()).toEqual({ kind: "time", limit: "0.005 s" });
});

test("a tree of runs never asks more often than its budget allows", () => {
  const limits: fc.Arbitrary<BudgetLimits> = fc.record(
    { requests: fc.nat(6), tokens: fc.nat(200) },
    { requiredKeys: [] },
  );
  const calls = fc.array(fc.record({ node: fc.nat(3), tokens: fc.nat(60) }), { maxLength: 40 });
  fc.assert(
    fc.property(limits, limits, calls, (rootLimits, childLimits, calls) => {
      const root = new Budget(rootLimits);
      const child = root.child(childLimits);
      const nodes = [root, child, child.child(), root.child(childLimits)];
      let largest = 0;
      for (const { node, tokens } of calls) {
        if (nodes[node]!.admit()) continue;
        nodes[node]!.spend(usage(tokens), FREE);
        largest = Math.max(largest, tokens);
      }
      for (const [budget, { requests, tokens }] of [
        [root, rootLimits],
        [child, childLimits],
      ] as const) {
        if (requests !== undefined) expect(budget.spent.requests).toBeLessThanOrEqual(requests);
        if (tokens !== undefined) expect(budget.spent.tokens).toBeLessThan(tokens + largest + 1);
      }
      const sum = root.spent.requests;
      expect(sum).toBeGreaterThanOrEqual(child.spent.requests);
    }),
  );
});
