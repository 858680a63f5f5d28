import assert from "node:assert/strict";
import { test } from "@tau/extension/testing";
import extension from "./index.ts";

test("the models are named as a user names them", () => {
  const { workshop } = (extension as { providers: Record<string, { models: { id: string }[] }> })
    .providers;
  assert.deepEqual(
    workshop!.models.map(({ id }) => `workshop/${id}`),
    ["workshop/small", "workshop/large"],
  );
});
