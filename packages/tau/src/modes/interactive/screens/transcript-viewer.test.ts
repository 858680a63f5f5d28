import { expect, test } from "bun:test";
import { builtInTheme } from "@tau/tui/theme/built-in-theme";
import fc from "fast-check";
import { TranscriptBlocks, type TranscriptSource } from "./transcript-blocks.ts";
import { openTranscriptViewer } from "./transcript-viewer.ts";
import { TranscriptWindow } from "./transcript-window.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

/** Blocks of so many rows, some of them only after a while. */
function sourceOf(
  heights: readonly number[],
  late: ReadonlySet<number> = new Set(),
): TranscriptSource {
  return {
    length: heights.length,
    block: (index) => {
      const rows = Array.from({ length: heights[index]! }, (_, row) => `${index}.${row}`);
      return late.has(index) ? Promise.resolve(rows) : rows;
    },
  };
}

const quiet = {
  onReady: () => undefined,
  onFailure: (error: Error) => expect(error).toBeUndefined(),
};

test("law: scrolling shows what scrolling through all rows at once would show", async () => {
  const move = fc.record({
    how: fc.constantFrom("up" as const, "down" as const, "top" as const, "end" as const),
    rows: fc.integer({ min: 1, max: 30 }),
  });
  const heights = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      heights,
      fc.array(fc.nat(29), { maxLength: 10 }),
      fc.integer({ min: 1, max: 12 }),
      fc.array(move, { maxLength: 20 }),
      async (blocks, late, height, moves) => {
        const all = blocks.flatMap((count, index) =>
          Array.from({ length: count }, (_, row) => `${index}.${row}`),
        );
        const last = Math.max(0, all.length - height);
        let at = last;
        const kept = new TranscriptBlocks(sourceOf(blocks, new Set(late)), {
          ...quiet,
          onReady: () => window.settle(),
        });
        const window = new TranscriptWindow(kept);
        kept.setColumns(80);
        window.setHeight(height);
        const look = async (): Promise<string[]> => {
          for (let turn = 0; turn < blocks.length; turn += 1) {
            const seen = window.rows();
            if (!seen.some(({ text }) => text === "…")) break;
            await settled();
          }
          return window.rows().map(({ text }) => text);
        };
        expect(await look()).toEqual(all.slice(at, at + height));
        for (const { how, rows } of moves) {
          if (how === "up") window.up(rows);
          if (how === "down") window.down(rows);
          if (how === "top") window.toTop();
          if (how === "end") window.toEnd();
          await settled();
          const target = { up: at - rows, down: at + rows, top: 0, end: last }[how];
          at = Math.max(0, Math.min(target, last));
          expect(await look()).toEqual(all.slice(at, at + height));
        }
      },
    ),
    { numRuns: 60 },
  );
});

const SAID = [
  ["you: The parser fails on empty input"],
  ["tau: I will read it.", "", "read src/parser.ts", "  12 lines"],
  ["tau: It lacks a guard.", "tau: I have added one."],
];
const source: TranscriptSource = { length: SAID.length, block: (index) => SAID[index]! };

test("it opens at the end and closes with Esc, Ctrl+O and q", async () => {
  const stage = new FakeStage();
  for (const key of ["Escape", "Ctrl+O", "q", "Ctrl+C"]) {
    const answer = openTranscriptViewer(stage, { source });
    if (key === "q") expect(stage.picture()).toMatchSnapshot();
    stage.press(key);
    expect(await answer).toBeUndefined();
  }
  void openTranscriptViewer(stage, { source });
  expectLawful(stage);
});

test("a long conversation is laid out only where it is looked at", async () => {
  const asked = new Set<number>();
  const long: TranscriptSource = {
    length: 10_000,
    block: (index) => {
      asked.add(index);
      return [`block ${index}`, "…", ""];
    },
  };
  const stage = new FakeStage({ columns: 200, rows: 50 });
  void openTranscriptViewer(stage, { source: long });
  expect(stage.picture()).toContain("block 9999");
  expect(asked.size).toBeLessThan(50);
  stage.press("Home");
  expect(stage.picture()).toContain("block 0");
  expect(stage.picture()).toContain("beginning");
  stage.press("PageDown", "PageDown", "PageUp", "End", "PageUp");
  expect(stage.picture()).toContain("block 9980");
  expect(asked.size).toBeLessThan(250);
});

