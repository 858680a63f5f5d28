import { expect, test } from "bun:test";
import fc from "fast-check";
import { unifiedDiff } from "../compact-diff.ts";
import { PatchError } from "../patch-error.ts";
import { parseUnifiedDiff } from "./parse-unified-diff.ts";
import { type DiffOptions, planUnifiedDiff } from "./plan-unified-diff.ts";

const FILES: Record<string, string> = {
  "a.ts": "a\nb\nc\nx\nb\nc\n",
  "crlf.ts": "a\r\nb\r\nc",
  "empty.ts": "",
};
const load = (path: string) => FILES[path];

async function outcome(input: string, options?: DiffOptions): Promise<string> {
  const plan = await planUnifiedDiff(input, load, options);
  if (plan.kind === "refused") return plan.failures.map(({ code }) => code).join(" ");
  return plan.files.map((file) => (file.kind === "delete" ? "deleted" : file.after)).join("|");
}

const A = "--- a/a.ts\n+++ b/a.ts\n";

test("hunks land by their lines; numbers only decide between equal places", async () => {
  const table: [string, string][] = [
    [`${A}@@ -1,2 +1,2 @@\n a\n-b\n+B\n`, "a\nB\nc\nx\nb\nc\n"],
    [`${A}@@ -40,2 +40,2 @@\n a\n-b\n+B\n`, "a\nB\nc\nx\nb\nc\n"],
    [`${A}@@\n a\n-b\n+B\n`, "a\nB\nc\nx\nb\nc\n"],
    [`${A}@@ ... @@\n a\n-b\n+B\n`, "a\nB\nc\nx\nb\nc\n"],
    [`${A}@@ -2,1 +2,1 @@\n-b\n+B\n`, "a\nB\nc\nx\nb\nc\n"],
    [`${A}@@ -5,1 +5,1 @@\n-b\n+B\n`, "a\nb\nc\nx\nB\nc\n"],
    [`${A}@@ -3,1 +3,1 @@\n-b\n+B\n`, "ambiguous_match"],
    [`${A}@@\n-b\n+B\n`, "ambiguous_match"],
    [`${A}@@\n x\n+y\n@@\n-b\n+B\n`, "a\nb\nc\nx\ny\nB\nc\n"],
    [`${A}@@\n a\nb\n-c\n+C\n`, "a\nb\nC\nx\nb\nc\n"],
    [`${A}@@\n-zzz\n+B\n`, "not_found"],
    [`${A}@@\n+B\n`, "not_found"],
    [`${A}@@\n a\n b\n`, "empty_body"],
    [`${A}@@\n a\n-b\n+b\n`, "no_change"],
    [`${A}@@ -0,0 +1,1 @@\n+first\n`, "first\na\nb\nc\nx\nb\nc\n"],
  ];
  for (const [input, expected] of table)
    expect([input, await outcome(input)]).toEqual([input, expected]);
});

test("files are named by the diff or by the caller, made and deleted", async () => {
  expect(await outcome("@@\n a\n-b\n+B\n", { path: "a.ts" })).toBe("a\nB\nc\nx\nb\nc\n");
  expect(await outcome("@@\n a\n-b\n+B\n")).toBe("missing_header");
  expect(await outcome("--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n")).toBe(
    "one\ntwo\n",
  );
  expect(await outcome("--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+one\n")).toBe("file_exists");
  const whole = FILES["a.ts"]!.trimEnd()
    .split("\n")
    .map((line) => `-${line}`)
    .join("\n");
  expect(await outcome(`--- a/a.ts\n+++ /dev/null\n@@ -1,6 +0,0 @@\n${whole}\n`)).toBe("deleted");
  expect(await outcome("--- a/a.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n")).toBe("not_found");
  expect(await outcome("--- a/none\n+++ b/none\n@@\n-a\n")).toBe("missing_file");
  expect(await outcome("--- a/empty.ts\n+++ b/empty.ts\n@@ -0,0 +1 @@\n+x\n")).toBe("x\n");
  expect(await outcome(`${A}@@\n a\n-b\n+B\n${A}@@\n x\n+y\n`)).toBe("overlap");
  expect(await outcome("")).toBe("empty_patch");
  expect(await outcome("hello\n")).toBe("stray_row");
  expect(await outcome(A)).toBe("empty_section");
});

test("headers of git, a missing line end and a rename", async () => {
  const input =
    "diff --git a/crlf.ts b/new.ts\nsimilarity index 90%\nrename from crlf.ts\nrename to new.ts\n--- a/crlf.ts\n+++ b/new.ts\n@@ -1,3 +1,3 @@\n a\n b\n-c\n\\ No newline at end of file\n+d\n\\ No newline at end of file\n";
  const plan = await planUnifiedDiff(input, load);
  expect(plan).toMatchObject({
    kind: "planned",
    files: [{ kind: "update", path: "crlf.ts", moveTo: "new.ts", after: "a\r\nb\r\nd" }],
  });
});

test("a diff of two texts gives the second, wherever its numbers point", async () => {
  const lines = fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 6 }), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(), fc.nat(), fc.nat(99), async (base, at, count, offset) => {
      const isBare = [at % 2 === 1, count % 2 === 1];
      // A control character may be a line end to somebody; rows of a diff are lines to all.
      const old = base.map((line, index) => `${index} ${line.replaceAll(/[\r\n]/g, "")}`);
      const made = old.toSpliced(at % old.length, 1 + (count % 3), "new line", "--- other");
      const [before, after] = [old, made].map(
        (all, side) => all.join("\n") + (isBare[side] ? "" : "\n"),
      );
      const diff = unifiedDiff("f", before!, after!).replaceAll(/^@@ -\d+,/gm, `@@ -${offset},`);
      const plan = await planUnifiedDiff(diff, () => before);
      expect(plan).toMatchObject({ kind: "planned", files: [{ after }] });
    }),
  );
});

test("no input makes the parser throw anything but a refusal", () => {
  const fragment = fc.constantFrom(
    "--- a/x\n",
    "+++ b/x\n",
    "--- /dev/null\n",
    "@@ -1,2 +3,4 @@\n",
    "@@\n",
    "+a\n",
    "-b\n",
    " c\n",
    "\n",
    "diff --git\n",
    "\\ No newline\n",
    "```\n",
    "\r",
  );
  const input = fc.oneof(
    fc.array(fragment).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(input, (text) => {
      try {
        expect(parseUnifiedDiff(text).files).not.toBeEmpty();
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
      }
    }),
    { numRuns: 2000 },
  );
});
