// What is the user's to mend is told without names from inside.

import { expect, test } from "bun:test";
import { UserError } from "../../user-error.ts";
import { describeHookError } from "./describe-hook-error.ts";

test("a sentence for the user stands alone; everything else says who failed", () => {
  const event = { type: "hook_error", behaviour: "approval", hook: "tool_call" } as const;
  const plain = describeHookError({ ...event, error: new UserError("Mend it first.") });
  expect(plain).toEqual({ text: "Mend it first.", tone: "warning" });
  const bug = describeHookError({ ...event, error: new TypeError("x") });
  expect(bug).toEqual({ text: "approval failed at tool_call: TypeError: x", tone: "error" });
});

test("what has no words is told all the same", () => {
  const event = { type: "hook_error", behaviour: "odd", hook: "input" } as const;
  expect(describeHookError({ ...event, error: Object.create(null) }).text).toContain("odd failed");
});
