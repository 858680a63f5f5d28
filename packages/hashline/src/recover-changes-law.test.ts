// The law of recovery: an edit written against an older text gives what a three-way merge
// gives, or it is refused. Two judges: a merge on line scripts, and git.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { hunksFor, plainRow } from "../test/random-edits.ts";
import { alignLines } from "./align-lines.ts";
import { applyHunks } from "../test/apply-hunks.ts";
import { resolveHunks } from "./apply-hunks.ts";
import { printSection } from "../test/print-patch.ts";
import type { Hunk } from "./hunk.ts";
import type { LineChange } from "./line-change.ts";
import { LineIndex } from "./line-index.ts";
import { PatchError } from "./patch-error.ts";
import { planEdits } from "./plan-edits.ts";
import { recoverChanges } from "./recover-changes.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { spliceLines } from "./splice-lines.ts";

interface Divergence {
  base: string;
  mine: Hunk[];
  theirs: Hunk[];
}

function divergence(line: fc.Arbitrary<string>): fc.Arbitrary<Divergence> {
  return fc
    .array(line, { minLength: 1, maxLength: 14 })
    .map((lines) => `${lines.join("\n")}\n`)
    .chain((base) => {
      const { count } = new LineIndex(base);
      return fc.record({ base: fc.constant(base), mine: hunksFor(count), theirs: hunksFor(count) });
    });
}

const repeatedLine = fc.oneof(fc.constantFrom("a", "b", "}", ""), plainRow);
/** Distinct lines: git and we cannot pair them differently. */
const distinctBase = fc.integer({ min: 1, max: 14 }).chain((count) => {
  const base = Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
  return fc.record({ base: fc.constant(base), mine: hunksFor(count), theirs: hunksFor(count) });
});

function attempt(text: string, hunks: readonly Hunk[]): string | undefined {
  try {
    return applyHunks(text, hunks).text;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

/** The difference between two texts as changes of the first. */
function scriptOf(before: string, after: string): LineChange[] {
  const [left, right] = [new LineIndex(before).lines(), new LineIndex(after).lines()];
  const script: LineChange[] = [];
  let [leftAt, rightAt] = [0, 0];
  for (const run of [
    ...alignLines(left, right),
    { left: left.length, right: right.length, length: 0 },
  ]) {
    if (run.left > leftAt || run.right > rightAt) {
      const body = right.slice(rightAt, run.right);
      script.push({ start: leftAt + 1, end: run.left + 1, body, side: "range", patchLine: 0 });
    }
    [leftAt, rightAt] = [run.left + run.length, run.right + run.length];
  }
  return script;
}

/** Both scripts on the base; undefined where they meet in a line or at an insertion. */
function merge(base: string, mine: readonly LineChange[], theirs: readonly LineChange[]) {
  const meets = (a: LineChange, b: LineChange) =>
    (a.start < b.end && b.start < a.end) ||
    (a.start === a.end && a.start >= b.start && a.start <= b.end) ||
    (b.start === b.end && b.start > a.start && b.start < a.end);
  if (mine.some((a) => theirs.some((b) => meets(a, b)))) return undefined;
  const all = [...theirs, ...mine].toSorted((a, b) => a.start - b.start || a.end - b.end);
  return spliceLines(new LineIndex(base), all).text;
}

test("a recovered edit is the three-way merge, also among repeated lines", () => {
  let recovered = 0;
  let refused = 0;
  fc.assert(
    fc.property(divergence(repeatedLine), ({ base, mine, theirs }) => {
      const current = attempt(base, theirs);
      const edited = attempt(base, mine);
      if (current === undefined || edited === undefined) return;
      const tagged = new LineIndex(base);
      const { changes } = resolveHunks(tagged, mine);
      const result = recoverChanges(changes, tagged, new LineIndex(current));
      if (!result) {
        refused++;
        return;
      }
      recovered++;
      const text = spliceLines(new LineIndex(current), result.changes).text;
      expect(text).toBe(merge(base, changes, scriptOf(base, current))!);
    }),
    { numRuns: 5000 },
  );
  expect(recovered).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(100);
});

test("where git merges cleanly, it merges to what recovery gives", async () => {
  await using scratch = await createScratchDirectory();
  let compared = 0;
  for (const { base, mine, theirs } of fc.sample(distinctBase, { numRuns: 400, seed: 19 })) {
    const current = attempt(base, theirs);
    const edited = attempt(base, mine);
    if (current === undefined || edited === undefined) continue;
    const tagged = new LineIndex(base);
    const result = recoverChanges(
      resolveHunks(tagged, mine).changes,
      tagged,
      new LineIndex(current),
    );
    if (!result) continue;
    const files = { current, base, edited };
    for (const [name, text] of Object.entries(files)) await scratch.write(name, text);
    const git = Bun.spawnSync(["git", "merge-file", "-p", "current", "base", "edited"], {
      cwd: scratch.root,
    });
    // It calls changes of neighbouring lines a conflict; they do not touch, so we do not.
    if (git.exitCode !== 0) continue;
    compared++;
    expect(spliceLines(new LineIndex(current), result.changes).text).toBe(git.stdout.toString());
  }
  expect(compared).toBeGreaterThan(20);
}, 60_000);

test("a plan with a stale tag recovers or leaves the text alone, whatever changed", async () => {
  await fc.assert(
    fc.asyncProperty(divergence(repeatedLine), async ({ base, mine, theirs }) => {
      const current = attempt(base, theirs);
      if (current === undefined) return;
      const snapshots = new SnapshotStore();
      const { tag } = snapshots.record("a", base);
      const input = printSection(`¶a#${tag}`, mine);
      const plan = await planEdits(input, { load: () => current, snapshots });
      if (plan.kind === "planned") {
        expect(plan.edits[0]).toMatchObject({ before: current, recovery: "external" });
        expect(plan.edits[0]!.after).not.toBe(current);
      } else if (plan.kind === "refused") {
        expect(plan.failures).toHaveLength(1);
        expect(["overlap", "no_change", "stale_tag"]).toContain(plan.failures[0].code);
      } else expect.unreachable();
    }),
    { numRuns: 1000 },
  );
});

test("recovery in a hundred thousand lines, with thousands of changes, stays quick", () => {
  const lines = Array.from({ length: 100_000 }, (_, at) => (at % 5 === 0 ? "}" : `line ${at}`));
  const tagged = new LineIndex(`${lines.join("\n")}\n`);
  for (let at = 0; at < lines.length; at += 50) lines[at] = `other ${at}`;
  const current = new LineIndex(`${lines.join("\n")}\n`);
  const change = { start: 70_003, end: 70_004, body: ["x"], side: "range", patchLine: 1 } as const;
  const started = performance.now();
  const result = recoverChanges([change], tagged, current);
  const elapsedMs = performance.now() - started;
  expect(result).toMatchObject({ changes: [{ start: 70_003 }], isShifted: false });
  // About 0.2 s on an idle machine; the bar tells it from the many seconds of a full diff.
  expect(elapsedMs).toBeLessThan(5000);
});
