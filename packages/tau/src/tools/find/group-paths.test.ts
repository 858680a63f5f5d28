// Grouping loses no path and no order that it promises to keep.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { groupPaths } from "./group-paths.ts";

/** Reads the grouped form back as a model would. */
function ungroup(text: string): string[] {
  let directory = "";
  return text.split("\n").flatMap((row) => {
    const heading = /^# (.*\/)$/.exec(row);
    if (heading) directory = heading[1]!;
    return heading ? [] : [`${directory}${row}`];
  });
}

const name = fc.string({ unit: fc.constantFrom(..."abcä.-_ "), minLength: 1, maxLength: 6 });
const path = fc
  .tuple(
    fc.array(name, { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "/"),
    fc.constantFrom("", "/"),
  )
  .map(([names, root, end]) => `${root}${names.join("/")}${end}`);

test("law: every path comes back; groups and names keep the order of the newest", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1 }), (paths) => {
      const { text, shown } = groupPaths(paths);
      expect(shown).toBe(paths.length);
      const back = ungroup(text);
      expect(back.toSorted()).toEqual(paths.toSorted());
      const directoryOf = (one: string) => one.slice(0, one.lastIndexOf("/", one.length - 2) + 1);
      for (const directory of new Set(paths.map(directoryOf))) {
        const within = (one: string) => directoryOf(one) === directory;
        expect(back.filter(within)).toEqual(paths.filter(within));
      }
      const headed = (all: string[]) => [...new Set(all.map(directoryOf))].filter(Boolean);
      expect(headed(back)).toEqual(headed(paths));
    }),
  );
});

test("law: what is shown is a prefix of the newest and never more than the bound", () => {
  fc.assert(
    fc.property(fc.uniqueArray(path), fc.integer({ min: 0, max: 200 }), (paths, maxBytes) => {
      const { text, shown } = groupPaths(paths, maxBytes);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      const back = text === "" ? [] : ungroup(text);
      expect(back.toSorted()).toEqual(paths.slice(0, shown).toSorted());
    }),
  );
});

test("a name with a line break stays on its line", () => {
  expect(groupPaths(["a\nb/c\x07\x7f"]).text).toBe("# a\\nb/\nc\\u0007\\u007f");
});
