import { expect, test } from "bun:test";
import { createScratchDirectory } from "@tau/testkit/scratch";
import { mkdirSync } from "node:fs";
import type { SessionHit } from "../../../session/listing/search-sessions.ts";
import type { SessionInfo } from "../../../session/listing/session-info.ts";
import { reply, user } from "../../../session/log/test/support.ts";
import { renameSession } from "../../../session/operations/name-session.ts";
import { SessionStore } from "../../../session/session-store.ts";
import { openSessionPicker, type ContentSearch, type SessionPickerDeps } from "./session-picker.ts";
import { sessionSource } from "./session-source.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE_MS = 60_000;

function info(id: string, more: Partial<SessionInfo> = {}): SessionInfo {
  return {
    path: `/sessions/${id}.jsonl`,
    id,
    cwd: "/work/parser",
    name: `Session ${id}`,
    isNamed: true,
    firstPrompt: `What about ${id}?`,
    entries: 12,
    status: "answered",
    createdAt: NOW,
    modifiedAt: NOW - 5 * MINUTE_MS,
    bytes: 100,
    ...more,
  };
}

const HERE = [
  info("a", { name: "Fix the empty input", firstPrompt: "The parser fails on empty input" }),
  info("b", {
    name: "why is the build slow",
    isNamed: false,
    firstPrompt: "why is the build slow",
    entries: 240,
    modifiedAt: NOW - 300 * MINUTE_MS,
  }),
  info("c", { name: "Release notes", modifiedAt: NOW - 9 * 24 * 60 * MINUTE_MS }),
];
const ELSEWHERE = info("d", { cwd: "/work/website", name: "New landing page" });

function depsOf(more: Partial<SessionPickerDeps> = {}): SessionPickerDeps {
  return {
    list: async (scope) => (scope === "here" ? HERE : [...HERE, ELSEWHERE]),
    search: async () => undefined,
    lastExchange: async ({ name }) => ({
      prompt: `Go on with ${name}`,
      answer: "Done.\nAll tests pass.",
    }),
    rename: async () => undefined,
    remove: async () => undefined,
    now: () => NOW,
    currentPath: HERE[1]!.path,
    ...more,
  };
}

async function until(isThere: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isThere(); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(isThere()).toBe(true);
}

test("sessions of the directory, newest first, with how the selected one was left", async () => {
  const stage = new FakeStage();
  const answer = openSessionPicker(stage, depsOf());
  expect(stage.picture()).toContain("Reading the sessions…");
  await until(() => stage.picture().includes("All tests pass."));
  expect(stage.picture()).toMatchSnapshot();
  stage.size = { columns: 200, rows: 50 };
  expect(stage.picture()).toMatchSnapshot();
  expectLawful(stage);
  stage.press("Down", "Down", "Enter");
  expect(await answer).toEqual(HERE[2]!);
});

test("Tab shows those of all directories; where there are none here, it begins with them", async () => {
  const stage = new FakeStage();
  void openSessionPicker(stage, depsOf());
  await settled();
  stage.press("Tab");
  await settled();
  expect(stage.picture()).toContain("Sessions of all directories");
  expect(stage.picture()).toContain("/work/website");
  stage.press("Ctrl+C");
  const list: SessionPickerDeps["list"] = async (scope) => (scope === "here" ? [] : [ELSEWHERE]);
  void openSessionPicker(stage, depsOf({ list }));
  await settled();
  expect(stage.picture()).toContain("New landing page");
});

test("what was said is found a moment later, and an abandoned search is told to stop", async () => {
  const searches: { query: string; search: ContentSearch }[] = [];
  const stage = new FakeStage();
  const answer = openSessionPicker(
    stage,
    depsOf({
      search: (query, _sessions, search) => {
        searches.push({ query, search });
        return new Promise((resolve) => search.signal.addEventListener("abort", () => resolve()));
      },
    }),
  );
  await settled();
  stage.type("segfault");
  expect(stage.picture()).toContain("Nothing matches.");
  await until(() => searches.length === 1);
  expect(stage.picture()).toContain("searching…");
  const hit: SessionHit = { session: HERE[2]!, excerpt: "…a segfault in the lexer" };
  searches[0]!.search.onHit(hit);
  await until(() => stage.picture().includes(" In the conversation\n"));
  expect(stage.picture()).toContain("…a segfault in the lexer");
  stage.type("s");
  expect(searches[0]!.search.signal.aborted).toBe(true);
  expect(stage.picture()).not.toContain("in the lexer");
  await until(() => searches.length === 2);
  expect(searches[1]!.query).toBe("segfaults");
  searches[1]!.search.onHit(hit);
  await until(() => stage.picture().includes("in the lexer"));
  stage.press("Enter");
  expect(await answer).toEqual(HERE[2]!);
  await settled();
  expect(searches[1]!.search.signal.aborted).toBe(true);
});

