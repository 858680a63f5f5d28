import { expect, test } from "bun:test";
import { describeIssues, type SchemaIssue } from "./schema-issue.ts";

const schema = {
  type: "object",
  properties: {
    path: { type: "string" },
    edits: { type: "array", items: { type: "object", properties: { at: { type: "number" } } } },
    none: { type: "object" },
  },
};

function lines(...issues: Partial<SchemaIssue>[]): string[] {
  const whole = issues.map((issue) => ({
    path: [],
    problem: "wrong" as const,
    expected: "a value",
    received: 1,
    ...issue,
  }));
  return describeIssues("tool", schema, whole).split("\n").slice(1);
}

test("a place is named as one would write it", () => {
  expect(lines({}, { path: ["path"] }, { path: ["edits", 0, "at"] }, { path: [0, "x"] })).toEqual([
    "- arguments: expected a value, received 1",
    "- path: expected a value, received 1",
    "- edits[0].at: expected a value, received 1",
    "- [0].x: expected a value, received 1",
  ]);
});

test("what is missing is described by its schema, where that says", () => {
  expect(
    lines({ path: ["path"], problem: "missing" }, { path: ["gone"], problem: "missing" }),
  ).toEqual(["- path: missing; expected a string", "- gone: missing; expected a value"]);
});

test("an unknown name is met with the one that was meant, or with all there are", () => {
  expect(
    lines(
      { path: ["paht"], problem: "unknown" },
      { path: ["something"], problem: "unknown" },
      { path: ["edits", 3, "att"], problem: "unknown" },
      { path: ["none", "x"], problem: "unknown" },
      { path: ["nowhere", "x"], problem: "unknown" },
    ),
  ).toEqual([
    '- paht: unknown parameter; did you mean "path"?',
    "- something: unknown parameter; the parameters are path, edits, none",
    '- edits[3].att: unknown parameter; did you mean "at"?',
    "- none.x: unknown parameter; there are no parameters",
    "- nowhere.x: unknown parameter; there are no parameters",
  ]);
});

test("a schema without names has none to offer", () => {
  const issue: SchemaIssue = { path: ["x"], problem: "unknown", expected: "", received: 1 };
  for (const properties of [null, "x", undefined, []]) {
    expect(describeIssues("tool", { properties }, [issue])).toEndWith("there are no parameters");
  }
});

test("a long value is shown in part, between whole characters; none is nothing", () => {
  expect(
    lines({ received: undefined }, { received: { a: [null] } }, { received: "x".repeat(58) }),
  ).toEqual([
    "- arguments: expected a value, received nothing",
    '- arguments: expected a value, received {"a":[null]}',
    `- arguments: expected a value, received "${"x".repeat(58)}"`,
  ]);
  const [cut, halved] = lines({ received: "x".repeat(59) }, { received: `${"x".repeat(58)}😀` });
  expect(cut).toEndWith(`received "${"x".repeat(59)}…`);
  expect(halved).toEndWith(`received "${"x".repeat(58)}\ufffd…`);
});

test("more than ten say nothing new, but how many there are", () => {
  const issues = Array.from({ length: 12 }, () => ({}));
  expect(lines(...issues)).toHaveLength(11);
  expect(lines(...issues).at(-1)).toBe("- and 2 more");
  expect(lines(...issues.slice(0, 10))).toHaveLength(10);
});
