import { expect, test } from "bun:test";
import fc from "fast-check";
import { PatchError } from "../patch-error.ts";
import type { PlannedFile } from "../planned-file.ts";
import { parseEnvelope } from "./parse-envelope.ts";
import { planApplyPatch } from "./plan-apply-patch.ts";

const CLASSES = `class A:
    def f(self):
        return 1

    def g(self):
        return 1


class B:
    def f(self):
        return 1
`;

const FILES: Record<string, string> = { "a.py": CLASSES, "b.txt": "one\r\ntwo\r\nthree" };
const load = (path: string) => FILES[path];

async function planned(input: string): Promise<PlannedFile[]> {
  const plan = await planApplyPatch(input, load);
  if (plan.kind === "refused") return expect.unreachable(plan.failures[0].message);
  return plan.files;
}

async function after(rows: string): Promise<string> {
  const [file] = await planned(`*** Begin Patch\n*** Update File: ${rows}\n*** End Patch\n`);
  return file!.kind === "update" ? file!.after : expect.unreachable(file!.kind);
}

async function codes(input: string): Promise<string[]> {
  const plan = await planApplyPatch(input, load);
  return plan.kind === "refused" ? plan.failures.map(({ code }) => code) : ["planned"];
}

test("files are added, deleted, updated and moved in one patch", async () => {
  const files = await planned(`*** Begin Patch
*** Add File: new.txt
+hello
+
*** Delete File: a.py
*** Update File: b.txt
*** Move to: c.txt
@@
 one
-two
+zwei
 three
*** End Patch`);
  expect(files).toEqual([
    { kind: "create", path: "new.txt", after: "hello\n\n", warnings: [] },
    { kind: "delete", path: "a.py", before: CLASSES, warnings: [] },
    {
      kind: "update",
      path: "b.txt",
      moveTo: "c.txt",
      before: "one\r\ntwo\r\nthree",
      after: "one\r\nzwei\r\nthree",
      firstChangedLine: 2,
      warnings: [],
    },
  ]);
});

test("a header names where a hunk is; several narrow it down", async () => {
  const changed = (line: number) =>
    CLASSES.split("\n")
      .with(line - 1, "        return 2")
      .join("\n");
  const hunk = "-        return 1\n+        return 2";
  expect(await after(`a.py\n@@ class A:\n@@     def g(self):\n${hunk}`)).toBe(changed(6));
  expect(await after(`a.py\n@@ def g(self):\n${hunk}`)).toBe(changed(6));
  expect(await after(`a.py\n@@ class B:\n${hunk}`)).toBe(changed(11));
  expect(await after(`a.py\n@@ class B:\n@@ def f(self):\n${hunk}`)).toBe(changed(11));
});

test("a place that is not certain is refused", async () => {
  const update = (rows: string) => `*** Begin Patch\n*** Update File: a.py\n${rows}\n*** End Patch`;
  expect(await codes(update("@@\n-        return 1\n+        return 2"))).toEqual([
    "ambiguous_match",
  ]);
  expect(await codes(update("@@ def f(self):\n-        return 1\n+x"))).toEqual([
    "ambiguous_match",
  ]);
  expect(await codes(update("@@ class C:\n-        return 1\n+x"))).toEqual(["not_found"]);
  expect(await codes(update("@@\n-        return 9\n+x"))).toEqual(["not_found"]);
  expect(await codes(update("@@\n+x"))).toEqual(["not_found"]);
  expect(await codes(update("@@\n     def f(self):"))).toEqual(["empty_body"]);
});

test("a scope that does not hold the lines does not lend them to what comes after", async () => {
  const text = "def f():\n    pass\n\ndef g():\n    return 1\n\ndef h():\n    return 1\n";
  const patch = "*** Update File: f.py\n@@ def f():\n-    return 1\n+    return 2";
  const plan = await planApplyPatch(patch, () => text);
  expect(plan.kind === "refused" && plan.failures[0].code).toBe("ambiguous_match");
  const within = await planApplyPatch(patch.replace("f():", "g():"), () => text);
  expect(within).toMatchObject({ files: [{ firstChangedLine: 5 }] });
});

