// A budget that is spent, as whoever asks for something meets it: each says so in one sentence, and
// the conversation is as it was.

import { expect, test } from "bun:test";
import { Budget, textOf, userText, type Session } from "@tau/tau/sdk";
import { embed } from "./support/embedded.ts";

const long = "sheep ".repeat(9000);
const settings = { rows: { "compaction.keepRecentTokens": 500 } };
const SPENT = "The limit of 2 model calls has been reached; raise it to call a model again.";

async function spent(session: Session): Promise<string | undefined> {
  await session.prompt(userText("count"));
  await session.prompt(userText("count on"));
  const [first] = await session.log.branch();
  return first?.id;
}

test("a compaction is dropped, a move with a summary refused, a question answered with why", async () => {
  await using embedding = await embed(() => ({ text: long }));
  const budget = new Budget({ requests: 2 });
  await using session = await embedding.start({ settings, budget });
  const target = await spent(session);
  const before = session.log.leafId;
  expect(await session.compact()).toMatchObject({
    type: "dropped",
    message: SPENT,
    failure: { kind: "budget" },
  });
  await expect(session.navigate(target!, { summarise: true })).rejects.toMatchObject({
    name: "ModelError",
    failure: { kind: "budget", message: SPENT, retryable: false },
  });
  await session.whenIdle();
  expect(session.log.leafId).toBe(before);
  const { signal } = new AbortController();
  const request = { system: [], messages: [userText("?")] };
  const reply = await session.ask(request, { purpose: "mine", signal });
  expect(reply).toMatchObject({ stopReason: "error", error: { kind: "budget" } });
  expect(await session.prompt(userText("more"))).toEqual({
    reason: "limit",
    kind: "requests",
    limit: "2 model calls",
  });
  expect(embedding.server.requests).toHaveLength(2);
  await session[Symbol.asyncDispose]();
});

test("a title is just not made, and a cell is told", async () => {
  const code = `await completion("How many?")`;
  await using embedding = await embed(() => ({
    toolCalls: [{ name: "eval", arguments: { cells: [{ language: "js", code }] } }],
  }));
  await using session = await embedding.start({
    settings,
    titles: "on",
    approvalMode: "yolo",
    budget: new Budget({ requests: 1 }),
  });
  const errors: unknown[] = [];
  session.subscribe((event) => {
    if (event.type === "hook_error") errors.push(event.error);
  });
  expect(await session.prompt(userText("count"))).toMatchObject({ reason: "limit" });
  expect(textOf(session.messages.at(-1)!)).toContain("The limit of 1 model calls has been reached");
  expect(embedding.server.requests).toHaveLength(1);
  expect({ title: session.state.title, errors }).toEqual({ title: undefined, errors: [] });
  await session[Symbol.asyncDispose]();
});
