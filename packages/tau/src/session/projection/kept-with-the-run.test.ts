// Events reach the log in the writes that a run makes anyway, and what ends a run is there when
// whoever waits for the run is told.

import { expect, test } from "bun:test";
import { userText } from "@tau/ai/message";
import type { NewEntry } from "../entry.ts";
import { ownRun, startLive, type LiveRun, type Word } from "./test/live-run.ts";

/** What is written while a prompt runs, write by write. */
async function writesOf(run: LiveRun, words: Word[]): Promise<string[][]> {
  const { log } = run.session;
  const writes: string[][] = [];
  const appendAll = log.appendAll.bind(log);
  log.appendAll = (entries) => {
    writes.push(entries.map(nameOf));
    return appendAll(entries);
  };
  const toolCalls = words.map((word) => ({ name: "word", arguments: { word } }));
  run.replies.push({ toolCalls }, { text: "Done." });
  await run.session.prompt(userText("go"));
  log.appendAll = appendAll;
  return writes;
}

function nameOf(entry: NewEntry): string {
  if (entry.type === "event") return entry.event.type;
  return entry.type === "message" ? entry.message.role : entry.type;
}

test("consent and failures of hooks cost no write of their own", async () => {
  await using plain = await startLive();
  const ordinary = await writesOf(plain, ["good"]);
  await using eventful = await startLive();
  eventful.answers.push("once");
  eventful.throwsNext = true;
  const writes = await writesOf(eventful, ["asks"]);
  expect(writes).toHaveLength(ordinary.length);
  expect(writes.slice(1)).toEqual([
    ["assistant"],
    ["approval_end", "toolResult"],
    ["hook_error", "assistant"],
  ]);
});

test("what is told while a reply is seen goes into the write that the reply makes", async () => {
  await using run = await startLive();
  const { session } = run;
  const stop = session.subscribe((event) => {
    if (event.type !== "message_update" || event.event.type !== "toolcall_start") return;
    stop();
    session.emit({ type: "job_end", id: "j", label: "make", status: "completed", durationMs: 1 });
  });
  const writes = await writesOf(run, ["good"]);
  expect(writes.slice(1)).toEqual([["assistant", "job_end"], ["toolResult"], ["assistant"]]);
});

test("what ends a run is on disk when the run is over", async () => {
  await using run = await startLive();
  const writes = await writesOf(run, ["stops"]);
  expect(writes.at(-1)).toEqual(["agent_end"]);
  expect((await run.reopened()).at(-1)).toMatchObject({ kind: "note", text: "Stopped." });
});

test.each([
  ["text_start", ["user", "note", "answer"]],
  ["text_delta", ["user", "answer", "note"]],
])("what is told at a reply's %s stands where it was seen", async (at, kinds) => {
  await using run = await startLive();
  const { session } = run;
  const stop = session.subscribe((event) => {
    if (event.type !== "message_update" || event.event.type !== at) return;
    stop();
    session.emit({ type: "job_end", id: "j", label: "make", status: "completed", durationMs: 1 });
  });
  run.replies.push({ text: "A long answer." });
  await session.prompt(userText("go"));
  expect(run.seen.map(({ kind }) => kind)).toEqual(kinds as never);
  expect(await run.reopened()).toEqual([...run.seen]);
});

test("a run is told with all that was seen of it", async () => {
  await using run = await startLive();
  await ownRun(run.session);
  const words: Word[] = ["good", "bad", "steers", "good"];
  const toolCalls = words.map((word) => ({ name: "word", arguments: { word } }));
  run.replies.push({ thinking: "Hmm.", text: "Trying.", toolCalls }, { text: "Done." });
  await run.session.prompt(userText("a page of words"), { typed: "/try" });
  const work = { kind: "call", name: "word" } as const;
  expect(await run.reopened()).toMatchObject([
    { kind: "own_run", sign: "!", exitCode: 0, durationMs: expect.any(Number) },
    // What the model is told of it is not among them.
    { kind: "user", text: "/try" },
    { kind: "thinking", durationMs: expect.any(Number) },
    { kind: "answer" },
    { ...work, phase: "done", details: { count: 4 }, durationMs: expect.any(Number) },
    { ...work, phase: "failed", details: { code: 7 } },
    { ...work, phase: "done" },
    // The user had something else to say first.
    { ...work, phase: "refused" },
    { kind: "user", text: "and another thing" },
    { kind: "answer", text: "Done." },
  ]);
});

test("events that no run takes along are written at once", async () => {
  await using run = await startLive();
  run.session.emit({ type: "job_end", id: "j", label: "make", status: "completed", durationMs: 1 });
  await run.written();
  expect(await run.reopened()).toMatchObject([{ kind: "note" }]);
});
