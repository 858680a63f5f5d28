import { expect, test } from "bun:test";
import { MismatchError } from "./mismatch.ts";
import { type EditPlan, type EditSources, planEdits } from "./plan-edits.ts";
import { RECOVERY_BANNERS } from "./recovery-banner.ts";
import { SnapshotStore } from "./snapshot-store.ts";

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`);
const TEXT = `${LINES.join("\n")}\n`;

/** Files in memory, as a caller would have them on disk. */
function workspace(files: Record<string, string>) {
  const snapshots = new SnapshotStore();
  const tags = Object.entries(files).map(([path, text]) => snapshots.record(path, text).tag);
  const sources: EditSources = { load: async (path) => files[path], snapshots };
  return { files, snapshots, sources, tags };
}

function planned(plan: EditPlan) {
  if (plan.kind !== "planned") return expect.unreachable(JSON.stringify(plan));
  return plan;
}

function refused(plan: EditPlan) {
  if (plan.kind !== "refused") return expect.unreachable(JSON.stringify(plan));
  return plan.failures;
}

test("several files are planned together", async () => {
  const { sources, tags } = workspace({ "a.ts": TEXT, "b.ts": "x\r\ny" });
  const input = `¶a.ts#${tags[0]}\nreplace 4..4:\n+four\n¶b.ts#${tags[1]}\ninsert tail:\n+z`;
  const { edits } = planned(await planEdits(input, sources));
  expect(edits).toMatchObject([
    { path: "a.ts", before: TEXT, after: TEXT.replace("line 4", "four"), firstChangedLine: 4 },
    { path: "b.ts", before: "x\r\ny", after: "x\r\ny\r\nz", firstChangedLine: 3 },
  ]);
});

test("every failing section is told, and nothing is planned", async () => {
  const { sources, tags } = workspace({ "a.ts": TEXT, "b.ts": TEXT, "c.ts": TEXT });
  const input = `¶a.ts#${tags[0]}\ndelete 1\n¶b.ts#${tags[1]}\ndelete 40\n¶c.ts#0000\ndelete 1\n¶d.ts#0000\ndelete 1`;
  const failures = refused(await planEdits(input, sources));
  expect(failures.map(({ code }) => code)).toEqual([
    "line_out_of_range",
    "unknown_tag",
    "missing_file",
  ]);
});

test("a second edit with the old tag lands where its lines are now", async () => {
  const { files, snapshots, sources, tags } = workspace({ "a.ts": TEXT });
  const first = planned(await planEdits(`¶a.ts#${tags[0]}\ninsert head:\n+new`, sources));
  files["a.ts"] = first.edits[0]!.after!;
  const written = snapshots.record("a.ts", files["a.ts"], "written");
  const [second] = planned(await planEdits(`¶a.ts#${tags[0]}\nreplace 9:\n+nine`, sources)).edits;
  expect(second).toMatchObject({
    after: `new\n${TEXT.replace("line 9", "nine")}`,
    recovery: "session_chain",
    warnings: [RECOVERY_BANNERS.session_chain],
    firstChangedLine: 10,
  });
  expect(written.tag).not.toBe(tags[0]!);
});

