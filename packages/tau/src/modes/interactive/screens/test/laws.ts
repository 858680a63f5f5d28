// What holds for every screen, whatever it shows: it is never wider or taller than the
// terminal, and no control character of what it shows gets through.

import { expect } from "bun:test";
import { displayWidth } from "@tau/tui/width";
import type { FakeStage } from "./fake-stage.ts";

const WIDTHS = [10, 11, 17, 24, 33, 40, 57, 79, 80, 81, 100, 131, 160, 199, 200];
const HEIGHTS = [1, 2, 3, 5, 8, 12, 24, 50];

/** Something that would act on a terminal, and something wide: put it where text is shown. */
export const NASTY = "a\x1b[31mb\u202ec\x07日本語👩‍👩‍👧\td\ne";

export function expectLawful(stage: FakeStage): void {
  const { size } = stage;
  for (const rows of HEIGHTS) {
    for (const columns of WIDTHS) {
      stage.size = { columns, rows };
      const shown = stage.rows(columns);
      expect(shown.length).toBeLessThanOrEqual(Math.max(rows, 1));
      for (const row of shown) {
        expect(displayWidth(row)).toBeLessThanOrEqual(columns);
        expect(row.replace(/\x1b\[[\d;]*m|\x1b\]8;;[!-~]*\x1b\\/g, "")).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u202e]/,
        );
      }
    }
  }
  stage.size = size;
}
