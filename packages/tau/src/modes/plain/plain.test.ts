import { expect, test } from "bun:test";
import { sampleQuestion } from "../interactive/screens/test/sample-question.ts";
import { meaningOf } from "./ask-approval.ts";
import { TypeAhead } from "./type-ahead.ts";

test("where there is danger only whole words say yes, and nothing at all is no", () => {
  const guarded = sampleQuestion({ danger: "guarded", rules: "some" });
  const harmless = sampleQuestion({ danger: "none", rules: "some" });
  const meanings = (question: typeof guarded) =>
    ["", "n", "no", "y", "yes", "s", "session", "a", "always", "ok", "ye"].map((word) => [
      word,
      meaningOf(word, question),
    ]);
  const either = { "": "no", n: "no", no: "no", yes: "once", session: "session", always: "always" };
  const words = { ok: "unclear", ye: "unclear" };
  expect(Object.fromEntries(meanings(guarded))).toEqual({
    ...either,
    ...words,
    y: "unclear",
    s: "unclear",
    a: "unclear",
  });
  expect(Object.fromEntries(meanings(harmless))).toEqual({
    ...either,
    ...words,
    y: "once",
    s: "session",
    a: "always",
  });
  expect(meaningOf(undefined, harmless)).toBe("no");
  const onlyOnce = sampleQuestion({ danger: "none", rules: "none" });
  expect(meaningOf("always", onlyOnce)).toBe("unclear");
  expect(meaningOf("session", onlyOnce)).toBe("unclear");
});

test("what was typed ahead is kept as it stood: whole lines, and the rest", () => {
  const typeAhead = new TypeAhead();
  typeAhead.add("yes\r\n\ral");
  typeAhead.add("wx\u007fays\ngone\u0015\u001b[Athe rest");
  expect(typeAhead.words).toBe("yes / always / the rest");
  expect([typeAhead.takeLine(), typeAhead.takeLine(), typeAhead.takeLine()]).toEqual([
    "yes",
    "always",
    undefined,
  ]);
  expect(typeAhead.takeRest()).toBe("the rest");
  expect(typeAhead.words).toBe("");
});
