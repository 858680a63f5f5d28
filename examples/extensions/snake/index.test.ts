import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";
import { Snake } from "./index.ts";

test("it grows where it eats, and ends at the wall", () => {
  const game = new Snake(() => 0);
  for (let step = 0; step < 7; step++) game.step();
  assert.equal(game.score, 1);
  game.steer("left");
  game.step();
  assert.equal(game.isOver, false);
  for (let step = 0; step < 40; step++) game.step();
  assert.equal(game.isOver, true);
});

test("the screen takes arrow keys, and Esc leaves", async () => {
  const { screens, said } = await run({ prompt: "/snake", keys: ["down", "escape"] });
  assert.equal(screens[0]!.length, 17);
  assert.match(screens[0]!.at(-1)!, /0 points · Arrow keys steer/);
  assert.match(said.at(-1)!, /points\.$/);
});

test("without a terminal there is a sentence", async () => {
  const { said } = await run({ prompt: "/snake" });
  assert.deepEqual(said, ["This needs a terminal that can draw."]);
});
