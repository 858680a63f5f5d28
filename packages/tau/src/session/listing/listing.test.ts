import { describe, expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { userText } from "@tau/ai/message";
import { emptyUsage } from "@tau/ai/usage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { utimes } from "node:fs/promises";
import { createSessionLog } from "../log/open-session.ts";
import type { NewEntry } from "../entry.ts";
import { dropBreadcrumb, findBreadcrumb, terminalId } from "./breadcrumb.ts";
import { findSession, latestSession } from "./find-session.ts";
import { listAllSessions, listSessions } from "./list-sessions.ts";

const reply = (text: string): NewEntry => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "text", text }],
    provider: "p",
    model: "m",
    wire: "in-process",
    stopReason: "stop",
    usage: emptyUsage(),
    timestamp: 0,
  },
});
const prompt = (text: string): NewEntry => ({ type: "message", message: userText(text, 0) });

async function make(scratch: ScratchDirectory, id: string, entries: NewEntry[], ageSeconds = 0) {
  const storage = createDiskStorage();
  const directory = scratch.path("sessions", "-project");
  await using log = await createSessionLog({ storage, place: { directory }, cwd: "/project", id });
  for (const entry of entries) await log.append(entry);
  const at = new Date(Date.now() - ageSeconds * 1000);
  await utimes(log.path!, at, at);
  return log.path!;
}

function places(scratch: ScratchDirectory) {
  return {
    cwd: "/project",
    directory: scratch.path("sessions", "-project"),
    sessionsDirectory: scratch.path("sessions"),
  };
}

test("newest first, named by title or first words, with how each was left", async () => {
  await using scratch = await createScratchDirectory();
  await make(scratch, "aaaa1111", [prompt("fix the\n\u001b[31mbug\u001b[0m"), reply("done")], 30);
  await make(
    scratch,
    "bbbb2222",
    [prompt("hi"), reply("hello"), { type: "title", title: "Greeting", source: "auto" }],
    20,
  );
  await make(scratch, "cccc3333", [prompt("never answered")], 10);
  await make(scratch, "dddd4444", [], 0);
  await scratch.write("sessions/-project/junk.jsonl", "not a session\n");
  await scratch.write("sessions/-project/empty.jsonl", "");
  const listed = await listSessions(places(scratch).directory);
  expect(listed.map(({ id, name, isNamed, status }) => [id, name, isNamed, status])).toEqual([
    ["dddd4444", "dddd4444", false, "empty"],
    ["cccc3333", "never answered", false, "open"],
    ["bbbb2222", "Greeting", true, "answered"],
    ["aaaa1111", "fix the bug", false, "answered"],
  ]);
  expect(await listAllSessions(scratch.path("sessions"))).toEqual(listed);
  expect(await listSessions(scratch.path("nowhere"))).toEqual([]);
});

test("a session without a message is listed if there is something in it to come back to", async () => {
  await using scratch = await createScratchDirectory();
  const command = (line: string): NewEntry => ({
    type: "event",
    event: { type: "command_start", name: "x", line },
  });
  const long = { type: "event", event: { type: "x", text: "z".repeat(100_000) } } as NewEntry;
  await make(scratch, "aaaa", [command("/help")], 40);
  await make(scratch, "bbbb", [{ type: "custom", customType: "todo" }, command("/todo x")], 30);
  await make(scratch, "cccc", [{ type: "event", event: { type: "own_run_end" } }], 20);
  await make(scratch, "dddd", [prompt("hi"), reply("hello"), long], 10);
  await make(scratch, "eeee", [prompt("y".repeat(10_000)), long], 0);
  const listed = await listSessions(places(scratch).directory);
  expect(listed.map(({ id, name, status }) => [id, name.slice(0, 7), status])).toEqual([
    ["eeee", "yyyyyyy", "open"],
    ["dddd", "hi", "answered"],
    ["cccc", "cccc", "begun"],
    ["bbbb", "/todo x", "begun"],
    ["aaaa", "/help", "empty"],
  ]);
});

test("a long first message is named by its beginning, a late title is found", async () => {
  await using scratch = await createScratchDirectory();
  await make(scratch, "aaaa", [
    prompt(`start "quoted" ${"x".repeat(20_000)}`),
    reply("y".repeat(100_000)),
  ]);
  expect((await listSessions(places(scratch).directory))[0]!.name).toStartWith(
    'start "quoted" xxx',
  );
});

test("a title in the middle of a long file is found, and the latest of several", async () => {
  await using scratch = await createScratchDirectory();
  const long = (): NewEntry[] => [prompt("go on"), reply("y".repeat(60_000))];
  const title = (words: string): NewEntry => ({ type: "title", title: words, source: "user" });
  await make(scratch, "aaaa", [
    prompt("start"),
    title("First"),
    ...long(),
    title("Second"),
    reply('{"type":"title","title":"not one"}'),
    ...long(),
    ...long(),
  ]);
  const [info] = await listSessions(places(scratch).directory);
  expect(info).toMatchObject({ name: "Second", isNamed: true });
});

describe("which session is meant", () => {
  test("by the beginning of its id, by path, and never by guess", async () => {
    await using scratch = await createScratchDirectory();
    const path = await make(scratch, "abcd1111", [prompt("one"), reply("x")]);
    await make(scratch, "abce2222", [prompt("two"), reply("x")]);
    expect(await findSession("ABCD", places(scratch))).toBe(path);
    expect(await findSession("1111", places(scratch))).toBe(path);
    expect(await findSession(path, places(scratch))).toBe(path);
    await expect(findSession("abc", places(scratch))).rejects.toThrow("give more of the id");
    await expect(findSession("zzz", places(scratch))).rejects.toThrow('there is no session "zzz"');
    await expect(findSession("./nope.jsonl", places(scratch))).rejects.toThrow("does not exist");
  });

  test("the latest is the newest that was answered or begun", async () => {
    await using scratch = await createScratchDirectory();
    const answered = await make(scratch, "aaaa", [prompt("a"), reply("b")], 20);
    await make(scratch, "bbbb", [], 5);
    expect(await latestSession(places(scratch))).toEqual({ path: answered });
    expect(
      await latestSession({ ...places(scratch), directory: scratch.path("none") }),
    ).toBeUndefined();
  });
});

test("of two projects whose directories are named alike, each goes on with its own", async () => {
  await using scratch = await createScratchDirectory();
  const path = await make(scratch, "aaaa", [prompt("a"), reply("b")]);
  expect(await latestSession(places(scratch))).toEqual({ path });
  expect(await latestSession({ ...places(scratch), cwd: "/pro/ject" })).toBeUndefined();
});

test("a terminal finds its own way back", async () => {
  await using scratch = await createScratchDirectory();
  const one = terminalId({ TMUX_PANE: "%1" }, "/dev/pts/3")!;
  const two = terminalId({}, "/dev/pts/4")!;
  expect([one, two]).toEqual(["TMUX_PANE--1", "dev-pts-4"]);
  expect(terminalId({}, undefined)).toBeUndefined();
  const crumb = { cwd: "/project", sessionPath: "/s/a.jsonl" };
  dropBreadcrumb(scratch.root, one, crumb);
  expect(findBreadcrumb(scratch.root, one)).toEqual(crumb);
  expect(findBreadcrumb(scratch.root, two)).toBeUndefined();
  dropBreadcrumb("/proc/no/such", one, crumb);
});
