import { describe, expect, test } from "bun:test";
import { textOf, userText, type AssistantMessage } from "@tau/ai/message";
import type { AgentEvent } from "./event.ts";
import type { RecordItem } from "./record.ts";
import { run } from "./test/scripted-run.ts";
import { Transcript } from "./transcript.ts";

const said = (text: string) => userText(text, 0);

/** A record whose writes end when the test says so. */
function slowRecord() {
  const writes: { items: RecordItem[]; end: (error?: Error) => void }[] = [];
  const record = (items: RecordItem[]): Promise<void> =>
    new Promise((resolve, reject) => {
      writes.push({ items, end: (error) => (error ? reject(error) : resolve()) });
    });
  const events: AgentEvent[] = [];
  const transcript = new Transcript([said("old")], { record, emit: (event) => events.push(event) });
  return { transcript, writes, events };
}

const reply = async (text?: string): Promise<AssistantMessage> =>
  (await run([text === undefined ? {} : { text }])).added[0] as AssistantMessage;

describe("what is appended", () => {
  test("counts and is told when it is written, not before", async () => {
    const { transcript, writes, events } = slowRecord();
    const appended = transcript.append([said("a"), said("b")]);
    expect(writes.map(({ items }) => items.length)).toEqual([2]);
    expect(transcript.messages.map(textOf)).toEqual(["old"]);
    expect(events).toEqual([]);
    writes[0]!.end();
    await appended;
    expect(transcript.messages.map(textOf)).toEqual(["old", "a", "b"]);
    expect(transcript.added.map(textOf)).toEqual(["a", "b"]);
    expect(events).toEqual([
      { type: "message_end", message: said("a") },
      { type: "message_end", message: said("b") },
    ]);
    expect(transcript.hasFailed).toBe(false);
    expect(transcript.isRecorded).toBe(true);
  });

  test("counts in the order of appending, whichever write ends first", async () => {
    const { transcript, writes } = slowRecord();
    const both = [transcript.append([said("a")]), transcript.append([said("b")])];
    writes[1]!.end();
    await Promise.resolve();
    expect(transcript.added).toEqual([]);
    writes[0]!.end();
    await Promise.all(both);
    expect(transcript.added.map(textOf)).toEqual(["a", "b"]);
  });

  test("without a record counts at once; nothing to append is nothing to await", () => {
    const events: AgentEvent[] = [];
    const transcript = new Transcript([], { emit: (event) => events.push(event) });
    expect(transcript.append([said("a")])).toBeUndefined();
    expect(transcript.append([])).toBeUndefined();
    expect(transcript.messages.map(textOf)).toEqual(["a"]);
    expect(events).toHaveLength(1);
    expect(transcript.isRecorded).toBe(false);
    const { transcript: recorded, writes } = slowRecord();
    expect(recorded.append([])).toBeUndefined();
    expect(writes).toEqual([]);
  });
});

describe("after a write has failed", () => {
  test("nothing that was appended later counts, and the first failure is the one told", async () => {
    const { transcript, writes, events } = slowRecord();
    const outcomes = ["a", "b"].map((text) =>
      transcript.append([said(text)])!.catch((error: Error) => error.message),
    );
    writes[1]!.end(new Error("second"));
    writes[0]!.end(new Error("first"));
    expect(await Promise.all(outcomes)).toEqual(["first", "first"]);
    expect(transcript.messages.map(textOf)).toEqual(["old"]);
    expect(events).toEqual([]);
    expect(transcript.hasFailed).toBe(true);
    expect(await transcript.settled().catch((error: Error) => error.message)).toBe("first");
  });

  test("a later write that works does not count either", async () => {
    const { transcript, writes } = slowRecord();
    const outcomes = ["a", "b"].map((text) =>
      transcript.append([said(text)])!.catch((error: Error) => error.message),
    );
    writes[0]!.end(new Error("first"));
    writes[1]!.end();
    expect(await Promise.all(outcomes)).toEqual(["first", "first"]);
    expect(transcript.added).toEqual([]);
  });

  test("waiting for all of it says so, though nobody awaited the write itself", async () => {
    const { transcript, writes } = slowRecord();
    void transcript.append([said("a")]);
    writes[0]!.end(new Error("full"));
    expect(await transcript.settled().catch((error: Error) => error.message)).toBe("full");
  });
});

test("settled waits for what is being written", async () => {
  const { transcript, writes } = slowRecord();
  let isSettled = false;
  void transcript.append([said("a")]);
  const settling = transcript.settled().then(() => {
    isSettled = true;
  });
  for (let hop = 0; hop < 20; hop++) await Promise.resolve();
  expect(isSettled).toBe(false);
  writes[0]!.end();
  await settling;
  expect(transcript.added).toHaveLength(1);
});

describe("a reply that is discarded", () => {
  test("is told when it is kept beside the conversation, and never part of it", async () => {
    const { transcript, writes, events } = slowRecord();
    const message = await reply("half");
    const discarded = transcript.discard(message);
    expect(events).toEqual([]);
    expect(writes[0]!.items).toEqual([{ type: "discarded", message }]);
    writes[0]!.end();
    await discarded;
    expect(events).toEqual([{ type: "reply_discarded", message }]);
    expect(transcript.messages).toHaveLength(1);
  });

  test("with nothing in it is only told, as is any where nothing is recorded", async () => {
    const { transcript, writes, events } = slowRecord();
    expect(transcript.discard(await reply())).toBeUndefined();
    expect(writes).toEqual([]);
    expect(events).toHaveLength(1);
    const told: string[] = [];
    const unrecorded = new Transcript([], { emit: ({ type }) => told.push(type) });
    expect(unrecorded.discard(await reply("half"))).toBeUndefined();
    expect(told).toEqual(["reply_discarded"]);
  });
});

test("a shorter conversation is a copy of its own; what the run added stays its own", () => {
  const given = [said("a")];
  const transcript = new Transcript(given, { emit: () => {} });
  void transcript.append([said("b")]);
  expect(given).toHaveLength(1);
  const shorter = [said("short")];
  transcript.replace(shorter);
  void transcript.append([said("c")]);
  expect(shorter).toHaveLength(1);
  expect(transcript.messages.map(textOf)).toEqual(["short", "c"]);
  expect(transcript.added.map(textOf)).toEqual(["b", "c"]);
});
