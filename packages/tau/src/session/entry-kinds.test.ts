// Laws over the table of entry kinds: every row holds them, also one that comes tomorrow.

import { afterEach, describe, expect, test } from "bun:test";
import { describeEntry, searchTextOf } from "./operations/describe-entry.ts";
import { customKinds, type CustomEntryKind } from "./kinds/custom-kinds.ts";
import type { NewEntry, SessionEntry } from "./entry.ts";
import { ENTRY_KINDS, kindOf, movesLeaf } from "./entry-kinds.ts";
import { allEntries, expectConsistent, user } from "./log/test/support.ts";
import { temporarySession } from "./log/test/temporary-session.ts";
import { SAMPLE_ENTRIES } from "./test/sample-entries.ts";

const KINDS = Object.keys(ENTRY_KINDS) as (keyof typeof ENTRY_KINDS)[];

describe.each(KINDS)("%s", (type) => {
  test("is written with its place, and moves the position as its row says", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const first = await log.append(user("first"));
    const entry = await log.append(SAMPLE_ENTRIES[type]);
    const isAside = ENTRY_KINDS[type].place === "aside";
    expect((await session.lines()).at(-1)!.includes(`,"aside":true,`)).toBe(isAside);
    const moved = type === "leaf" ? null : first.id;
    expect(log.leafId).toBe(isAside ? moved : entry.id);
    // What the index takes from a line's head is what the whole line says.
    await using hinted = await session.open("read", { eagerIndexBytes: 0 });
    expect(hinted.leafId).toBe(log.leafId);
    await expectConsistent(await session.open("read"));
  });

  test("is described in words", async () => {
    const entry = { ...SAMPLE_ENTRIES[type], id: "e", parentId: null, timestamp: "" };
    const { kind } = describeEntry(entry as SessionEntry);
    expect(kind).toMatch(/^[a-z][a-z ]*$/);
    expect(searchTextOf(entry as SessionEntry)).toContain(kind);
  });
});

test("a kind that nobody knows goes by the flag on its line", async () => {
  const unknown = (aside?: true): NewEntry =>
    ({ type: "of_a_newer_tau", aside }) as unknown as NewEntry;
  await using session = await temporarySession();
  await using log = await session.create();
  const first = await log.append(user("first"));
  await log.append(unknown(true));
  expect(log.leafId).toBe(first.id);
  const moving = await log.append(unknown());
  expect(log.leafId).toBe(moving.id);
  await log.close();
  await using again = await session.open("read");
  expect((await allEntries(again)).map(movesLeaf)).toEqual([true, false, true]);
  expect(again.leafId).toBe(moving.id);
  await expectConsistent(again);
  expect(kindOf(moving).messages(moving)).toEqual([]);
});

describe("entries of features", () => {
  const entry = { ...SAMPLE_ENTRIES.custom, id: "e", parentId: null, timestamp: "" };
  let remove = (): void => {};
  afterEach(() => remove());

  test("are described by their own row, or by their name", () => {
    expect(describeEntry(entry)).toEqual({ kind: "custom", text: "list" });
    remove = customKinds.register({
      customType: "list",
      describe: (one) => ({ kind: "list", text: JSON.stringify("data" in one ? one.data : "") }),
    });
    expect(describeEntry(entry)).toEqual({ kind: "list", text: '{"items":[1]}' });
    remove();
    expect(describeEntry(entry)).toEqual({ kind: "custom", text: "list" });
  });

  test.each<[string, Partial<CustomEntryKind>]>([
    ["throws an error", { describe: oops, show: oops }],
    ["gives nothing", { describe: () => undefined as never, show: () => undefined as never }],
    ["gives what cannot be drawn", { describe: oops, show: () => [null as never] }],
  ])("whose row %s are shown by their name", (_name, row) => {
    remove = customKinds.register({ customType: "list", ...row });
    expect(describeEntry(entry)).toEqual({ kind: "custom", text: "list" });
    expect(kindOf(entry).show(entry)).toEqual([
      { kind: "note", tone: "plain", text: "list", entry },
    ]);
  });
});

function oops(): never {
  throw new RangeError("oops");
}
