import { expect, test } from "bun:test";
import { resolveRole, roleOf } from "./roles.ts";

test("a role names a model, directly or through another role", () => {
  const table = {
    default: "anthropic/opus:high",
    smol: "openai/mini",
    task: "tau/smol",
    plan: "pi/default",
  };
  expect(resolveRole("smol", table)).toEqual({ kind: "selector", selector: "openai/mini" });
  expect(resolveRole("task", table)).toEqual({ kind: "selector", selector: "openai/mini" });
  expect(resolveRole("plan", table)).toEqual({ kind: "selector", selector: "anthropic/opus:high" });
});

test("the level nearest to the one who asks wins", () => {
  const table = { default: "anthropic/opus:high", plan: "tau/default:low", slow: "tau/plan:xhigh" };
  expect(resolveRole("plan", table)).toEqual({
    kind: "selector",
    selector: "anthropic/opus",
    thinking: "low",
  });
  expect(resolveRole("slow", table)).toMatchObject({ thinking: "xhigh" });
});

test("an unset role and a cycle are told apart", () => {
  expect(resolveRole("vision", {})).toEqual({ kind: "unset", role: "vision" });
  expect(resolveRole("task", { task: "tau/vision" })).toEqual({ kind: "unset", role: "vision" });
  expect(resolveRole("smol", { smol: "tau/slow", slow: "tau/smol" })).toEqual({
    kind: "cycle",
    roles: ["smol", "slow", "smol"],
  });
});

test("only known roles are roles: tau/demo is a model", () => {
  expect(roleOf("tau/demo", {})).toBeUndefined();
  expect(roleOf("tau/smol:low", {})).toBe("smol");
  expect(roleOf("tau/mine", { mine: "a/b" })).toBe("mine");
  expect(roleOf("anthropic/smol", {})).toBeUndefined();
});
