// Entry by entry or all at once, before and after a restart: the same context.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { userText } from "@tau/ai/message";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { buildContext, latestCut, type Context } from "./build-context.ts";
import { ContextView } from "./context-view.ts";
import { arbitraryStep } from "./test/arbitrary-session.ts";
import { TreeModel } from "./test/tree-model.ts";

const SEED = 4;

/** A title is the session's and stands on no branch. */
function untitled(context: Context): Context["state"] {
  const { title: _title, titleSource: _source, ...state } = context.state;
  return state;
}

function expectSame(context: Context, expected: Context): void {
  expect(context.sources).toEqual(expected.sources as string[]);
  for (const [at, message] of context.messages.entries()) {
    if (message !== expected.messages[at]) throw new Error(`message ${at} is another object`);
  }
  expect(untitled(context)).toEqual(untitled(expected));
  expect(context.sinceCompaction).toBe(expected.sinceCompaction);
  expect(context.prunedSinceReply).toBe(expected.prunedSinceReply);
}

describe("laws over random sessions", () => {
  const steps = fc.array(arbitraryStep(), { maxLength: 14 });

  test("a view that takes entries one by one equals the context made from scratch", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const model = new TreeModel();
        const view = new ContextView();
        for (const step of steps) {
          for (const made of step(model)) {
            const entry = model.append(made);
            const before = view.context();
            if (view.append(entry) === "needs_branch") {
              expect(["leaf", "compaction"]).toContain(entry.type);
              view.reset(model.branch());
            }
            const context = view.context();
            expectSame(context, buildContext(model.branch()));
            if (!["leaf", "compaction", "prune"].includes(entry.type)) {
              // What was sent is only ever extended.
              expect(context.messages.length).toBeGreaterThanOrEqual(before.messages.length);
              expect(before.messages.every((one, at) => context.messages[at] === one)).toBe(true);
            }
          }
          expect(view.leafId).toBe(model.leafId);
        }
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("a restart changes nothing, whether the branch is read whole or since the compaction", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const model = new TreeModel();
        const view = new ContextView();
        for (const step of steps) {
          for (const made of step(model)) {
            if (view.append(model.append(made)) === "needs_branch") view.reset(model.branch());
          }
        }
        const branch = model.reopened().branch();
        const before = JSON.stringify(view.context().messages);
        expect(JSON.stringify(new ContextView(branch).context().messages)).toBe(before);
        const short = branch.slice(latestCut(branch)?.keptFrom ?? 0);
        const pruned = branch.filter((entry) => entry.type === "prune" && !short.includes(entry));
        const reread = new ContextView([...pruned, ...short]);
        expect(JSON.stringify(reread.context().messages)).toBe(before);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("no result is in a context before the first reply it could belong to", () => {
    fc.assert(
      fc.property(steps, (steps) => {
        const model = new TreeModel();
        for (const step of steps) for (const made of step(model)) model.append(made);
        const { messages } = buildContext(model.branch());
        const reply = messages.findIndex(({ role }) => role === "assistant");
        const result = messages.findIndex(({ role }) => role === "toolResult");
        expect(result < 0 || (reply >= 0 && reply < result)).toBe(true);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });
});

describe("moves", () => {
  function session(count: number): { model: TreeModel; view: ContextView } {
    const model = new TreeModel();
    const view = new ContextView();
    for (let at = 0; at < count; at++) {
      view.append(model.append({ type: "message", message: userText(`m${at}`, 0) }));
    }
    return { model, view };
  }
  const move = (leafId: string | null): NewEntry => ({ type: "leaf", leafId, reason: "test" });
  const compaction = (firstKeptEntryId: string): NewEntry => ({
    type: "compaction",
    summary: "s",
    firstKeptEntryId,
    tokensBefore: 2,
    tokensAfter: 1,
  });

  test("back along the branch needs nothing from the log; before a compaction it does", () => {
    const { model, view } = session(6);
    expect(view.append(model.append(move("e3")))).toBe("current");
    expect(view.context().sources).toEqual(["e0", "e1", "e2", "e3"]);
    view.append(model.append(compaction("e2")));
    view.append(model.append({ type: "message", message: userText("later", 0) }));
    expect(view.entries.map((entry) => entry.id)).toEqual(["e2", "e3", "e7", "e8"]);
    expect(view.append(model.append(move("e7")))).toBe("current");
    expect(view.context().sources).toEqual(["e7", "e2", "e3"]);
    expect(view.append(model.append(move("e3")))).toBe("needs_branch");
    expect(() => view.context()).toThrow();
    view.reset(model.branch());
    expect(view.context().sources).toEqual(["e0", "e1", "e2", "e3"]);
  });

  test("a title stays, wherever the session stands", () => {
    const { model, view } = session(2);
    view.append(model.append({ type: "title", title: "Mine", source: "user" }));
    view.append(model.append({ type: "title", title: "Made up", source: "auto" }));
    view.append(model.append(move(null)));
    expect(view.state.title).toBe("Mine");
  });

  test("appending to a long session touches nothing that is there", () => {
    const { view, model } = session(2000);
    const entries: SessionEntry[] = [];
    for (let at = 0; at < 10; at++) {
      entries.push(model.append({ type: "message", message: userText("x", 0) }));
    }
    // Reading anything of the entries already there would throw.
    for (const entry of view.entries as SessionEntry[]) {
      Object.defineProperty(entry, "type", { get: () => expect.unreachable() });
    }
    for (const entry of entries) expect(view.append(entry)).toBe("current");
    expect(view.live.messages).toHaveLength(2010);
  });
});
