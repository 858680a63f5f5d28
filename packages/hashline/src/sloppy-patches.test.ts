import { expect, test } from "bun:test";
import { type Changes, SLOPPY_BASE, SLOPPY_PATCHES } from "../test/fixtures/sloppy-patches.ts";
import { type EditPlan, planEdits } from "./plan-edits.ts";
import { SnapshotStore } from "./snapshot-store.ts";

function textWith(changes: Changes): string {
  const lines = SLOPPY_BASE.flatMap((line, at) => changes[at + 1] ?? [line]);
  return [...(changes[0] ?? []), ...lines, ...(changes[9] ?? [])]
    .map((line) => `${line}\n`)
    .join("");
}

async function plan(patch: string): Promise<EditPlan> {
  const text = textWith({});
  const snapshots = new SnapshotStore();
  const { tag } = snapshots.record("a.ts", text);
  const input = patch.replaceAll("#TAG", `#${tag}`).replaceAll("# TAG", `# ${tag}`);
  return planEdits(input.replaceAll("#tag", `#${tag.toLowerCase()}`), {
    load: (path) => (/^(\.\/)?a\.ts$/.test(path) ? text : undefined),
    snapshots,
    resolveBlock: (_, __, line) =>
      line === 4 ? { start: 4, end: 6 } : { failure: "no construct begins there" },
  });
}

test("the corpus is large and names each case once", () => {
  expect(SLOPPY_PATCHES.length).toBeGreaterThanOrEqual(150);
  expect(new Set(SLOPPY_PATCHES.map(([name]) => name)).size).toBe(SLOPPY_PATCHES.length);
});

for (const [name, patch, outcome] of SLOPPY_PATCHES) {
  test(`sloppy patch: ${name}`, async () => {
    const result = await plan(patch);
    if (outcome === "aborted") expect(result).toEqual({ kind: "aborted" });
    else if (typeof outcome === "string") {
      if (result.kind !== "refused") expect.unreachable(`it was ${result.kind}`);
      expect(result.failures.map(({ code }) => code)).toEqual([outcome]);
      // It says what to do next, in whole sentences.
      expect(result.failures[0].message).toMatch(/[.:`]\s|\.$/);
    } else {
      if (result.kind === "refused") expect.unreachable(result.failures[0].message);
      if (result.kind !== "planned") expect.unreachable("it was aborted");
      expect(result.edits.map(({ after }) => after)).toEqual([textWith(outcome)]);
    }
  });
}
