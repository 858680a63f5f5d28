// Notes about attempts that were left.

import { expect, test } from "bun:test";
import { abandonedEntries } from "../../session/operations/abandoned-entries.ts";
import { summariseBranch } from "./branch-summary.ts";
import { call, long, MODEL, reply, ScriptedAsk, sessionOf, user } from "./test/scenario.ts";

function leftBranch() {
  const session = sessionOf(user("root"), reply("shared"));
  session.append({ type: "message", message: user("old attempt") });
  session.append({ type: "message", message: reply([call("1", "write", { path: "x.ts" })]) });
  const left = session.branch();
  session.append({ type: "leaf", leafId: "e1", reason: "tree" });
  session.append({ type: "message", message: user("new attempt") });
  return { session, left };
}

test("what is left is what comes after the common ancestor", () => {
  const { session, left } = leftBranch();
  const ids = (target: typeof left) => abandonedEntries(left, target).map((entry) => entry.id);
  expect(ids(session.branch())).toEqual(["e2", "e3"]);
  expect(ids([])).toEqual(["e0", "e1", "e2", "e3"]);
  expect(ids(left)).toEqual([]);
});

test("one question, and an entry that names the leaf that was left", async () => {
  const { session, left } = leftBranch();
  const scripted = new ScriptedAsk("It wrote x.");
  const entries = abandonedEntries(left, session.branch());
  const entry = await summariseBranch({ entries, model: MODEL }, scripted.deps);
  expect(scripted.requests).toHaveLength(1);
  expect(scripted.prompts[0]).toContain("[User]: old attempt");
  expect(scripted.prompts[0]).not.toContain("shared");
  expect(entry).toMatchObject({
    type: "branch_summary",
    fromId: "e3",
    summary: "It wrote x.\n\n<files>\n# ./\nx.ts (Write)\n</files>",
  });
});

test("the newest fit first; files are taken from all of it", async () => {
  const session = sessionOf(
    reply([call("1", "read", { path: "old.ts" })]),
    user(`oldest ${long(6000)}`),
    user("newer"),
    user("newest"),
  );
  const scripted = new ScriptedAsk("s");
  const model = { ...MODEL, contextWindow: 10_000 };
  const entry = await summariseBranch({ entries: session.branch(), model }, scripted.deps);
  const [prompt] = scripted.prompts as [string];
  expect(prompt).toContain("(2 older messages are left out.)");
  expect(prompt).toContain("[User]: newer\n\n[User]: newest");
  expect(prompt).not.toContain("oldest");
  expect(entry?.summary).toContain("old.ts (Read)");
});

test("nothing said, nothing asked; nothing answered, nothing written", async () => {
  const scripted = new ScriptedAsk(" ");
  expect(await summariseBranch({ entries: [], model: MODEL }, scripted.deps)).toBeUndefined();
  expect(scripted.requests).toEqual([]);
  const entries = sessionOf(user("x")).branch();
  expect(await summariseBranch({ entries, model: MODEL }, scripted.deps)).toBeUndefined();
});
