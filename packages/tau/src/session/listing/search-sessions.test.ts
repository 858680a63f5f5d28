import { expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { appendFile, rm, utimes } from "node:fs/promises";
import type { NewEntry } from "../entry.ts";
import { createSessionLog } from "../log/open-session.ts";
import { reply, result, user } from "../log/test/support.ts";
import { readLastExchange } from "./last-exchange.ts";
import { listSessions } from "./list-sessions.ts";
import { searchSessions, type SessionHit } from "./search-sessions.ts";
import type { SessionInfo } from "./session-info.ts";

const storage = createDiskStorage();

async function fixture(sessions: Record<string, readonly NewEntry[]>) {
  const scratch = await createScratchDirectory();
  const directory = scratch.path("sessions");
  let age = 0;
  for (const [id, entries] of Object.entries(sessions)) {
    await using log = await createSessionLog({ storage, place: { directory }, cwd: "/p", id });
    for (const entry of entries) await log.append(entry);
    age += 10;
    const at = new Date(Date.now() - age * 1000);
    await utimes(log.path!, at, at);
  }
  const listed = await listSessions(directory);
  return { scratch, listed, [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() };
}

async function search(
  sessions: readonly SessionInfo[],
  query: string,
  signal = new AbortController().signal,
): Promise<string[]> {
  const hits: SessionHit[] = [];
  await searchSessions(sessions, query, { storage, signal, onHit: (hit) => void hits.push(hit) });
  return hits.map(({ session, excerpt }) => `${session.id}: ${excerpt}`);
}

test("words are found in what was said, in any order and case, newest session first", async () => {
  await using given = await fixture({
    a: [user("Why does the Lexer crash?"), reply('It reads "past" the end\nof its input.')],
    b: [user("hello"), result("c", "lexer.ts: crash at line 3")],
    c: [user("crash"), reply("the lexer is fine")],
  });
  expect(await search(given.listed, "crash LEXER")).toEqual([
    "a: Why does the Lexer crash?",
    "b: lexer.ts: crash at line 3",
  ]);
  expect(await search(given.listed, '"past" end of')).toEqual([
    'a: It reads "past" the end ⏎ of its input.',
  ]);
  expect(await search(given.listed, "   ")).toEqual([]);
});

test("names of the format's fields are no words of the conversation", async () => {
  await using given = await fixture({ a: [user("hello"), reply("hi")] });
  for (const word of ["parentId", "timestamp", "toolResult", "assistant"]) {
    expect(await search(given.listed, word)).toEqual([]);
  }
});

test("an excerpt is around the word, on one line, without anything a terminal would obey", async () => {
  const text = `${"before ".repeat(40)}\n\x1b[31mneedle\x1b[0m\n${"after ".repeat(40)}`;
  await using given = await fixture({ a: [user(text)] });
  const [hit] = await search(given.listed, "needle");
  expect(hit).toMatch(/^a: ….*needle.*after/);
  expect(hit).not.toMatch(/[\x00-\x1f]/);
  expect(hit!.length).toBeLessThan(160);
});

test("torn, foreign and deleted files are passed over", async () => {
  await using given = await fixture({ a: [user("needle")], b: [user("needle")] });
  const [a, b] = given.listed;
  await rm(a!.path);
  await appendFile(
    b!.path,
    '{"type":"message","message":{"role":"user","content":{"needle":1}}}\n[1,\n',
  );
  const older = `{"type":"session","id":"old","version":3}\n{"type":"message","message":{"role":"user","content":"an old needle"}}\n`;
  const path = await given.scratch.write("sessions/old.jsonl", older);
  const old = { ...b!, id: "old", path, bytes: older.length };
  expect(await search([a!, b!, old], "needle")).toEqual(["b: needle", "old: an old needle"]);
});

test("it ends at once when it is told to", async () => {
  await using given = await fixture({ a: [user("needle")], b: [user("needle")] });
  const stop = new AbortController();
  const found: string[] = [];
  await searchSessions(given.listed, "needle", {
    storage,
    signal: stop.signal,
    onHit: ({ session }) => {
      found.push(session.id);
      stop.abort();
    },
  });
  expect(found).toEqual(["a"]);
  expect(await search(given.listed, "needle", AbortSignal.abort())).toEqual([]);
});

test("the last exchange is the last prompt and what was answered to it", async () => {
  await using given = await fixture({
    a: [
      user("first"),
      reply("one"),
      user("second"),
      reply("", ["c"]),
      result("c", "x"),
      reply("two"),
    ],
    b: [user("answered"), reply("yes"), user("not answered")],
    c: [],
    d: [user("large"), reply("y".repeat(600_000))],
  });
  const byId = new Map(given.listed.map((info) => [info.id, info.path]));
  expect(await readLastExchange(byId.get("a")!)).toEqual({ prompt: "second", answer: "two" });
  expect(await readLastExchange(byId.get("b")!)).toEqual({ prompt: "not answered" });
  expect(await readLastExchange(byId.get("c")!)).toEqual({});
  expect(await readLastExchange(byId.get("d")!)).toEqual({});
});

test("a listing tells the first prompt and the number of entries", async () => {
  await using given = await fixture({
    a: [user("What\nis this?"), reply("A test."), { type: "title", title: "T", source: "user" }],
    b: [],
  });
  expect(given.listed.map(({ id, firstPrompt, entries }) => [id, firstPrompt, entries])).toEqual([
    ["a", "What is this?", 3],
    ["b", undefined, undefined],
  ]);
});
