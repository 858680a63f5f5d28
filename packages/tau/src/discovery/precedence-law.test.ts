// One order everywhere, whatever order things were found in.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { isInForce, type DiscoveredItem } from "./item.ts";
import { inOrder, type Ranked } from "./precedence.ts";
import { SOURCE_IDS, SOURCES } from "../config/sources.ts";

const ranked: fc.Arbitrary<Ranked> = fc
  .record({
    kind: fc.constantFrom("skills", "commands", "mcp"),
    name: fc.constantFrom("a", "b"),
    source: fc.constantFrom(...SOURCE_IDS),
    level: fc.constantFrom("user", "project"),
    depth: fc.integer({ min: 0, max: 3 }),
    isInert: fc.boolean(),
    isHeld: fc.boolean(),
    row: fc.integer({ min: 0, max: 5 }),
  } as const)
  .map(({ row, isHeld, ...item }) => ({
    row,
    item: {
      ...item,
      depth: item.level === "user" ? 0 : item.depth,
      path: `/${item.level}/${item.depth}/${item.source}/${row}/${item.name}`,
      holder: "/",
      frontmatter: {},
      isShadowed: false,
      ...(isHeld && { heldBack: { reason: "outside", why: "it does" } as const }),
    },
  }));

const rank = ({ level, depth, source }: DiscoveredItem): [number, number, number] => [
  level === "project" ? 0 : 1,
  depth,
  -SOURCES[source].priority,
];

function isBefore(a: DiscoveredItem, b: DiscoveredItem): boolean {
  const [one, other] = [rank(a), rank(b)];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at === -1 || one[at]! < other[at]!;
}

test("of each name exactly one counts, and none that could comes before it", () => {
  fc.assert(
    fc.property(fc.array(ranked, { maxLength: 20 }), (found) => {
      const items = inOrder(found);
      expect(items.length).toBe(found.length);
      const able = items.filter((item) => !item.isInert && item.heldBack === undefined);
      for (const group of Map.groupBy(able, ({ kind, name }) => `${kind} ${name}`).values()) {
        const winners = group.filter(isInForce);
        expect(winners.length).toBe(1);
        for (const item of group) {
          expect(isBefore(winners[0]!, item)).toBe(true);
          if (item !== winners[0]) expect(item.shadowedBy).toBe(winners[0]!);
        }
      }
    }),
  );
});

test("it does not matter in which order things were found", () => {
  const distinct = fc.uniqueArray(ranked, {
    maxLength: 12,
    selector: ({ item, row }) => `${rank(item).join()} ${row}`,
  });
  fc.assert(
    fc.property(distinct, fc.infiniteStream(fc.nat()), (found, numbers) => {
      const shuffled = found
        .map((one) => ({ one, at: numbers.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
      expect(inOrder(shuffled)).toEqual(inOrder(found));
    }),
  );
});
