import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { readdir } from "node:fs/promises";
import { createStore, openStore, scrubStore, storePath } from "./open-store.ts";
import { timeInWords } from "./time-words.ts";

test("nothing is created for a look", async () => {
  await using scratch = await createScratchDirectory();
  const env = { TAU_AGENT_DIR: scratch.path("agent") };
  expect(await openStore(env)).toBeUndefined();
  expect(await readdir(scratch.root)).toEqual([]);
  (await createStore(env))[Symbol.dispose]();
  using opened = await openStore(env);
  expect(opened!.list()).toEqual([]);
});

test("what is in its way is said in one sentence", async () => {
  await using scratch = await createScratchDirectory();
  const env = { TAU_AGENT_DIR: scratch.root };
  await scratch.write("agent.db", "this is a letter, not a database, and a rather long one");
  const error = await openStore(env).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name: "UserError" });
  expect((error as Error).message).toBe(
    `${storePath(env)} is not a credential store; move it away and log in again`,
  );
  const inFile = { TAU_AGENT_DIR: scratch.path("agent.db") };
  const blocked = await createStore(inFile).catch((caught: unknown) => caught);
  expect(blocked).toMatchObject({ name: "UserError" });
});

test("what was removed is not in the file any more", async () => {
  await using scratch = await createScratchDirectory();
  const env = { TAU_AGENT_DIR: scratch.root };
  {
    using store = await createStore(env);
    const { id } = store.save("acme", "key", { kind: "api_key", key: "very-secret-key" });
    store.save("acme", "other", { kind: "api_key", key: "stays" });
    store.remove(id);
  }
  expect(await scrubStore(env)).toBe(true);
  for (const name of await readdir(scratch.root)) {
    expect(await Bun.file(scratch.path(name)).text()).not.toContain("very-secret-key");
  }
  using store = await openStore(env);
  expect(store!.list("acme").map(({ label }) => label)).toEqual(["other"]);
});

test("times in words", () => {
  const now = Date.UTC(2026, 0, 5, 12);
  const words = (ms: number) => timeInWords(now + ms, now).replace(/ \(.*/, "");
  expect(words(30_000)).toBe("in less than a minute");
  expect(words(12 * 60_000)).toBe("in 12 min");
  expect(words(2 * 3_600_000 + 10 * 60_000)).toBe("in 2 h 10 min");
  expect(words(3 * 3_600_000)).toBe("in 3 h");
  expect(words(-86_400_000)).toBe("1 day ago");
  expect(words(3 * 86_400_000)).toBe("in 3 days");
});
