import { expect, test } from "bun:test";
import type { AgentView } from "../../../feature-api/agent-view.ts";
import { openAgentScreen } from "./agent-screen.ts";
import { agentView, fakeBook } from "./test/fake-book.ts";
import { FakeStage } from "./test/fake-stage.ts";

const ID = "SwiftOtter";

async function open(changes: Partial<AgentView> = {}, words: () => string[] = () => ["its words"]) {
  const stage = new FakeStage();
  const book = fakeBook([agentView(ID, changes)]);
  const log: string[] = [];
  const openTranscript = async () => {
    const rows = words();
    log.push("open");
    return {
      source: { length: rows.length, block: (at: number) => [rows[at]!] },
      close: async () => void log.push("close"),
    };
  };
  const left = openAgentScreen(stage, { id: ID, book, openTranscript, now: () => 5000 });
  await Bun.sleep(0);
  return { stage, book, left, log };
}

const type = (stage: FakeStage, text: string): void => {
  for (const letter of text) stage.press(letter === " " ? "Space" : letter);
};

test("what it did is there with what it does, and a line to write to it", async () => {
  const { stage } = await open();
  const picture = stage.picture();
  expect(picture).toContain("─ SwiftOtter  explore ─");
  expect(picture).toContain("running, 5s, 3 calls, 45k tokens, $0.031");
  expect(picture).toContain("● read: src/lock.ts");
  expect(picture).toContain("its words");
  expect(picture).toContain("write to SwiftOtter");
});

test("Enter sends, an empty line does not, and Esc gives back what was not sent", async () => {
  const { stage, book, left } = await open();
  stage.press("Enter");
  type(stage, "be brief");
  stage.press("Enter");
  await Bun.sleep(0);
  expect(book.done).toEqual(["say SwiftOtter: be brief"]);
  expect(stage.picture()).toContain("Sent to SwiftOtter.");
  type(stage, "and then");
  stage.press("Escape");
  expect(await left).toBe("and then");
});

test("what could not be sent stands there again, with the reason", async () => {
  const { stage, book } = await open({ state: "aborted", doing: undefined, end: "aborted" });
  book.say = async () => {
    throw new Error("SwiftOtter cannot come back: it was stopped.");
  };
  type(stage, "hello");
  stage.press("Enter");
  await Bun.sleep(0);
  expect(stage.picture()).toContain("SwiftOtter cannot come back: it was stopped.");
  expect(stage.picture()).toContain("❯ hello");
});

test("one that comes back is followed from then on, and everything that was opened is closed", async () => {
  let words = ["of the log"];
  const parked = { state: "parked", doing: undefined, end: "completed" } as const;
  const { stage, book, left, log } = await open(parked, () => words);
  expect(stage.picture()).toContain("of the log");
  expect(stage.picture()).toContain("done, parked");
  expect(stage.picture()).toContain("send and bring back");
  words = ["of the log", "and of now"];
  book.set([agentView(ID)]);
  await Bun.sleep(0);
  expect(stage.picture()).toContain("and of now");
  stage.press("Escape");
  await left;
  await Bun.sleep(0);
  expect(log).toEqual(["open", "open", "close", "close"]);
});

test("why it failed is said, and a transcript that cannot be read is said instead of it", async () => {
  const failed = { state: "idle", doing: undefined, end: "failed", error: "no key" } as const;
  const { stage } = await open(failed, () => {
    throw new Error("the log is gone");
  });
  expect(stage.picture()).toContain("✗ failed: no key");
  expect(stage.picture()).toContain("the log is gone");
});
