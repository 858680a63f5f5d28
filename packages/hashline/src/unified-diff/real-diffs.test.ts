// Diffs as programs write them: with text around them, with what git says about files, with the
// names and the line ends that they found.

import { expect, test } from "bun:test";
import { MISCOUNTED_WARNING } from "./read-diff-hunk.ts";
import { planUnifiedDiff } from "./plan-unified-diff.ts";

const FILES: Record<string, string> = {
  f: "one\ntwo\nthree\n",
  bare: "one\ntwo",
  mixed: "one\r\ntwo\nthree\n",
  empty: "",
  twice: "x\nx\n",
  "src/f": "one\ntwo\nthree\n",
  "src/g": "one\ntwo\nthree\n",
  "src/ä b": "one\ntwo\nthree\n",
  "$'d\\376'/$'caf\\351'": "one\ntwo\nthree\n",
  g: "not the one\n",
};
const PLACES = new Set(["src", ...Object.keys(FILES)]);

/** Every file with its fate: `path>new path=text`, `+x` for one that can be run. */
async function outcome(diff: string): Promise<string> {
  const plan = await planUnifiedDiff(diff, (path) => FILES[path], {
    exists: (path) => PLACES.has(path),
  });
  if (plan.kind === "refused") return plan.failures.map(({ code }) => code).join(" ");
  return plan.files
    .map((file) => {
      if (file.kind === "delete") return `${file.path} gone`;
      const place =
        file.kind === "update" && file.moveTo ? `${file.path}>${file.moveTo}` : file.path;
      return `${place}${file.isExecutable ? "+x" : ""}=${file.after}`;
    })
    .join("|");
}

async function expectAll(table: readonly [diff: string, want: string][]): Promise<void> {
  for (const [diff, want] of table) expect([diff, await outcome(diff)]).toEqual([diff, want]);
}

const HUNK = "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
const head = (old: string, made = old) => `--- ${old}\n+++ ${made}\n`;
const NEW = "one\n2\nthree\n";
const NONE = "\\ No newline at end of file\n";

test("whether a text ends with a line end is as the diff says, before and after", () =>
  expectAll([
    [`${head("a/bare", "b/bare")}@@ -1,2 +1,2 @@\n one\n-two\n${NONE}+two\n`, "bare=one\ntwo\n"],
    [`${head("a/f", "b/f")}@@ -2,2 +2,2 @@\n two\n-three\n+three\n${NONE}`, "f=one\ntwo\nthree"],
    [`${head("a/bare", "b/bare")}@@ -1,2 +1,2 @@\n-one\n+1\n two\n${NONE}`, "bare=1\ntwo"],
    // The file is in another state than the diff says.
    [`${head("a/f", "b/f")}@@ -2,2 +2,2 @@\n two\n-three\n${NONE}+3\n${NONE}`, "not_found"],
    [`${head("a/f", "b/f")}@@ -1,2 +1,2 @@\n one\n-two\n+2\n${NONE}`, "not_found"],
    // Other spaces than the file's, and yet the end is obeyed.
    [`${head("a/bare", "b/bare")}@@ -1,2 +1,2 @@\n one  \n-two\n${NONE}+2\n`, "bare=one\n2\n"],
    [`${head("a/f", "b/f")}@@ -2,2 +2,2 @@\n two  \n-three\n+3\n${NONE}`, "f=one\ntwo\n3"],
    [`${head("/dev/null", "b/new")}@@ -0,0 +1,2 @@\n+a\n+b\n${NONE}`, "new=a\nb"],
    // Its only line is there twice: the one that the header names is not the last one.
    [`${head("a/twice", "b/twice")}@@ -1 +1,2 @@\n-x\n+new\n+x\n${NONE}`, "not_found"],
  ]));

test("line ends are content where a diff says so, and of the diff where all of it has them", () =>
  expectAll([
    [
      `${head("a/mixed", "b/mixed")}@@ -1,3 +1,3 @@\n one\r\n-two\n+two\r\n three\n`,
      "mixed=one\r\ntwo\r\nthree\n",
    ],
    [
      `${head("a/mixed", "b/mixed")}@@ -1,3 +1,3 @@\n-one\r\n+one\n two\n three\n`,
      "mixed=one\ntwo\nthree\n",
    ],
    [`${head("a/f", "b/f")}@@ -1,3 +1,3 @@\n-one\r\n+one\n two\n three\n`, "not_found"],
    [`${head("a/f", "b/f")}${HUNK}`.replaceAll("\n", "\r\n"), `f=${NEW}`],
    [`${head("a/f", "b/f")}${HUNK.replaceAll(/(?<=^[ +-].*)\n/gm, "\r\n")}`, `f=${NEW}`],
  ]));

