// What whoever resumes is told of consent that held for the session before.

import { expect, test } from "bun:test";
import { describeLost, readConsent } from "./session-consent.ts";

const NOW = { mode: "auto", rules: ["allow bash(ls)"] };

test("nothing if nothing was given, or it holds anyway", () => {
  for (const data of [undefined, null, 7, { rules: "x" }, { mode: "auto", rules: [7] }]) {
    expect(describeLost(readConsent(data), NOW)).toBeUndefined();
  }
  expect(describeLost(readConsent({ rules: ["allow bash(ls)"] }), NOW)).toBeUndefined();
});

test("the mode with the command that sets it, and the rules, the first few by name", () => {
  expect(describeLost(readConsent({ mode: "yolo", rules: [] }), NOW)).toBe(
    "approval is auto now; /approval yolo brings back the mode that this session had",
  );
  const rules = ["allow bash(make\n all)", "allow bash(make\n all)", "allow bash(ls)"];
  expect(describeLost(readConsent({ rules }), NOW)).toBe(
    'your answers "for this session" ended: bash(make all)',
  );
  const many = ["a", "b", "c", "d", "e"].map((name) => `allow write(${name})`);
  expect(describeLost(readConsent({ mode: "write", rules: many }), NOW)).toBe(
    "approval is auto now; /approval write brings back the mode that this session had; " +
      'your answers "for this session" ended: write(a), write(b), write(c) and 2 more',
  );
});
