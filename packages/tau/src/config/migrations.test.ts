import { expect, test } from "bun:test";
import fc from "fast-check";
import { migrationOf, SETTINGS_VERSION, withChange } from "./migrations.ts";

const migrated = (tree: Record<string, unknown>): Record<string, unknown> =>
  migrationOf(tree).changes.reduce<Record<string, unknown>>(withChange, tree);

test.each([
  [{ queueMode: "all" }, { steeringMode: "all" }],
  [{ queueMode: "all", steeringMode: "one-at-a-time" }, { steeringMode: "one-at-a-time" }],
  [
    { disabledProviders: ["openai", "claude", "native", { path: "/x", providers: ["y"] }] },
    {
      disabledProviders: ["openai", { path: "/x", providers: ["y"] }],
      disabledSources: ["claude", "tau"],
    },
  ],
  [
    { disabledProviders: ["cursor"], disabledSources: ["cursor", "cline"] },
    {
      disabledProviders: [],
      disabledSources: ["cursor", "cline"],
    },
  ],
  [
    { lastChangelogVersion: "1.2.3", compaction: { enabled: true } },
    { compaction: { enabled: true } },
  ],
])("%j", (before, after) => {
  expect(migrated(before)).toEqual(after);
});

test("a file of the current version, or a later one, is left as it is", () => {
  const tree = { configVersion: SETTINGS_VERSION, queueMode: "all" };
  expect(migrationOf(tree)).toEqual({ changes: [], isTooNew: false });
  expect(migrationOf({ configVersion: SETTINGS_VERSION + 1 }).isTooNew).toBe(true);
});

test("what was migrated has nothing left to migrate, and nothing else is touched", () => {
  const key = fc.constantFrom("queueMode", "steeringMode", "disabledProviders", "a", "b.c");
  const value = fc.oneof(
    fc.constantFrom("all", 7, null),
    fc.array(fc.constantFrom("claude", "openai", "native", 3), { maxLength: 4 }),
    fc.record({ x: fc.integer() }),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), (tree) => {
      const once = migrated(tree);
      expect(migrated(once)).toEqual(once);
      for (const name of ["a", "b.c"]) expect(once[name]).toEqual(tree[name]);
    }),
  );
});
