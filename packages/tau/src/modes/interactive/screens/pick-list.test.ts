import { expect, test } from "bun:test";
import fc from "fast-check";
import { layOutColumns } from "./pick-columns.ts";
import { PickList, type PickRow } from "./pick-list.ts";
import { rankTexts } from "./rank-texts.ts";
import { FakeStage } from "./test/fake-stage.ts";

const ranked = (query: string, ...texts: string[]): string[] =>
  rankTexts(query, texts, (text) => [text]);

test("a whole word goes before its beginning, that before a part, that before letters", () => {
  const texts = ["a-b-c-d", "xxabcxx", "x abcd", "abcd", "abc"];
  expect(ranked("abc", ...texts)).toEqual(["abc", "abcd", "x abcd", "xxabcxx", "a-b-c-d"]);
});

test("each word must be there, in any order; letters far apart are no match", () => {
  expect(ranked("four opus", "claude-opus-four", "opus", "four")).toEqual(["claude-opus-four"]);
  expect(ranked("oai", "openai/gpt", "octopus are intelligent")).toEqual(["openai/gpt"]);
  expect(ranked("  ", "b", "a")).toEqual(["b", "a"]);
});

test("law: what is found has all letters of each word in order, and nothing twice", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", " "), maxLength: 12 });
  const query = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 5 });
  fc.assert(
    fc.property(query, fc.uniqueArray(text, { maxLength: 12 }), (wanted, texts) => {
      const found = ranked(wanted, ...texts);
      expect(new Set(found).size).toBe(found.length);
      for (const word of wanted.split(" ").filter(Boolean)) {
        const pattern = new RegExp([...word].join(".*"));
        for (const each of found) expect(each).toMatch(pattern);
      }
      const words = wanted.split(" ").filter(Boolean);
      for (const each of texts) {
        if (words.every((word) => each.includes(word))) expect(found).toContain(each);
      }
    }),
  );
});

test("law: columns take no more than there is, and no more than they need", () => {
  const column = fc.record(
    {
      least: fc.integer({ min: 1, max: 10 }),
      yields: fc.integer({ min: 1, max: 3 }),
      isExtra: fc.constant(true as const),
    },
    { requiredKeys: ["least"] },
  );
  const given = fc.array(fc.tuple(column, fc.nat(60)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(given, fc.integer({ min: 60, max: 200 }), (columns, room) => {
      const natural = columns.map(([, width]) => width);
      const widths = layOutColumns(
        columns.map(([each]) => each),
        natural,
        room,
      );
      const shown = widths.filter((width) => width > 0);
      const used = shown.reduce((sum, width) => sum + width, 2 * Math.max(0, shown.length - 1));
      expect(used).toBeLessThanOrEqual(room);
      for (const [index, width] of widths.entries()) {
        expect(width).toBeLessThanOrEqual(natural[index]!);
        const least = Math.min(natural[index]!, columns[index]![0].least);
        expect(width === 0 || width >= least).toBe(true);
      }
    }),
  );
});

test("law: the selected row is always seen, wherever one goes", () => {
  const action = fc.constantFrom("up", "down", "pageUp", "pageDown", "first", "last");
  const groups = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      groups,
      fc.array(action, { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      (sizes, moves, height) => {
        const rows = sizes.flatMap((size, group) =>
          Array.from({ length: size }, (_, at): PickRow<number> => {
            const id = `g${group}r${at}`;
            return { id, value: at, group: `group ${group}`, cells: [id], texts: [id] };
          }),
        );
        const list = new PickList<number>({ stage: new FakeStage(), columns: [{}], empty: "none" });
        list.setRows(rows);
        for (const move of moves) {
          list.move(`selection.${move}`);
          const drawn = list.render(height, 40);
          expect(drawn.length).toBeLessThanOrEqual(height);
          expect(drawn.filter((row) => row.startsWith("❯"))).toEqual([`❯   ${list.selected!.id}`]);
        }
      },
    ),
  );
});

test("the selection stays with its row when rows come and go", () => {
  const row = (id: string): PickRow<string> => ({ id, value: id, cells: [id], texts: [id] });
  const list = new PickList<string>({ stage: new FakeStage(), columns: [{}], empty: "none" });
  list.setRows(["a", "b", "c"].map(row));
  list.select("b");
  list.setRows(["x", "a", "b"].map(row));
  expect(list.selected?.id).toBe("b");
  list.setRows(["x"].map(row));
  expect(list.selected?.id).toBe("x");
  list.setRows([]);
  expect(list.selected).toBeUndefined();
  list.move("selection.down");
  expect(list.render(5, 20)).toEqual(["  none"]);
});
