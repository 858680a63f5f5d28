import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

const trial = {
  prompt: "Clean up.",
  files: { "old/a.txt": "a" },
  model: [{ calls: [{ name: "bash", arguments: { command: "rm -rf old" } }] }],
};

test("nobody is there: it is refused", async () => {
  const { results, file } = await run(trial);
  assert.deepEqual(results, ["Refused: it deletes files."]);
  assert.equal(file("old/a.txt"), "a");
});

test("a no keeps the files, a yes does not", async () => {
  assert.equal((await run({ ...trial, answers: [false] })).file("old/a.txt"), "a");
  assert.equal((await run({ ...trial, answers: [true] })).file("old/a.txt"), undefined);
});

test("other commands are not asked about", async () => {
  const { results } = await run({
    ...trial,
    model: [{ calls: [{ name: "bash", arguments: { command: "cat old/a.txt" } }] }],
  });
  assert.deepEqual(results, ["a"]);
});
