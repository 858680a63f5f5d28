import { expect, test } from "bun:test";
import fc from "fast-check";
import { keepRun, MAX_DETAILS_CHARACTERS } from "./keep-details.ts";

const asIs = <T>(value: T): T => value;

test("details are kept as they come back from the log, without secrets", () => {
  const details = { count: 3, none: undefined, when: new Date(0), path: "/secret/x" };
  const hide = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll("secret", "#1#")) as T;
  expect(keepRun({ wasRun: true, durationMs: 5, details, artifactId: "2" }, hide)).toEqual({
    wasRun: true,
    durationMs: 5,
    artifactId: "2",
    details: { count: 3, when: "1970-01-01T00:00:00.000Z", path: "/#1#/x" },
  });
  expect(keepRun({ wasRun: false }, asIs)).toEqual({ wasRun: false });
});

test("what is too large is left out part by part, the largest first, and named", () => {
  const large = "x".repeat(MAX_DETAILS_CHARACTERS);
  expect(keepRun({ wasRun: true, details: { lines: 3, diff: large } }, asIs)).toEqual({
    wasRun: true,
    details: { lines: 3 },
    omitted: ["diff"],
  });
  expect(keepRun({ wasRun: true, details: [large] }, asIs)).toEqual({
    wasRun: true,
    details: undefined,
    omitted: ["details"],
  });
});

test("what cannot be written down is said to be left out", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  for (const details of [circle, { big: 1n }]) {
    expect(keepRun({ wasRun: true, details }, asIs)).toEqual({
      wasRun: true,
      omitted: ["details"],
    });
  }
});

test("whatever they are, details are bounded, and all that is missing is named", () => {
  const part = fc.oneof(
    fc.jsonValue(),
    fc.integer({ min: 0, max: 2 * MAX_DETAILS_CHARACTERS }).map((length) => "y".repeat(length)),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), part), (details) => {
      const { details: kept, omitted = [] } = keepRun({ wasRun: true, details }, asIs);
      // Braces, quotes and commas come on top of the parts.
      const most = MAX_DETAILS_CHARACTERS + 16 * Object.keys(details).length + 2;
      expect(JSON.stringify(kept).length).toBeLessThanOrEqual(most);
      const left = Object.fromEntries(
        Object.entries(details).filter(([name]) => !omitted.includes(name)),
      );
      expect(kept).toEqual(JSON.parse(JSON.stringify(left)));
    }),
    { numRuns: 60 },
  );
});
