import { expect, test } from "bun:test";
import { parsePatch } from "./parse-patch.ts";
import { PatchError } from "./patch-error.ts";
import { planEdits } from "./plan-edits.ts";
import { SnapshotStore } from "./snapshot-store.ts";

/** What a patch does to `a`, `b` and `c`; in it, #a stands for the tag of `a`, and so on. */
async function outcome(patch: string, now: Record<string, string> = {}): Promise<unknown> {
  const seen = { a: "1\n2\n3\n", b: "b\n", c: "c\n" };
  const snapshots = new SnapshotStore();
  let input = patch;
  for (const [path, text] of Object.entries(seen)) {
    input = input.replaceAll(`#${path}`, `#${snapshots.record(path, text).tag}`);
  }
  const files: Record<string, string> = { ...seen, ...now };
  const plan = await planEdits(input, { load: (path) => files[path], snapshots });
  if (plan.kind === "refused") return plan.failures.map(({ code }) => code).join(" ");
  if (plan.kind === "aborted") return "aborted";
  return plan.edits.map(({ path, after, moveTo }) => [path, moveTo ?? path, after]);
}

test("files are deleted and moved, with other edits or not at all", async () => {
  const table: [string, unknown][] = [
    ["¶a#a\ndelete file", [["a", "a", undefined]]],
    ["¶a#a\nmove to d/e", [["a", "d/e", "1\n2\n3\n"]]],
    ["¶a#a\ndelete 2\nmove to d", [["a", "d", "1\n3\n"]]],
    ["¶a#a\nmove to d\ninsert head:\n+0", [["a", "d", "0\n1\n2\n3\n"]]],
    ["¶a#a\nrename to my file", [["a", "my file", "1\n2\n3\n"]]],
    [
      "¶a#a\ndelete 1\n¶b#b\ndelete file\n¶c#c\nmove to d",
      [
        ["a", "a", "2\n3\n"],
        ["b", "b", undefined],
        ["c", "d", "c\n"],
      ],
    ],
    ["¶a#a\ndelete file\ndelete 1", "overlap"],
    ["¶a#a\ndelete file\n¶a#a\nmove to d", "overlap"],
    ["¶a#a\nmove to d\nmove to e", "overlap"],
    ["¶a#a\nmove to d\n¶b#b\nmove to ./d", "overlap"],
    ["¶a#a\nmove to ./a", "overlap"],
    ["¶a#a\nmove to b\n¶b#b\ndelete file", "overlap"],
    ["¶a#a\nmove to b", "file_exists"],
    ["¶a#a\nmove to d\nreplace 1:\n+1", "no_change"],
    ["¶a#0000\ndelete file", "unknown_tag"],
    ["¶x#a\ndelete file", "missing_file"],
    ["¶a\ndelete file", "missing_tag"],
    ["¶a#a\ndelete file:", "delete_with_colon"],
    ["¶a#a\ndelete file\n+x", "stray_row"],
    ["¶a#a\nmove to", "bad_header"],
    // What may be a line of content is never taken for an order.
    ["¶a#a\nreplace 1:\n+x\nmove to the left", "ambiguous_row"],
    ["¶a#a\nreplace 1:\nx\nDelete file", "ambiguous_row"],
    ["¶a#a\nreplace 1:\n+delete file", [["a", "a", "delete file\n2\n3\n"]]],
  ];
  for (const [patch, want] of table) expect([patch, await outcome(patch)]).toEqual([patch, want]);
});

test("a file that has changed is not deleted unseen; its changes move with it", async () => {
  const now = { a: "1\n2\n3\n4\n" };
  expect(await outcome("¶a#a\ndelete file", now)).toBe("stale_tag");
  expect(await outcome("¶a#a\nmove to d", now)).toEqual([["a", "d", "1\n2\n3\n4\n"]]);
  expect(await outcome("¶a#a\ndelete file", { a: "1\r\n2\r\n3\r\n" })).toEqual([
    ["a", "a", undefined],
  ]);
});

test("a foreign marker is told what to write", () => {
  try {
    parsePatch("¶a#0A3F\n*** Delete File: a");
    expect.unreachable();
  } catch (error) {
    expect((error as PatchError).message).toContain("`delete file`");
  }
});
