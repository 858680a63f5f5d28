// What holds whatever the author of a feature from outside does: what guards stays in its place, one
// feature's failure is told by its name, and nothing else breaks.

import { expect, test } from "bun:test";
import { BUILT_IN, userText, type Feature, type SessionEvent } from "@tau/tau/sdk";
import { embed } from "./support/embedded.ts";

const oops = (): never => {
  throw new Error("oops");
};

test("one whose dispose throws leaves the session unlocked, and is told", async () => {
  await using embedding = await embed([{ text: "ok" }]);
  let disposed = 0;
  const features: Feature[] = [
    { name: "fine", setup: () => ({ dispose: () => void disposed++ }) },
    ...BUILT_IN,
    { name: "clumsy", setup: () => ({ dispose: oops }) },
  ];
  const { session } = await embedding.open({ features });
  await session.prompt(userText("hello"));
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  await session[Symbol.asyncDispose]();
  expect(disposed).toBe(1);
  expect(events).toContainEqual({
    type: "hook_error",
    behaviour: "clumsy",
    hook: "dispose",
    error: new Error("oops"),
  });
  const wish = { kind: "resume", wanted: session.id } as const;
  const again = await embedding.open({ session: wish });
  expect(again.session.id).toBe(session.id);
  await again.session[Symbol.asyncDispose]();
});
