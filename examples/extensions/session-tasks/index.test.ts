import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

test("tasks are added, finished and shown", async () => {
  const { results, said } = await run({
    prompts: ["Plan it.", "/tasks"],
    model: [
      { calls: [{ name: "tasks", arguments: { add: "write a test" } }] },
      { calls: [{ name: "tasks", arguments: { add: "mend the bug" } }] },
      { calls: [{ name: "tasks", arguments: { finish: 1 } }] },
      { calls: [{ name: "tasks", arguments: { finish: 9 } }] },
      { text: "Planned." },
    ],
  });
  assert.equal(results[2], "1. [x] write a test\n2. [ ] mend the bug");
  assert.equal(results[3], "There is no task 9; there are 2.");
  assert.equal(said.at(-1), "1. [x] write a test\n2. [ ] mend the bug");
});
