// Whoever opened a screen may close it: then it is gone with all that it opened, at once.

import { expect, test } from "bun:test";
import { ALL_SCREENS } from "./test/all-screens.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";

for (const [name, { open, keys }] of Object.entries(ALL_SCREENS)) {
  test(`${name}: closed from outside, with what stands over it`, async () => {
    const stage = new FakeStage();
    const closing = new AbortController();
    const answer = open(stage, closing.signal);
    await settled();
    stage.press(...keys);
    await settled();
    if (keys.length > 0 && name !== "transcript") expect(stage.depth).toBe(2);
    closing.abort();
    await settled();
    expect(stage.depth).toBe(0);
    expect((await answer) ?? []).toEqual([]);
  });
}
