// Questions of extensions: typing is never a yes, and what can be answered is always in sight.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { ARM_MS } from "../question-guard.ts";
import { askToConfirm, askToSelect } from "./extension-question.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";

const key = fc.constantFrom("y", "e", "s", "Enter", "Enter", "Down", "Up", "n", "Space");

test("law: whoever goes on typing never says yes", async () => {
  const pressed = fc.record({ key, gap: fc.integer({ min: 0, max: ARM_MS - 1 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(pressed, { maxLength: 30 }), async (keys) => {
      const stage = new FakeStage();
      stage.press("a");
      const answer = askToConfirm(stage, { from: "gate", title: "Run this?" });
      for (const { key: name, gap } of keys) {
        stage.wait(gap);
        stage.press(name);
        await settled();
      }
      expect(stage.depth).toBe(1);
      stage.rest();
      stage.press("Escape");
      expect(await answer).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test("Enter alone is no; yes has to be marked first", async () => {
  for (const [keys, said] of [
    [["Enter"], false],
    [["y", "Enter"], true],
    [["Down", "Enter"], true],
    [["Up", "Enter"], false],
    [["Escape"], false],
  ] as const) {
    const stage = new FakeStage();
    const answer = askToConfirm(stage, { title: "Run this?", message: "ls" });
    await settled();
    stage.rest();
    stage.press(...keys);
    expect(await answer).toBe(said);
  }
});

test("law: however long the words and however small the screen, the choices are in sight", async () => {
  const size = fc.record({
    columns: fc.integer({ min: 20, max: 120 }),
    rows: fc.integer({ min: 6, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(size, fc.integer({ min: 0, max: 200 }), async (given, lines) => {
      const stage = new FakeStage(given);
      const message = Array.from({ length: lines }, (_, at) => `line ${at}`).join("\n");
      const answer = askToSelect(stage, {
        from: "gate",
        title: "Which one?",
        message,
        choices: [{ value: "first" }, { value: "second" }],
      });
      await settled();
      stage.rest();
      const shown = stage.window();
      expect(shown.length).toBeLessThanOrEqual(given.rows);
      expect(shown.join("\n")).toContain("first");
      expect(shown.join("\n")).toContain("second");
      stage.press("Down", "Enter");
      expect(await answer).toBe("second");
    }),
    { numRuns: 60 },
  );
});

test("two choices that look the same are told apart by their place", async () => {
  const stage = new FakeStage();
  const choices = [
    { value: "a", label: "same" },
    { value: "b", label: "same" },
  ];
  const answer = askToSelect(stage, { title: "Which?", choices });
  await settled();
  stage.rest();
  stage.press("Down", "Enter");
  expect(await answer).toBe("b");
});
