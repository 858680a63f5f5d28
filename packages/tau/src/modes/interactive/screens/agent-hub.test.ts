import { expect, test } from "bun:test";
import type { AgentView } from "../../../feature-api/agent-view.ts";
import { openAgentHub } from "./agent-hub.ts";
import { agentView, fakeBook } from "./test/fake-book.ts";
import { FakeStage, type FakeStageOptions } from "./test/fake-stage.ts";

const NOW = 83_400;
const over = { state: "idle", doing: undefined } as const;

const SOME: readonly AgentView[] = [
  agentView("SwiftOtter", { doing: "search: lock|mutex in packages/host/src/**/*.ts" }),
  agentView("SwiftOtter.CalmHeron", {
    parent: "SwiftOtter",
    kind: "librarian",
    doing: "waiting for consent: bash",
    unread: 2,
  }),
  agentView("SwiftOtter.BoldFinch", {
    ...over,
    parent: "SwiftOtter",
    end: "completed",
    endedAt: 61_000,
  }),
  agentView("SwiftOtter.BoldFinch.Deep", {
    ...over,
    parent: "SwiftOtter.BoldFinch",
    state: "parked",
    end: "interrupted",
  }),
  agentView("AVeryLongNameThatSomebodyHasGivenToAnAgent", {
    ...over,
    end: "failed",
    endedAt: 3000,
    error: "The model could not be reached: connection refused",
  }),
  agentView("CalmTapir", {
    ...over,
    state: "queued",
    requests: 0,
    tokens: 0,
    costUsd: 0,
    description: "セッションのロックを調べて報告する",
  }),
  agentView("Gone", { ...over, state: "aborted", end: "aborted", endedAt: 9000 }),
];

function open(agents: readonly AgentView[], options?: FakeStageOptions) {
  const stage = new FakeStage(options);
  const book = fakeBook(agents);
  const source = { length: 1, block: () => ["its words"] };
  const openTranscript = async () => ({ source, close: async () => {} });
  const closed = openAgentHub(stage, { book, openTranscript, now: () => NOW });
  return { stage, book, closed };
}

const type = (stage: FakeStage, text: string): void => {
  for (const letter of text) stage.press(letter);
};

test.each([
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 40, rows: 12 },
])("it looks as it should at $columns columns", (size) => {
  const { stage } = open(SOME, size);
  expect(stage.picture()).toMatchSnapshot();
  for (const row of stage.window()) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(size.columns);
});

test("what goes on is seen, and the selection stays where it is", () => {
  const { stage, book } = open(SOME);
  stage.press("Down");
  book.set([
    agentView("First", { doing: "read: a.ts" }),
    ...SOME.map((one) => (one.id === "SwiftOtter.CalmHeron" ? { ...one, doing: "bash: ls" } : one)),
  ]);
  expect(stage.picture()).toMatch(/● First +explore +read: a\.ts/);
  expect(stage.picture()).toMatch(/❯ ● ├─ CalmHeron +librarian +bash: ls/);
});

test("two hundred agents can be scrolled, filtered, and narrowed to those at work", () => {
  const many = Array.from({ length: 200 }, (_, at) =>
    agentView(`Agent${at}`, at === 120 ? {} : { ...over, end: "completed", endedAt: 1000 }),
  );
  const { stage } = open(many);
  // Whoever is at work is what people look for.
  expect(stage.picture()).toContain("❯ ● Agent120");
  stage.press("End");
  expect(stage.picture()).toContain("❯ ✓ Agent199");
  type(stage, "Agent77");
  expect(stage.picture()).toContain("❯ ✓ Agent77");
  stage.press("Escape");
  stage.press("Tab");
  expect(stage.picture()).toContain("Agent120");
  expect(stage.picture()).not.toContain("Agent121");
});

test("nobody is stopped by a held key or by typing", async () => {
  const { stage, book } = open(SOME);
  stage.press("Alt+S");
  expect(stage.picture()).toContain("Stop SwiftOtter and 3 more?");
  type(stage, "yes");
  stage.press("Enter");
  stage.press("Enter");
  stage.rest();
  await Bun.sleep(0);
  expect(book.done).toEqual([]);
});

test("Enter alone leaves everything as it is; whoever says yes stops all below as well", async () => {
  const { stage, book } = open(SOME);
  for (const answer of ["Enter", "y"]) {
    stage.press("Alt+S");
    stage.rest();
    stage.press(answer);
    stage.rest();
    if (answer === "y") stage.press("Enter");
    await Bun.sleep(0);
    expect(book.done).toEqual(answer === "y" ? ["stop SwiftOtter"] : []);
  }
  expect(stage.picture()).toContain("SwiftOtter and 3 more are stopped.");
});

test("a parked one is brought back, one that is not says so", async () => {
  const { stage, book } = open(SOME);
  stage.press("Ctrl+R");
  expect(stage.picture()).toContain("SwiftOtter is not parked.");
  for (let at = 0; at < 3; at++) stage.press("Down");
  expect(stage.picture()).toContain("it goes on where it was");
  stage.press("Ctrl+R");
  await Bun.sleep(0);
  expect(book.done).toEqual(["revive SwiftOtter.BoldFinch.Deep"]);
});

test("one is opened and left, and what was typed to it is still there", async () => {
  const { stage, closed } = open(SOME);
  stage.press("Enter");
  await Bun.sleep(0);
  expect(stage.picture()).toContain("─ SwiftOtter  explore ─");
  type(stage, "half");
  stage.press("Escape");
  await Bun.sleep(0);
  expect(stage.picture()).toContain("─ Agents ─");
  stage.press("Enter");
  await Bun.sleep(0);
  expect(stage.picture()).toContain("❯ half");
  stage.press("Escape");
  await Bun.sleep(0);
  stage.press("Escape");
  await closed;
  expect(stage.window()).toEqual([]);
});