test("what is kept is bounded, however far one scrolls", () => {
  const blocks = new TranscriptBlocks(sourceOf(Array.from({ length: 5000 }, () => 9)), quiet);
  const window = new TranscriptWindow(blocks);
  blocks.setColumns(80);
  window.setHeight(40);
  for (let page = 0; page < 1000; page += 1) {
    window.rows();
    window.up(39);
  }
  expect(window.rows()).toHaveLength(40);
  expect(blocks.keptRows).toBeLessThanOrEqual(5010);
});

test("at the end it stays there while more comes", () => {
  const said = ["one", "two"];
  let revision = 0;
  const growing: TranscriptSource = {
    get length() {
      return said.length;
    },
    block: (index) => [said[index]!],
    revision: (index) => (index === said.length - 1 ? revision : 0),
  };
  const stage = new FakeStage({ rows: 6 });
  void openTranscriptViewer(stage, { source: growing });
  expect(stage.picture()).toContain("two");
  said.push("three", "four", "five");
  expect(stage.picture()).toContain("five");
  said[4] = "five and more";
  revision += 1;
  expect(stage.picture()).toContain("five and more");
  stage.press("Up");
  said.push("six");
  expect(stage.picture()).not.toContain("six");
});

test("a search goes from the end to the beginning and round; what is found is seen", async () => {
  const many: TranscriptSource = {
    length: 400,
    block: async (index) => [`block ${index}`, index % 100 === 50 ? "a Needle here" : "hay"],
  };
  const stage = new FakeStage();
  const answer = openTranscriptViewer(stage, { source: many });
  await settled();
  const found = async (): Promise<string> => {
    for (let turn = 0; turn < 500 && !stage.picture().includes("needle: found"); turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await settled();
    return stage.picture();
  };
  stage.press("/");
  stage.type("needle");
  expect(stage.picture()).toContain("❯ needle");
  expect(stage.caret).toBeDefined();
  stage.press("Enter");
  expect(await found()).toContain("block 350");
  stage.press("n");
  expect(await found()).toContain("block 250");
  stage.press("Shift+N");
  expect(await found()).toContain("block 350");
  stage.press("Shift+N");
  expect(await found()).toContain("block 50\n");
  stage.press("/");
  stage.type("nowhere");
  stage.press("Enter");
  for (let turn = 0; turn < 500 && !stage.picture().includes("not found"); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(stage.picture()).toContain("nowhere: not found");
  stage.press("/", "Escape", "Escape");
  expect(await answer).toBeUndefined();
});

test("closing ends a search; a block that fails is said", async () => {
  let reads = 0;
  const endless: TranscriptSource = {
    length: 1_000_000,
    block: (index) => {
      reads += 1;
      return [`${index}`];
    },
  };
  const stage = new FakeStage();
  const answer = openTranscriptViewer(stage, { source: endless });
  stage.press("/");
  stage.type("zzz");
  stage.press("Enter");
  await settled();
  stage.press("Escape");
  await answer;
  await settled();
  const after = reads;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads).toBe(after);
  const failing: TranscriptSource = {
    length: 1,
    block: () => Promise.reject(new Error("the disk is gone")),
  };
  void openTranscriptViewer(stage, { source: failing });
  stage.rows();
  await settled();
  expect(stage.picture()).toContain("A part cannot be shown: the disk is gone");
});

test("matches are shown where they stand, whatever is painted around them", async () => {
  const theme = builtInTheme("dark", { depth: "truecolor" });
  const stage = new FakeStage({ theme });
  const painted = `\x1b[31mred 日本 needle\x1b[39m and Needle`;
  void openTranscriptViewer(stage, { source: { length: 1, block: () => [painted] } });
  stage.press("/");
  stage.type("needle");
  stage.press("Enter");
  await settled();
  const row = stage.rows().find((each) => each.includes("日本"))!;
  expect(Bun.stripANSI(row)).toBe("red 日本 needle and Needle");
  expect(row).toContain("\x1b[7mneedle\x1b[27m");
  expect(row).toContain("\x1b[7mNeedle\x1b[27m");
});

test("rows that are too wide or would act on the terminal do neither", () => {
  const stage = new FakeStage();
  const rows = [
    `\x1b[2J\x1b[31m${"wide ".repeat(100)}\x1b[39m`,
    NASTY.replaceAll(/[\x07\n\t\u202e]/g, ""),
  ];
  void openTranscriptViewer(stage, { source: { length: 1, block: () => rows } });
  expectLawful(stage);
});