test("text around a diff is none of it", () => {
  const mail =
    "From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n- a list\n+ of things\n\n---\n f | 2 +-\n\n";
  return expectAll([
    [
      `${mail}diff --git a/f b/f\nindex 1..2 100644\n${head("a/f", "b/f")}${HUNK}-- \n2.39.5\n\n`,
      `f=${NEW}`,
    ],
    [
      `Description: x\nIndex: f\n${"=".repeat(67)}\n${head("a/f\t(revision 1)", "b/f\t(working copy)")}${HUNK}`,
      `f=${NEW}`,
    ],
    [
      `${head("a/f", "b/f")}${HUNK}\nAnd then:\n\n${head("a/src/f", "b/src/f")}${HUNK}`,
      `f=${NEW}|src/f=${NEW}`,
    ],
    [`Only in a: x\n${head("a/f", "b/f")}${HUNK}`, `f=${NEW}`],
    [`${mail}nothing\n`, "stray_row"],
    [`${head("a/f", "b/f")}${HUNK}Some words.\n@@ -9 +9 @@\n-x\n+y\n`, "stray_row"],
    // Rows that look like headers are content as long as rows are to come.
    [
      `${head("/dev/null", "b/new")}@@ -0,0 +1,4 @@\n+++ b/x\n+-- \n+@@ -1 +1 @@\n+-- a\n`,
      "new=++ b/x\n-- \n@@ -1 +1 @@\n-- a\n",
    ],
  ]);
});

test("names have a prefix, or none, and what is there decides", () =>
  expectAll([
    [head("orig/src/f", "new/src/f") + HUNK, `src/f=${NEW}`],
    [
      head(
        "pkg-1.0.orig/src/f\t2020-01-01 10:00:00 +0000",
        "pkg-1.0/src/f\t2020-01-01 10:00:00 +0000",
      ) + HUNK,
      `src/f=${NEW}`,
    ],
    [head("a/f 2020-01-01 10:00:00.123 +0100", "b/f 2020-01-01 10:00:00") + HUNK, `f=${NEW}`],
    [head("./src/f") + HUNK, `src/f=${NEW}`],
    [head("f") + HUNK, `f=${NEW}`],
    [head("i/src/f", "w/src/f") + HUNK, `src/f=${NEW}`],
    [head("src/g") + HUNK, "ambiguous_match"],
    [head("a/src/g", "b/src/g") + HUNK, `src/g=${NEW}`],
    [head("deep/er/src/f") + HUNK, "missing_file"],
    [head('"a/src/\\303\\244 b"', '"b/src/\\303\\244 b"') + HUNK, `src/ä b=${NEW}`],
    [head('"a/d\\376/caf\\351"', '"b/d\\376/caf\\351"') + HUNK, `$'d\\376'/$'caf\\351'=${NEW}`],
    [head("a/src/ä b\t", "b/src/ä b\t") + HUNK, `src/ä b=${NEW}`],
    // A comparison of two files is not a move; what a model writes is.
    [head("a/f.orig", "b/f") + HUNK, `f=${NEW}`],
    [
      head("a/src/f\t2020-01-01 10:00:00", "b/src/f.new\t2020-01-01 10:00:00") + HUNK,
      `src/f=${NEW}`,
    ],
    [head("a/src/f", "b/src/h") + HUNK, `src/f>src/h=${NEW}`],
    // New ones go where their directory is.
    [`${head("/dev/null", "src/new")}@@ -0,0 +1 @@\n+x\n`, "src/new=x\n"],
    [`${head("/dev/null", "pkg/src/new")}@@ -0,0 +1 @@\n+x\n`, "src/new=x\n"],
    [
      `${head("a/n\t1970-01-01 00:00:00.000000000 +0000", "b/n\t2020-01-01 10:00:00")}@@ -0,0 +1 @@\n+x\n`,
      "n=x\n",
    ],
    [`${head("n\t(revision 0)", "n\t(working copy)")}@@ -0,0 +1 @@\n+x\n`, "n=x\n"],
    [
      `${head("a/f\t2020-01-01 10:00:00", "b/f\t1970-01-01 01:00:00.000000000 +0100")}@@ -1,3 +0,0 @@\n-one\n-two\n-three\n`,
      "f gone",
    ],
    [`${head("a/f", "b/f")}@@ -1,3 +0,0 @@\n-one\n-two\n-three\n`, "f="],
  ]));

