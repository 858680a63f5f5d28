import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { describeRecovery } from "./describe-recovery.ts";

const waiting = {
  type: "auto_retry_start",
  attempt: 1,
  action: "wait",
  delayMs: 4000,
  failure: modelFailure("overloaded", "Too busy.", { provider: "acme" }),
  model: "acme/m",
} as const;

test("what is waited for is said, with what it is for if it is not the conversation", () => {
  expect(describeRecovery(waiting)).toBe("acme: Too busy; retrying in 4 s");
  const summary = { ...waiting, purpose: "branch_summary" };
  expect(describeRecovery(summary)).toBe("branch summary: acme: Too busy; retrying in 4 s");
  const fallback = { ...waiting, action: "fallback", delayMs: 0, purpose: "compaction" } as const;
  expect(describeRecovery(fallback)).toBe("compaction: acme: Too busy; continuing with acme/m");
});

test("what nobody waits for is not told", () => {
  expect(describeRecovery({ ...waiting, purpose: "title", isQuiet: true })).toBeUndefined();
  expect(describeRecovery({ ...waiting, delayMs: 999 })).toBeUndefined();
  expect(describeRecovery({ type: "auto_retry_end", success: false, attempts: 2 })).toBeUndefined();
});
