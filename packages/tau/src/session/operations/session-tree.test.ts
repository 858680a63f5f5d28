import { expect, test } from "bun:test";
import fc from "fast-check";
import type { SessionEntry } from "../entry.ts";
import { createMemorySession } from "../log/open-session.ts";
import { reply, result, user } from "../log/test/support.ts";
import { projectTree } from "./project-tree.ts";
import { readSessionTree } from "./session-tree.ts";
import { TREE_FILTERS } from "./tree-filter.ts";

const step = fc.oneof(
  fc.record({
    do: fc.constantFrom("user", "reply", "result", "model", "custom"),
    text: fc.constantFrom("one two", "Two three", "", "ONE", "four"),
  }),
  fc.record({ do: fc.constantFrom("move", "label", "unlabel"), at: fc.nat(30) }),
);
const look = fc.record({
  filter: fc.constantFrom(...TREE_FILTERS),
  search: fc.constantFrom("", "o", "on", "one", "one two", "two o", "mark", "zzz"),
});

test("law: however often it is looked at, it shows what reading it anew would show", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.array(look, { minLength: 1, maxLength: 6 }),
      async (steps, looks) => {
        const log = createMemorySession({ cwd: "/" });
        const ids: string[] = [];
        for (const next of steps) {
          if ("at" in next) {
            const id = ids[next.at % Math.max(1, ids.length)];
            if (id === undefined) continue;
            if (next.do === "move") await log.moveLeaf(id, "tree");
            else if (next.do === "label")
              await log.append({ type: "label", targetId: id, label: "a Mark" });
            else await log.append({ type: "label", targetId: id });
            continue;
          }
          const entry = {
            user: user(next.text),
            reply: reply(next.text, next.text === "" ? ["c"] : []),
            result: result("c", next.text),
            model: { type: "model_change" as const, model: "x/y", role: "default" },
            custom: { type: "custom" as const, customType: "state" },
          }[next.do as "user"];
          ids.push((await log.append(entry)).id);
        }
        const { leafId } = log;
        const tree = (await readSessionTree(log.entries(), { leafId }))!;
        for (const { filter, search } of looks) {
          const { rows } = await projectTree(log.entries(), { leafId, filter, search });
          expect(tree.rows({ filter, search })).toEqual(rows);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("labels that are set are shown and searched at once", async () => {
  const log = createMemorySession({ cwd: "/" });
  const { id } = await log.append(user("hello"));
  const tree = (await readSessionTree(log.entries(), { leafId: log.leafId }))!;
  expect(tree.rows({ filter: "all", search: "pivot" })).toEqual([]);
  tree.setLabel(id, "Pivot");
  expect(tree.rows({ filter: "labeled-only", search: "pivot" })).toHaveLength(1);
  tree.setLabel(id, undefined);
  expect(tree.rows({ filter: "all", search: "pivot" })).toEqual([]);
});

test("only going off the branch leaves something behind", async () => {
  const log = createMemorySession({ cwd: "/" });
  const { id: first } = await log.append(user("a"));
  const { id: left } = await log.append(reply("b"));
  await log.moveLeaf(first, "tree");
  const { id: leaf } = await log.append(reply("c"));
  const { id: below } = await log.append(user("d"));
  await log.moveLeaf(leaf, "tree");
  const tree = (await readSessionTree(log.entries(), { leafId: log.leafId }))!;
  expect(tree.leavesSomething(leaf)).toBe(false);
  expect(tree.leavesSomething(below)).toBe(false);
  expect(tree.leavesSomething(first)).toBe(true);
  expect(tree.leavesSomething(left)).toBe(true);
});

test("reading lets others have their turn and stops when it is told to", async () => {
  const stop = new AbortController();
  async function* endless(): AsyncGenerator<SessionEntry> {
    for (let at = 0; ; at += 1) {
      const entry = user(`${at}`) as Extract<SessionEntry, { type: "message" }>;
      yield { ...entry, id: `${at}`, parentId: at === 0 ? null : `${at - 1}`, timestamp: "" };
    }
  }
  let wasTold = 0;
  setTimeout(() => stop.abort(), 20);
  const tree = await readSessionTree(endless(), {
    leafId: null,
    signal: stop.signal,
    onProgress: () => {
      wasTold += 1;
    },
  });
  expect(tree).toBeUndefined();
  expect(wasTold).toBeGreaterThan(0);
});