test("what git says about files is done, or refused", () =>
  expectAll([
    [
      "diff --git a/f b/n\nsimilarity index 100%\nrename from f\nrename to n\n",
      "f>n=one\ntwo\nthree\n",
    ],
    [
      `diff --git a/f b/n\nsimilarity index 70%\ncopy from f\ncopy to n\nindex 1..2\n${head("a/f", "b/n")}${HUNK}`,
      `n=${NEW}`,
    ],
    ["diff --git a/n b/n\nnew file mode 100755\nindex 0000000..e69de29\n", "n+x="],
    [
      "diff --git a/empty b/empty\ndeleted file mode 100644\nindex e69de29..0000000\n",
      "empty gone",
    ],
    ["diff --git a/f b/f\ndeleted file mode 100644\nindex e69de29..0000000\n", "not_found"],
    ["diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", "f+x=one\ntwo\nthree\n"],
    ["diff --git a/f b/f\nold mode 100755\nnew mode 100644\n", "no_change"],
    [
      `diff --git a/n b/n\nnew file mode 120000\n${head("/dev/null", "b/n")}@@ -0,0 +1 @@\n+f\n${NONE}`,
      "foreign_marker",
    ],
    ["diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 0\n\n", "binary_patch"],
    ["diff --git a/f b/f\nindex 1..2 100644\nBinary files a/f and b/f differ\n", "binary_patch"],
    [`diff --cc f\n${head("a/f", "b/f")}@@@ -1,1 -1,1 +1,1 @@@\n--x\n -y\n++z\n`, "foreign_marker"],
    ["*** a/f\n--- b/f\n***************\n*** 1,3 ****\n", "foreign_marker"],
    [`${head("/dev/null", "b/n")}@@ -1,1 +1,2 @@\n x\n+y\n`, "not_found"],
  ]));

test("rows that were miscounted are taken as they are, and that is said", async () => {
  for (const header of ["@@ -1,4 +1,3 @@", "@@ -1,2 +1,2 @@", "@@ -1,3 +1,9 @@"]) {
    const diff = head("a/f", "b/f") + HUNK.replace(/^@@.*@@/, header);
    expect(await outcome(diff)).toBe(`f=${NEW}`);
    const plan = await planUnifiedDiff(diff, (path) => FILES[path]);
    expect(plan).toMatchObject({ warnings: [MISCOUNTED_WARNING] });
  }
});

test("lines that are in several places are taken where the header and the hunks before it say", async () => {
  const text = "x\na\nb\nc\ny\na\nb\nc\ny\na\nb\nc\nz\n";
  const plan = async (hunks: string, now = text) => {
    const done = await planUnifiedDiff(head("a/t", "b/t") + hunks, () => now);
    if (done.kind === "refused") return done.failures[0].code;
    return done.files[0]!.kind === "update" ? done.files[0]!.after : done.files[0]!.kind;
  };
  const second = "@@ -6,3 +6,3 @@\n a\n-b\n+B\n c\n";
  const at = (line: number) =>
    text
      .split("\n")
      .toSpliced(line - 1, 1, "B")
      .join("\n");
  expect(await plan(second)).toBe(at(7));
  expect(await plan(second.replace("-6", "-5"))).toBe("ambiguous_match");
  // No line follows the last change: it is at the end, wherever that is by now.
  const last = "@@ -4,2 +4,3 @@\n a\n b\n+c\n";
  expect(await plan(last, "0\na\nb\nq\na\nb\n")).toBe("0\na\nb\nq\na\nb\nc\n");
  // Unless the very line that the header names fits too.
  expect(await plan(last, "0\n1\n2\na\nb\na\nb\n")).toBe("ambiguous_match");
  // Two new lines above: the first hunk has moved, and the second moves with it.
  const moved = `1\n2\n${text}`;
  const both = `@@ -1,2 +1,2 @@\n-x\n+X\n a\n${second}`;
  expect(await plan(both, moved)).toBe(`1\n2\n${at(7)}`.replace("x", "X"));
});
