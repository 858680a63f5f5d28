// Ids that come out the same each time and never twice in one request.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { stableId, uniqueIds } from "./stable-id.ts";

test("an id depends on the text alone, has the length asked for, and rarely collides", () => {
  expect(stableId("a", 9)).toBe(stableId("a", 9));
  const ids = new Set(Array.from({ length: 20_000 }, (_, at) => stableId(`call_${at}`, 9)));
  expect(ids.size).toBe(20_000);
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (text, length) => {
      expect(stableId(text, length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
    }),
    { seed: 18 },
  );
});

test("no id is given out twice, and a longer history keeps the ids of a shorter one", () => {
  const id = fc.constantFrom("a", "b", "a_2", "");
  fc.assert(
    fc.property(fc.array(id, { maxLength: 12 }), (ids) => {
      const give = uniqueIds((value) => value || "none");
      const given = ids.map(give);
      expect(new Set(given).size).toBe(ids.length);
      const shorter = uniqueIds((value) => value || "none");
      expect(ids.slice(0, -1).map(shorter)).toEqual(given.slice(0, -1));
    }),
    { seed: 19 },
  );
});