test("hunks in order, the end of the file, and files without a line end", async () => {
  const both = await after(
    "a.py\n@@ def g(self):\n-        return 1\n+        return 2\n@@\n-        return 1\n+        return 3",
  );
  expect(both).toContain(
    "def g(self):\n        return 2\n\n\nclass B:\n    def f(self):\n        return 3\n",
  );
  expect(await after("b.txt\n@@\n three\n+four\n*** End of File")).toBe(
    "one\r\ntwo\r\nthree\r\nfour",
  );
  expect(await after("b.txt\n@@\n+four\n*** End of File")).toBe("one\r\ntwo\r\nthree\r\nfour");
  expect(await after("a.py\n@@\n-        return 1\n+        return 4\n*** End of File")).toEndWith(
    "return 4\n",
  );
});

test("tolerance says how it matched and keeps what stays", async () => {
  const quoted = { "q.txt": "  say(“hi”);  \n  go();\n" } as Record<string, string>;
  const plan = await planApplyPatch(
    '*** Update File: q.txt\n@@\n say("hi");\n-go();\n+if (x) {\n+  stop();\n+}',
    (path) => quoted[path],
  );
  expect(plan).toMatchObject({
    kind: "planned",
    files: [{ after: "  say(“hi”);  \n  if (x) {\n    stop();\n  }\n" }],
  });
  expect(plan.kind === "planned" && plan.files[0]!.warnings[0]).toContain("matched at line 1");
  const strict = await planApplyPatch(
    '*** Update File: q.txt\n@@\n say("hi");\n-go();\n+x',
    (path) => quoted[path],
    { isFuzzy: false },
  );
  expect(strict.kind).toBe("refused");
});

test("refusals name the file or the line", async () => {
  const table: [string, string[]][] = [
    ["", ["empty_patch"]],
    ["*** Begin Patch\n*** End Patch", ["empty_patch"]],
    ["hello", ["missing_header"]],
    ["*** Update File: ", ["missing_header"]],
    ["*** Update File: a.py", ["empty_section"]],
    ["*** Update File: none\n@@\n-a\n+b", ["missing_file"]],
    ["*** Delete File: none", ["missing_file"]],
    ["*** Delete File: a.py\n+x", ["stray_row"]],
    ["*** Add File: a.py\n+x", ["file_exists"]],
    ["*** Add File: n\nx", ["stray_row"]],
    ["*** Update File: a.py\n*** Move to: b.txt", ["file_exists"]],
    ["*** Update File: a.py\n*** Rename: b.txt", ["foreign_marker"]],
    ["*** Delete File: a.py\n*** Update File: a.py\n@@\n-a\n+b", ["overlap"]],
    [
      "*** Update File: none\n@@\n-a\n+b\n*** Delete File: nowhere",
      ["missing_file", "missing_file"],
    ],
  ];
  for (const [input, expected] of table)
    expect([input, await codes(input)]).toEqual([input, expected]);
});

test("a shell call around the patch and rows without a mark are understood", async () => {
  const input =
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: b.txt\n@@\none\n-two\n+2\n*** End Patch\nEOF";
  const plan = await planApplyPatch(input, load);
  expect(plan).toMatchObject({ kind: "planned", files: [{ after: "one\r\n2\r\nthree" }] });
  expect(plan.kind === "planned" && plan.warnings).toHaveLength(1);
});

test("no input makes the parser throw anything but a refusal", () => {
  const fragment = fc.constantFrom(
    "*** Begin Patch\n",
    "*** Update File: a\n",
    "*** Add File: b\n",
    "*** Delete File: c\n",
    "*** Move to: d\n",
    "*** End of File\n",
    "@@\n",
    "@@ x\n",
    "+a\n",
    "-b\n",
    " c\n",
    "\n",
    "***",
    "@@",
    "\r",
  );
  const input = fc.oneof(
    fc.array(fragment).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(input, (text) => {
      try {
        expect(parseEnvelope(text).files).not.toBeEmpty();
      } catch (error) {
        expect(error).toBeInstanceOf(PatchError);
      }
    }),
    { numRuns: 2000 },
  );
});