test("own edits that moved nothing are replayed in place", async () => {
  const { files, snapshots, sources, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = TEXT.replace("line 2", "two");
  snapshots.record("a.ts", files["a.ts"], "written");
  const [edit] = planned(await planEdits(`¶a.ts#${tags[0]}\nreplace 9:\n+nine`, sources)).edits;
  expect(edit).toMatchObject({ recovery: "session_replay" });
  expect(edit!.after).toBe(files["a.ts"].replace("line 9", "nine"));
});

test("a change from outside elsewhere is kept, with its banner", async () => {
  const { files, sources, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = TEXT.replace("line 2\n", "two\nand more\n");
  const [edit] = planned(await planEdits(`¶a.ts#${tags[0]}\nreplace 9:\n+nine`, sources)).edits;
  expect(edit).toMatchObject({ recovery: "external", warnings: [RECOVERY_BANNERS.external] });
  expect(edit!.after).toBe(files["a.ts"].replace("line 9", "nine"));
});

test("a change from outside at the place is refused with what is there, and a tag to go on", async () => {
  const { files, sources, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = TEXT.replace("line 9", "neun");
  const input = `¶a.ts#${tags[0]}\nreplace 9:\n+nine`;
  const [failure] = refused(await planEdits(input, sources));
  if (!(failure instanceof MismatchError)) return expect.unreachable();
  expect(failure).toMatchObject({ code: "stale_tag", kind: "drifted", path: "a.ts" });
  expect(failure.message).toEndWith(
    `¶a.ts#${failure.currentTag}\n 7:line 7\n 8:line 8\n*9:neun\n 10:line 10\n 11:line 11`,
  );
  const again = input.replace(tags[0]!, failure.currentTag);
  expect(planned(await planEdits(again, sources)).edits[0]!.after).toBe(
    TEXT.replace("line 9", "nine"),
  );
});

test("an insertion needs both its neighbours", async () => {
  const { files, sources, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = TEXT.replace("line 9", "neun");
  for (const hunk of [
    "insert after 8:",
    "insert before 9:",
    "insert after 9:",
    "insert before 10:",
  ]) {
    const [failure] = refused(await planEdits(`¶a.ts#${tags[0]}\n${hunk}\n+x`, sources));
    expect(failure.code).toBe("stale_tag");
  }
});

test("a tag that was never shown, and one that is long gone", async () => {
  const files: Record<string, string> = { "a.ts": TEXT };
  const snapshots = new SnapshotStore({ versionsPerPath: 1 });
  const { tag } = snapshots.record("a.ts", "older\n");
  snapshots.record("a.ts", TEXT);
  const sources: EditSources = { load: (path) => files[path], snapshots };
  const [unknown] = refused(await planEdits("¶a.ts#0000\ndelete 3..40", sources));
  expect(unknown).toMatchObject({ code: "unknown_tag", kind: "unknown" });
  expect(unknown.message).toContain("never shown");
  expect(unknown.message).toContain("*3:line 3");
  const [forgotten] = refused(await planEdits(`¶a.ts#${tag}\ndelete 1`, sources));
  expect(forgotten).toMatchObject({ code: "forgotten_tag", kind: "forgotten" });
});

test("a file that was never recorded is not edited even if the tag happens to fit", async () => {
  const { sources } = workspace({});
  const { tag } = new SnapshotStore().record("a.ts", TEXT);
  const plan = await planEdits(`¶a.ts#${tag}\ndelete 1`, { ...sources, load: () => TEXT });
  expect(refused(plan)[0].code).toBe("unknown_tag");
});

test("another kind of line end is no change from outside", async () => {
  const { files, sources, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = TEXT.replaceAll("\n", "\r\n");
  const [edit] = planned(await planEdits(`¶a.ts#${tags[0]}\nreplace 9:\n+nine`, sources)).edits;
  expect(edit).toMatchObject({ recovery: undefined, warnings: [] });
  expect(edit!.after).toBe(files["a.ts"].replace("line 9", "nine"));
});

test("blocks are resolved on the text the model saw and echoed", async () => {
  const { files, snapshots, tags } = workspace({ "a.ts": TEXT });
  files["a.ts"] = `moved\n${TEXT}`;
  const asked: unknown[] = [];
  const plan = await planEdits(`¶a.ts#${tags[0]}\nreplace block 4:\n+x\ndelete block 9`, {
    load: (path) => files[path],
    snapshots,
    resolveBlock: async (path, text, line) => {
      asked.push([path, text === TEXT, line]);
      return { start: line, end: line + 2 };
    },
  });
  const [edit] = planned(plan).edits;
  expect(asked).toEqual([
    ["a.ts", true, 4],
    ["a.ts", true, 9],
  ]);
  expect(edit!.blocks).toEqual([
    { header: "replace block 4", start: 4, end: 6 },
    { header: "delete block 9", start: 9, end: 11 },
  ]);
  const lines = ["moved", "line 1", "line 2", "line 3", "x", "line 7", "line 8", "line 12"];
  expect(edit!.after).toBe(`${lines.join("\n")}\n`);
});

test("an unresolved block says why and shows the place; a wrong resolver cannot do harm", async () => {
  const { sources, tags } = workspace({ "a.ts": TEXT });
  const plan = (resolveBlock?: EditSources["resolveBlock"]) =>
    planEdits(`¶a.ts#${tags[0]}\nreplace block 4:\n+x`, { ...sources, resolveBlock });
  const [failure] = refused(await plan(() => ({ failure: "the block does not parse" })));
  expect(failure).toMatchObject({ code: "unresolved_block", patchLine: 2 });
  expect(failure.message).toContain("the block does not parse");
  expect(failure.message).toContain("`replace 4..M:`");
  expect(failure.message).toContain("*4:line 4");
  for (const wrong of [
    { start: 5, end: 6 },
    { start: 4, end: 99 },
    { start: 4, end: 3 },
  ]) {
    expect(refused(await plan(() => wrong))[0].code).toBe("unresolved_block");
  }
  expect(refused(await plan())[0].code).toBe("unresolved_block");
});

test("a block that a body cannot be without is replaced, not deleted", async () => {
  const { sources, tags } = workspace({ "a.sh": TEXT });
  const resolveBlock = () => ({ start: 4, end: 4, needed: { start: 3, end: 5 } });
  const plan = (hunk: string) =>
    planEdits(`¶a.sh#${tags[0]}\n${hunk}`, { ...sources, resolveBlock });
  planned(await plan("replace block 4:\n+x"));
  const [failure] = refused(await plan("delete block 4"));
  expect(failure).toMatchObject({ code: "unresolved_block", patchLine: 2 });
  expect(failure.message).toContain("`delete 3..5`");
});

test("two names of one file are one file", async () => {
  const { files, snapshots, tags } = workspace({ "/w/a.ts": TEXT });
  const plan = await planEdits(`¶a.ts#${tags[0]}\ndelete 1\n¶/w/a.ts#${tags[0]}\ndelete 1`, {
    load: () => files["/w/a.ts"],
    snapshots,
    identify: (path) => (path.startsWith("/") ? path : `/w/${path}`),
  });
  expect(refused(plan)[0]).toMatchObject({ code: "overlap", patchLine: 4 });
});

test("an overlap names both lines of the patch", async () => {
  const { sources, tags } = workspace({ "a.ts": TEXT });
  const plan = await planEdits(`¶a.ts#${tags[0]}\nreplace 2..4:\n+x\ndelete 4..5`, sources);
  const [failure] = refused(plan);
  expect(failure).toMatchObject({ code: "overlap", patchLine: 4 });
  expect(failure.message).toContain("patch line 2");
});

test("a failure to load is a failure, not a refusal", async () => {
  const { snapshots } = workspace({});
  const load = () => Promise.reject(new Error("disk"));
  await expect(planEdits("¶a#0A3B\ndelete 1", { load, snapshots })).rejects.toThrow("disk");
});
