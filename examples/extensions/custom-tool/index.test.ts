import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

const counting = (path?: string) => [
  { calls: [{ name: "count_lines", arguments: path ? { path } : {} }] },
];

test("lines are counted by ending, and what is installed is left alone", async () => {
  const { results } = await run({
    prompt: "How large is it?",
    files: { "a.ts": "1\n2\n3\n", "src/b.ts": "1\n", "c.md": "1\n", "node_modules/x.ts": "1\n2\n" },
    model: counting(),
  });
  assert.deepEqual(results, [".ts 4\n.md 1"]);
});

test("a directory that is not there is a failure that the model can read", async () => {
  const { results } = await run({ prompt: "And this?", model: counting("nowhere") });
  assert.deepEqual(results, [
    "There is no directory nowhere; list the parent to see what there is.",
  ]);
});
