import { expect, test } from "bun:test";
import { MemoryLog } from "../../../session/log/memory-log.ts";
import { reply, result, user } from "../../../session/log/test/support.ts";
import { labelEntry } from "../../../session/operations/name-session.ts";
import { readSessionTree } from "../../../session/operations/session-tree.ts";
import type { SessionLog } from "../../../session/session-log.ts";
import { FakeStage, settled } from "./test/fake-stage.ts";
import { expectLawful, NASTY } from "./test/laws.ts";
import { openTreeNavigator, type TreeChoice, type TreeNavigatorDeps } from "./tree-navigator.ts";

const HEADER = {
  type: "session",
  version: 4,
  id: "s",
  timestamp: "2026-01-01T00:00:00.000Z",
  cwd: "/",
} as const;

const newLog = (): SessionLog => new MemoryLog({ header: HEADER, now: Date.now, entries: [] });

/** Two ways to fix a parser; the session stands on the second. */
async function branched(): Promise<{ log: SessionLog; ids: Record<string, string> }> {
  const log = newLog();
  const ids: Record<string, string> = {};
  const add = async (name: string, entry: Parameters<SessionLog["append"]>[0]) => {
    ids[name] = (await log.append(entry)).id;
  };
  await add("ask", user("The parser fails on empty input"));
  await add("plan", reply("I could guard the caller, or fix the parser.", ["c1"]));
  await add("read", result("c1", "export function parse() {}"));
  await add("guard", user("Guard the caller"));
  await add("guarded", reply("Guarded."));
  await log.moveLeaf(ids.read!, "tree");
  await add("fix", user("Fix the parser"));
  await add("fixed", reply("Fixed."));
  await log.append({ type: "label", targetId: ids.plan!, label: "the plan" });
  return { log, ids };
}

function depsOf(log: SessionLog, more: Partial<TreeNavigatorDeps> = {}): TreeNavigatorDeps {
  return {
    read: (options) => readSessionTree(log.entries(), { leafId: log.leafId, ...options }),
    label: async (id, label) => void (await labelEntry(log, id, label)),
    summaries: "ask",
    ...more,
  };
}

async function open(
  stage: FakeStage,
  deps: TreeNavigatorDeps,
): Promise<{ answer: Promise<TreeChoice | undefined> }> {
  const answer = openTreeNavigator(stage, deps);
  await settled();
  return { answer };
}

test("the branch one stands on is marked and comes first", async () => {
  const { log } = await branched();
  const stage = new FakeStage();
  await open(stage, depsOf(log));
  expect(stage.picture()).toMatchSnapshot();
  stage.size = { columns: 200, rows: 50 };
  expect(stage.picture()).toMatchSnapshot();
  expectLawful(stage);
});

test("filters go round, forwards, backwards and directly", async () => {
  const { log } = await branched();
  const stage = new FakeStage();
  await open(stage, depsOf(log));
  stage.press("Ctrl+O");
  expect(stage.picture()).toContain("without tools");
  expect(stage.picture()).not.toContain("read  export");
  stage.press("Ctrl+Shift+O");
  expect(stage.picture()).toContain("read  export");
  stage.press("Alt+U");
  expect(stage.picture()).not.toContain("assistant");
  stage.press("Alt+L");
  expect(stage.picture()).toContain("[the plan]");
  expect(stage.picture()).toContain("1 of 1");
});

test("a search needs all words; Esc brings the selection home", async () => {
  const { log, ids } = await branched();
  const stage = new FakeStage();
  const { answer } = await open(stage, depsOf(log, { summaries: "never" }));
  stage.type("caller plan");
  expect(stage.picture()).toContain("1 of 1");
  stage.press("Escape", "Enter");
  expect(await answer).toEqual({ entryId: ids.fixed! });
});

test("a branch folds to one row and unfolds again", async () => {
  const { log } = await branched();
  const stage = new FakeStage();
  await open(stage, depsOf(log));
  stage.press("End", "Left");
  expect(stage.picture()).toContain("Guard the caller  (1 folded)");
  expect(stage.picture()).not.toContain("Guarded.");
  stage.press("Right");
  expect(stage.picture()).toContain("Guarded.");
});

test("leaving something asks about a summary; Esc leads back to the tree", async () => {
  const { log, ids } = await branched();
  const stage = new FakeStage();
  const { answer } = await open(stage, depsOf(log));
  stage.press("End", "Enter");
  expect(stage.picture()).toMatchSnapshot();
  stage.press("Escape");
  await settled();
  expect(stage.depth).toBe(1);
  stage.press("Enter", "Down", "Down", "Enter");
  await settled();
  stage.type("only the parser");
  stage.press("Enter");
  expect(await answer).toEqual({
    entryId: ids.guarded!,
    summarise: true,
    instructions: "only the parser",
  });
});

test("staying on the same branch asks nothing", async () => {
  const { log, ids } = await branched();
  const stage = new FakeStage();
  const { answer } = await open(stage, depsOf(log));
  stage.press("Enter");
  expect(await answer).toEqual({ entryId: ids.fixed! });
});

test("labels are set, shown, and taken away again", async () => {
  const { log, ids } = await branched();
  const stage = new FakeStage();
  await open(stage, depsOf(log));
  stage.press("Shift+L");
  stage.type("Done here");
  stage.press("Enter");
  await settled();
  expect(stage.picture()).toContain("[Done here] assistant  Fixed.");
  expect((await log.labels()).get(ids.fixed!)).toBe("Done here");
  stage.press("Shift+L", "Ctrl+U", "Enter");
  await settled();
  expect((await log.labels()).has(ids.fixed!)).toBe(false);
  expect(stage.picture()).not.toContain("[Done here]");
});

test("a session that cannot be read, or is never read, keeps nobody", async () => {
  const stage = new FakeStage();
  const log = newLog();
  const failing = depsOf(log, { read: () => Promise.reject(new Error("the disk is gone")) });
  const { answer } = await open(stage, failing);
  expect(stage.picture()).toContain("the disk is gone");
  stage.press("Enter", "Shift+L", "Escape");
  expect(await answer).toBeUndefined();
  let wasTold = false;
  const slow = openTreeNavigator(
    stage,
    depsOf(log, {
      read: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            wasTold = true;
            resolve(undefined);
          });
        }),
    }),
  );
  stage.press("Escape");
  expect(await slow).toBeUndefined();
  expect(wasTold).toBe(true);
});

test("what messages say cannot harm the screen", async () => {
  const log = newLog();
  const { id } = await log.append(user(NASTY));
  await log.append({ type: "label", targetId: id, label: NASTY });
  await log.append(reply(NASTY));
  const stage = new FakeStage();
  await open(stage, depsOf(log));
  expectLawful(stage);
});
