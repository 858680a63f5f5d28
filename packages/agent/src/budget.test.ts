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
