// The examples of the page on the edit language are what really happens.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { planEdits } from "./plan-edits.ts";
import { printEdit, printWarnings } from "./print-edit.ts";
import { SnapshotStore } from "./snapshot-store.ts";
import { stripListing } from "./strip-listing.ts";

const PAGE = join(import.meta.dir, "../../../docs/edit-language.md");

async function answerTo(patch: string, text: string): Promise<string> {
  const snapshots = new SnapshotStore();
  snapshots.record("shop.js", text);
  const plan = await planEdits(patch, {
    load: (path) => (path === "shop.js" ? text : undefined),
    snapshots,
    resolveBlock: (_, __, line) =>
      line === 3 ? { start: 3, end: 7 } : { failure: "no construct begins there" },
  });
  if (plan.kind === "refused") return plan.failures[0].message;
  if (plan.kind === "aborted") return "";
  const [edit] = plan.edits;
  const { path, before, after, moveTo, blocks, warnings } = edit!;
  const { tag } = snapshots.record("shop.js", after!, "written");
  const moved = moveTo === undefined ? { path } : { path: moveTo, movedFrom: path };
  const parts = [
    printEdit({ ...moved, before, after: after!, blocks }, tag),
    printWarnings([...plan.warnings, ...warnings]),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

test("every patch of the page gives the answer below it", async () => {
  const page = await Bun.file(PAGE).text();
  const blocks = [...page.matchAll(/```(listing|patch|result)\n([\s\S]*?)```/g)];
  const [listing, ...rest] = blocks.map(([, kind, text]) => ({ kind, text: text! }));
  expect(listing!.kind).toBe("listing");
  const { text, isStripped } = stripListing(listing!.text);
  expect(isStripped).toBe(true);
  expect(rest.length).toBeGreaterThanOrEqual(8);
  for (let at = 0; at < rest.length; at += 2) {
    expect([rest[at]!.kind, rest[at + 1]!.kind]).toEqual(["patch", "result"]);
    expect(`${await answerTo(rest[at]!.text, text)}\n`).toBe(rest[at + 1]!.text);
  }
});
