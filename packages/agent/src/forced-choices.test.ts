import { expect, test } from "bun:test";
import { ForcedChoices } from "./forced-choices.ts";

test("first in, first used, each once; what is cleared is not used", () => {
  const choices = new ForcedChoices();
  expect(choices.take()).toBeUndefined();
  choices.push({ name: "a" });
  choices.push("required");
  expect(choices.size).toBe(2);
  expect(choices.take()).toEqual({ name: "a" });
  expect(choices.take()).toBe("required");
  expect(choices.size).toBe(0);
  choices.push({ name: "b" });
  choices.clear();
  expect(choices.take()).toBeUndefined();
});
