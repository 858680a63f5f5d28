import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

test("it counts turns, and brings nothing else", async () => {
  const { statuses, problems } = await run({
    prompt: "Look.",
    model: [{ calls: [{ name: "bash", arguments: { command: "true" } }] }, { text: "Seen." }],
  });
  assert.match(statuses.at(-1) ?? "", /^clock: 2 turns in \d+\.\d s$/);
  assert.deepEqual(problems, []);
});
