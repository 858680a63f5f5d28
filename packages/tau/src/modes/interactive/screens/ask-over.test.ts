import { expect, test } from "bun:test";
import { askOneOf } from "./ask-over.ts";
import { FakeStage } from "./test/fake-stage.ts";

test("what is selected stays in sight, also when the screen becomes smaller meanwhile", async () => {
  const stage = new FakeStage({ rows: 30 });
  const items = Array.from({ length: 20 }, (_, index) => ({
    value: index,
    label: `item ${index}`,
  }));
  const answer = askOneOf(stage, { title: "Which", items });
  expect(stage.rows()).toHaveLength(22);
  stage.size = { columns: 40, rows: 9 };
  stage.press("End");
  expect(stage.rows().length).toBeLessThanOrEqual(9);
  expect(stage.picture()).toContain("item 19");
  stage.press("Enter");
  expect(await answer).toBe(19);
});