test("the open session is not deleted; another one only after a yes", async () => {
  const removed: string[] = [];
  const stage = new FakeStage();
  void openSessionPicker(stage, depsOf({ remove: async ({ id }) => void removed.push(id) }));
  await settled();
  stage.press("Down", "Ctrl+D");
  expect(stage.picture()).toContain("This session is open");
  stage.press("Up", "Delete");
  stage.rest();
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Enter");
  await settled();
  expect(removed).toEqual([]);
  stage.press("Delete");
  stage.rest();
  stage.press("y", "Enter");
  await settled();
  expect(removed).toEqual(["a"]);
});

test("neither a held key nor typing deletes anything; letters go on into the filter", async () => {
  const removed: string[] = [];
  const stage = new FakeStage();
  void openSessionPicker(stage, depsOf({ remove: async ({ id }) => void removed.push(id) }));
  await settled();
  for (let times = 0; times < 60; times += 1) {
    stage.press("Delete");
    stage.wait(30);
  }
  expect(stage.depth).toBe(2);
  stage.press("Enter", "Enter");
  await settled();
  expect(stage.depth).toBe(2);
  stage.rest();
  expect(stage.picture()).toContain("[Keep]");
  stage.type("ye");
  await settled();
  expect(stage.depth).toBe(1);
  expect(stage.picture()).toContain("❯ ye");
  stage.press("Ctrl+U", "Delete");
  stage.type("y");
  stage.press("Enter");
  await settled();
  expect(removed).toEqual([]);
});

test("a failure is said and changes nothing", async () => {
  const stage = new FakeStage();
  const fail = () => Promise.reject(new Error("it is open in another Tau"));
  const answer = openSessionPicker(stage, depsOf({ rename: fail, remove: fail }));
  await settled();
  stage.press("F2", "Enter");
  await settled();
  expect(stage.picture()).toContain("It keeps its title: it is open in another Tau");
  stage.press("Delete");
  stage.rest();
  stage.press("y", "Enter");
  await settled();
  expect(stage.picture()).toContain("It was not deleted: it is open in another Tau");
  stage.press("Escape");
  expect(await answer).toBeUndefined();
});

test("what sessions are called cannot harm the screen", async () => {
  const stage = new FakeStage();
  const nasty = info("x", { name: NASTY, firstPrompt: NASTY, cwd: NASTY });
  const lastExchange = async () => ({ prompt: NASTY, answer: NASTY });
  void openSessionPicker(stage, depsOf({ list: async () => [nasty], lastExchange }));
  await settled();
  expectLawful(stage);
});

test("with real files: search, rename and delete", async () => {
  await using scratch = await createScratchDirectory();
  const cwd = scratch.path("project");
  mkdirSync(cwd);
  const store = new SessionStore({
    env: { HOME: scratch.root, TAU_AGENT_DIR: scratch.path("agent") },
    cwd,
  });
  for (const [prompt, said] of [
    ["Look at the lexer", 'It says "unexpected end" twice.'],
    ["Look at the type checker", "Nothing is wrong with the role of it."],
  ] as const) {
    await using log = await store.open({ kind: "new" });
    await log.append(user(prompt));
    await log.append(reply(said));
  }
  const stage = new FakeStage();
  const answer = openSessionPicker(stage, sessionSource({ store }));
  await until(() => stage.picture().includes("1 of 2"));
  // "role" is a word of the format, too: only what was said counts.
  stage.type("role");
  await until(() => stage.picture().includes("In the conversation"));
  await until(() => !stage.picture().includes("searching"));
  expect(stage.picture()).toContain("1 of 1");
  expect(stage.picture()).toContain("Look at the type checker");
  stage.press("Ctrl+U");
  stage.type('"unexpected end"');
  await until(() => stage.picture().includes("In the conversation"));
  expect(stage.picture()).toContain("Look at the lexer");
  stage.press("Ctrl+R");
  stage.type("Lexer");
  stage.press("Enter");
  await until(() => stage.depth === 1 && stage.picture().includes("  Lexer"));
  stage.press("Ctrl+U");
  await settled();
  expect(stage.picture()).toContain("1 of 2");
  stage.press("Delete");
  stage.rest();
  stage.press("y", "Enter");
  await until(() => stage.depth === 1 && stage.picture().includes("1 of 1"));
  stage.press("Escape");
  expect(await answer).toBeUndefined();
});

test("the session that is open here is renamed through its own log", async () => {
  await using scratch = await createScratchDirectory();
  const store = new SessionStore({
    env: { HOME: scratch.root, TAU_AGENT_DIR: scratch.path("agent") },
    cwd: scratch.root,
  });
  await using log = await store.open({ kind: "new" });
  await log.append(user("Hello"));
  const rename = async (title: string) => void (await renameSession(log, title));
  const stage = new FakeStage();
  void openSessionPicker(stage, sessionSource({ store, current: { path: log.path, rename } }));
  await until(() => stage.picture().includes("Hello"));
  stage.press("F2");
  stage.type("Greeting");
  stage.press("Enter");
  await until(() => stage.depth === 1 && stage.picture().includes("● Greeting"));
  expect(log.title).toBe("Greeting");
});
