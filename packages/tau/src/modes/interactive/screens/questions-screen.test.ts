// Questions of the model at the terminal: every way to an answer, that going back loses nothing, that time
// chooses only if nobody is there, and that everything can be read however small the screen is.

import { expect, test } from "bun:test";
import { displayWidth } from "@tau/tui/width";
import fc from "fast-check";
import type { PosedQuestion } from "../../../feature-api/posed-question.ts";
import { ARM_MS } from "../question-guard.ts";
import { askQuestions, type PutQuestions } from "./questions-screen.ts";
import { FakeStage, settled, type FakeStageOptions } from "./test/fake-stage.ts";

const DATABASE: PosedQuestion = {
  id: "database",
  question: "Which database should the service use?",
  options: ["SQLite", "PostgreSQL", "No database: keep everything in files"],
  multi: false,
  recommended: 1,
};
const REGIONS: PosedQuestion = {
  id: "regions",
  question: "Which regions?",
  options: ["EU", "US", "アジア"],
  multi: true,
};
const NAME: PosedQuestion = {
  id: "name",
  question: "What is it called?",
  options: [],
  multi: false,
};

/** Longer than what counts as one press. */
const APART_MS = 300;

function put(
  questions: readonly PosedQuestion[],
  more: Omit<PutQuestions, "questions"> = {},
  size: FakeStageOptions = {},
) {
  const stage = new FakeStage(size);
  const answer = askQuestions(stage, { questions, clock: stage.clock, ...more });
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      stage.wait(APART_MS);
      stage.press(key);
      await settled();
    }
  };
  const say = async (words: string): Promise<void> => {
    stage.type(words);
    stage.press("Enter");
    await settled();
    stage.rest();
  };
  stage.rest();
  return { stage, answer, press, say };
}

test("one question: Enter takes what is recommended, and the arrows and digits another one", async () => {
  for (const [keys, chosen] of [
    [["Enter"], 1],
    [["Up", "Enter"], 0],
    [["3", "Enter"], 2],
    [["Home", "Enter"], 0],
  ] as const) {
    const { answer, press } = put([DATABASE]);
    await press(...keys);
    expect(await answer).toEqual([{ selected: [chosen], words: undefined }]);
  }
});

test("how one looks, before it takes keys and then", async () => {
  const stage = new FakeStage();
  const answer = askQuestions(stage, { questions: [DATABASE], clock: stage.clock });
  await settled();
  expect(stage.picture()).toMatchSnapshot("before");
  stage.rest();
  expect(stage.picture()).toMatchSnapshot("one of three");
  stage.press("Escape");
  expect(await answer).toBeUndefined();
});

test("several of one: the order in which they were ticked, own words beside them", async () => {
  const { stage, answer, press, say } = put([REGIONS]);
  await press("Down", "Down", "Space", "Home", "Enter", "Space", "Space");
  expect(stage.picture()).toMatchSnapshot("two ticked");
  await press("Down", "Down", "Down", "Enter");
  await say("and the moon");
  expect(stage.picture()).toMatchSnapshot("own words, and done");
  await press("Enter");
  expect(await answer).toEqual([{ selected: [2, 0], words: "and the moon" }]);
});

test("own words are typed in a place of their own; leaving it leads back", async () => {
  const { stage, answer, press, say } = put([DATABASE]);
  await press("End", "Enter");
  expect(stage.picture()).toMatchSnapshot("own words");
  await press("Escape");
  stage.rest();
  expect(stage.isQuestion).toBe(true);
  await press("End", "Enter");
  await say("a spreadsheet");
  expect(await answer).toEqual([{ selected: [], words: "a spreadsheet" }]);
});

test("back and forth keeps every answer, and all are looked at before they are sent", async () => {
  const { stage, answer, press, say } = put([DATABASE, REGIONS, NAME]);
  await press("Enter", "Space", "Right", "Enter");
  await say("Ada");
  expect(stage.picture()).toMatchSnapshot("all answers");
  await press("Left", "Left", "Left");
  expect(stage.picture()).toContain("● PostgreSQL");
  await press("Up", "Enter");
  expect(stage.picture()).toContain("☑ EU");
  await press("Right", "Right", "Enter");
  expect(await answer).toEqual([
    { selected: [0], words: undefined },
    { selected: [0], words: undefined },
    { selected: [], words: "Ada" },
  ]);
});

test("an option takes the place of own words, and own words of an option; blanks take them back", async () => {
  const { stage, answer, press, say } = put([DATABASE, NAME]);
  await press("End", "Enter");
  await say("a spreadsheet");
  expect(stage.picture()).toContain("What is it called?");
  await press("Left");
  expect(stage.picture()).toContain("● Other: a spreadsheet");
  await press("Home", "Enter", "Left", "End", "Enter");
  expect(stage.picture()).not.toContain("a spreadsheet");
  await say("paper");
  await press("Left", "Home", "Enter", "Enter");
  await say("Ada");
  await press("Left", "Enter");
  stage.press("Ctrl+U");
  await say(" ");
  await press("Right");
  expect(stage.picture()).toContain("not answered yet");
  await press("Enter", "Enter");
  await say("Bob");
  await press("Enter");
  expect(await answer).toEqual([
    { selected: [0], words: undefined },
    { selected: [], words: "Bob" },
  ]);
});

