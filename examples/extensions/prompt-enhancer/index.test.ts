import assert from "node:assert/strict";
import { run, test } from "@tau/extension/testing";

test("a shorthand becomes the whole request", async () => {
  const { requests } = await run({ prompt: ";why it fails on Mondays" });
  assert.match(requests[0]!.at(-1)!, /^user: Explain why this happens.*it fails on Mondays$/);
});

test("everything else is said as it is", async () => {
  const { requests } = await run({ prompt: "what is ;review?" });
  assert.equal(requests[0]!.at(-1), "user: what is ;review?");
});
