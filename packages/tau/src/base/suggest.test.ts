import { expect, test } from "bun:test";
import { suggest } from "./suggest.ts";

test("suggests a slip, not a stranger", () => {
  const known = ["completions", "help", "--model"];
  expect(suggest("completoins", known)).toBe("completions");
  expect(suggest("--mdoel", known)).toBe("--model");
  expect(suggest("deploy", known)).toBeUndefined();
  expect(suggest("x", known)).toBeUndefined();
});
