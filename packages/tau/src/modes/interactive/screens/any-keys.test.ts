// Whatever keys somebody presses, in whatever order and at whatever size: no screen fails, none
// is larger than the terminal, and what did not change looks the same again.

import { expect, test } from "bun:test";
import { displayWidth } from "@tau/tui/width";
import fc from "fast-check";
import { ALL_SCREENS } from "./test/all-screens.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { SCREEN_ACTIONS } from "./screen-actions.ts";

const chords = [
  ...new Set(SCREEN_ACTIONS.flatMap(({ defaultKeys }) => defaultKeys)),
  ..."Up Down PageUp PageDown Home End Left Right Tab Enter Enter Escape Backspace".split(" "),
];
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ press: fc.constantFrom(...chords) }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom("a", "e", "7", "é", "日", " ", "y", "n") }),
  },
  { weight: 1, arbitrary: fc.record({ paste: fc.constantFrom("two words", "\x1b[2J\n", "👩‍👩‍👧") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      columns: fc.integer({ min: 1, max: 200 }),
      rows: fc.integer({ min: 1, max: 50 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ wait: true }) },
);

for (const [name, { open }] of Object.entries(ALL_SCREENS)) {
  test(`law: ${name} stands whatever is pressed`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const stage = new FakeStage();
        const closing = new AbortController();
        const answer = open(stage, closing.signal);
        await settled();
        for (const next of steps) {
          if (stage.depth === 0) break;
          if ("press" in next) stage.press(next.press);
          else if ("type" in next) stage.type(next.type);
          else if ("paste" in next) stage.paste(next.paste);
          else if ("columns" in next) stage.size = next;
          else {
            await settled();
            stage.rest();
          }
          if (stage.depth === 0) break;
          const { columns, rows } = stage.size;
          const drawn = stage.rows();
          expect(stage.rows()).toEqual([...drawn]);
          // A dialog over a screen is cut by whoever lays it there, and so is a question, which may
          // also wait as a strip of two rows.
          if (stage.isQuestion)
            expect(stage.window().length).toBeLessThanOrEqual(Math.max(rows, 2));
          else if (stage.depth === 1) expect(drawn.length).toBeLessThanOrEqual(rows);
          for (const row of drawn) expect(displayWidth(row)).toBeLessThanOrEqual(columns);
        }
        closing.abort();
        await settled();
        expect(stage.depth).toBe(0);
        await answer;
      }),
      { numRuns: 25 },
    );
  });
}
