// A denial for a tool that does not exist asks about everything, unless somebody brings the tool.

import { expect, test } from "bun:test";
import { parseRule } from "./approval-rule.ts";
import { decide } from "./decide.ts";

test("a denial for a tool that another feature brings is not lost", () => {
  const lost = [
    { problem: { file: "x", message: "no", severity: "error" as const }, unlessTool: "task" },
  ];
  const consent = { mode: "auto", policies: {}, rules: [parseRule("deny task")!], lost } as const;
  const call = { tier: "read", subjects: ["x"] } as const;
  expect(decide("bash", call, consent).type).toBe("ask");
  expect(decide("bash", call, { ...consent, tools: ["task"] }).type).toBe("allow");
  expect(decide("task", call, { ...consent, tools: ["task"] }).type).toBe("block");
});