test("what is passed over is said to be open, and Enter goes there", async () => {
  const { stage, answer, press } = put([DATABASE, REGIONS]);
  await press("Right", "Right");
  expect(stage.picture()).toContain("not answered yet");
  await press("Enter");
  expect(stage.picture()).toContain("Which database");
  await press("Escape");
  expect(await answer).toBeUndefined();
});

test("more options than rows, and long ones: the marked one is in view, with its place", async () => {
  const long = "A label that goes on and on, because whoever wrote it wanted to be clear. ".repeat(
    3,
  );
  const options = Array.from({ length: 40 }, (_, at) => (at === 20 ? long : `Option ${at + 1}`));
  const { stage, answer, press } = put([{ ...DATABASE, options, recommended: 20 }]);
  expect(stage.picture()).toMatchSnapshot("the long one");
  await press("End");
  expect(stage.picture()).toMatchSnapshot("the end");
  await press("Escape");
  expect(await answer).toBeUndefined();
});

test("a key that is held down answers one question", async () => {
  const { stage, answer, press } = put([DATABASE, DATABASE, DATABASE]);
  for (let at = 0; at < 60; at++) {
    stage.press("Enter");
    stage.wait(33);
  }
  expect(stage.picture()).toContain("2 of 3");
  await press("Escape");
  expect(await answer).toBeUndefined();
});

test("time takes what is recommended, but not from somebody who is there", async () => {
  const timed = { pickWithinMs: 5_000 };
  const alone = put([DATABASE, REGIONS, NAME], timed);
  expect(alone.stage.picture()).toContain("In 5 s what is open will be chosen for you.");
  alone.stage.wait(5_000);
  expect(await alone.answer).toEqual([
    { selected: [1], isByTime: true },
    { selected: [0], isByTime: true },
    { selected: [], isByTime: true },
  ]);
  const there = put([DATABASE, REGIONS], timed);
  await there.press("Up", "Enter");
  for (let at = 0; at < 5; at++) {
    there.stage.wait(4_000);
    await there.press("Down");
  }
  expect(there.stage.picture()).toContain("2 of 2");
  there.stage.wait(5_000);
  expect(await there.answer).toEqual([
    { selected: [0], words: undefined },
    { selected: [0], isByTime: true },
  ]);
});

test("own words have all the time there is", async () => {
  const { stage, answer, press, say } = put([DATABASE], { pickWithinMs: 2_000 });
  await press("End", "Enter");
  stage.wait(60_000);
  await say("slowly");
  expect(await answer).toEqual([{ selected: [], words: "slowly" }]);
});

test("whoever asks can withdraw it, also from own words", async () => {
  for (const keys of [[], ["End", "Enter"]]) {
    const over = new AbortController();
    const { stage, answer, press } = put([DATABASE], { signal: over.signal });
    await press(...keys);
    over.abort();
    expect(await answer).toBeUndefined();
    expect(stage.depth).toBe(0);
  }
});

const key = fc.constantFrom("1", "2", "a", "Space", "Enter", "Down", "Right", "Left", "y");

test("law: whoever goes on typing answers nothing", async () => {
  const pressed = fc.record({ key, gap: fc.integer({ min: 0, max: ARM_MS - 1 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(pressed, { maxLength: 30 }), async (keys) => {
      const stage = new FakeStage();
      stage.press("a");
      const answer = askQuestions(stage, { questions: [REGIONS, DATABASE], clock: stage.clock });
      for (const { key: name, gap } of keys) {
        stage.wait(gap);
        stage.press(name);
        await settled();
      }
      expect(stage.depth).toBe(1);
      stage.rest();
      expect(stage.picture()).toContain("☐ EU");
      stage.press("Escape");
      expect(await answer).toBeUndefined();
    }),
    { numRuns: 40 },
  );
});

test("law: whatever is asked on whatever screen, what is marked is in sight and no row is too wide", async () => {
  const words = fc.string({
    unit: fc.constantFrom("a", "料", " ", "é", "\n", "👩‍🚀"),
    maxLength: 300,
  });
  const posed = fc.record({
    question: words,
    options: fc.array(words, { maxLength: 30 }),
    multi: fc.boolean(),
    place: fc.nat(40),
    columns: fc.integer({ min: 12, max: 100 }),
    rows: fc.integer({ min: 6, max: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(posed, async ({ question, options, multi, place, columns, rows }) => {
      const one = { id: "q", question, options, multi };
      const { stage, answer } = put([one], {}, { columns, rows });
      for (let at = 0; at < place; at++) stage.press("Down");
      const shown = stage.window();
      expect(shown.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...shown.map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(shown.filter((row) => row.includes("❯"))).toHaveLength(1);
      stage.press("Escape");
      expect(await answer).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});
