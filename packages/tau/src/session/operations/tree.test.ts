import { describe, expect, test } from "bun:test";
import { abandonedEntries } from "./abandoned-entries.ts";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { UnknownEntry } from "../log/log-error.ts";
import { createMemorySession } from "../log/open-session.ts";
import { rejection, reply, result, user } from "../log/test/support.ts";
import { temporarySession } from "../log/test/temporary-session.ts";
import type { SessionLog } from "../session-log.ts";
import { labelEntry, renameSession } from "./name-session.ts";
import { navigate, planNavigation } from "./navigate-tree.ts";
import { navigateTree } from "./test/navigate-tree.ts";
import { OperationRefused, SessionMovedOn } from "./operation-error.ts";
import { projectTree, type ProjectionOptions } from "./project-tree.ts";
import { readSessionTree } from "./session-tree.ts";

const note: NewEntry = {
  type: "custom_message",
  customType: "note",
  content: [{ type: "text", text: "by the way" }],
  display: true,
  attribution: "user",
};

async function talk(log: SessionLog, ...given: NewEntry[]): Promise<string[]> {
  const ids: string[] = [];
  for (const entry of given) ids.push((await log.append(entry)).id);
  return ids;
}

describe("navigation", () => {
  test("to own words: before them, with the words for the editor; and it survives", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const [one, two, three, , by] = await talk(
      log,
      user("one"),
      reply("two"),
      user("three"),
      reply("four"),
      note,
    );
    expect(await navigateTree(log, three!)).toEqual({
      isMoved: true,
      oldLeafId: by!,
      leafId: two!,
      editorText: "three",
    });
    expect((await navigateTree(log, by!)).editorText).toBe("by the way");
    expect(await navigateTree(log, two!)).toMatchObject({ leafId: two!, isMoved: true });
    expect(await navigateTree(log, two!)).toEqual({
      isMoved: false,
      oldLeafId: two!,
      leafId: two!,
    });
    expect(await navigateTree(log, one!)).toMatchObject({ leafId: null, editorText: "one" });
    await log.close();
    await using again = await session.open("write");
    expect(again.leafId).toBeNull();
    expect((await again.append(user("anew"))).parentId).toBeNull();
  });

  test("with a summary: a child of the new position, from the old one, in one write", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const [, two, , four] = await talk(
      log,
      user("one"),
      reply("two"),
      user("three"),
      reply("four"),
    );
    const asked: (readonly SessionEntry[])[] = [];
    const moved = await navigateTree(log, two!, {
      summarise: async (abandoned) => {
        asked.push(abandoned);
        return { summary: "we tried", details: { files: [] } };
      },
    });
    expect(asked.map((entries) => entries.map(({ id }) => id))).toEqual([
      (await log.branch({ leafId: four! })).slice(2).map(({ id }) => id),
    ]);
    expect(moved.summaryEntry).toMatchObject({
      type: "branch_summary",
      parentId: two!,
      fromId: four!,
      summary: "we tried",
      details: { files: [] },
    });
    expect(log.leafId).toBe(moved.summaryEntry!.id);
    expect((await session.lines()).at(-1)).toContain('"batch":[2,2]');
    // Nothing is left behind here, so that nobody is asked.
    await navigateTree(log, four!, { summarise: async () => undefined });
    expect(log.leafId).toBe(four!);
  });

  test("an abort, or a session that went on meanwhile, leaves everything as it was", async () => {
    const log = createMemorySession({ cwd: "/" });
    const [, two, three] = await talk(log, user("one"), reply("two"), user("three"));
    const abort = async () => {
      throw new DOMException("stopped", "AbortError");
    };
    await expect(navigateTree(log, two!, { summarise: abort })).rejects.toThrow("stopped");
    expect(log.leafId).toBe(three!);
    const plan = await planNavigation(log, two!);
    const left = await log.branch();
    expect(plan.abandoned).toEqual(abandonedEntries(left, await log.branch({ leafId: two! })));
    expect(plan).toMatchObject({ commonAncestorId: two!, oldLeafId: three! });
    const more = await log.append(reply("four"));
    expect(await rejection(navigate(log, plan))).toBeInstanceOf(SessionMovedOn);
    expect(log.leafId).toBe(more.id);
    expect(await rejection(navigateTree(log, "nothing"))).toBeInstanceOf(UnknownEntry);
  });
});

describe("names", () => {
  test("are one line, bounded, and survive", async () => {
    await using session = await temporarySession();
    await using log = await session.create();
    const [one] = await talk(log, user("one"));
    expect((await labelEntry(log, one!, "  a\n\u001b[31mb\u0007 ")).label).toBe("a ⏎ b");
    expect((await renameSession(log, `${"x".repeat(500)}`)).title).toHaveLength(200);
    expect(await rejection(renameSession(log, " \u0000 "))).toBeInstanceOf(OperationRefused);
    await log.close();
    await using again = await session.open("write");
    expect([...(await again.labels())]).toEqual([[one!, "a ⏎ b"]]);
    expect(again.leafId).toBe(one!);
    await labelEntry(again, one!, " ");
    expect((await again.labels()).size).toBe(0);
    const label = (await Array.fromAsync(again.entries())).find(({ type }) => type === "label")!;
    expect(await rejection(labelEntry(again, label.id, "x"))).toBeInstanceOf(UnknownEntry);
  });
});

describe("the tree as rows", () => {
  async function rowsOf(log: SessionLog, options: Omit<ProjectionOptions, "leafId"> = {}) {
    const { rows } = await projectTree(log.entries(), { leafId: log.leafId, ...options });
    return rows.map(({ gutter, kind, text, label, isOnPath, isLeaf }) => {
      const mark = isLeaf ? "◉" : isOnPath ? "•" : " ";
      return `${gutter}${mark} ${label ? `[${label}] ` : ""}${kind}: ${text}`;
    });
  }

  async function branching(): Promise<SessionLog> {
    const log = createMemorySession({ cwd: "/" });
    const [, plan] = await talk(log, user("start"), reply("plan"));
    const [, , seen] = await talk(log, user("A"), reply("", ["c"]), result("c", "seen"));
    await talk(log, { type: "model_change", model: "x/y", role: "default" }, reply("A is done"));
    await log.moveLeaf(plan!, "tree");
    await talk(log, user("B"), reply("B is done"), user("more B"));
    await labelEntry(log, seen!, "milestone");
    return log;
  }

  test("goes right only where it branches, with where one stands first", async () => {
    const log = await branching();
    expect(await rowsOf(log)).toEqual([
      "• user: start",
      "• assistant: plan",
      "├─ • user: B",
      "│  • assistant: B is done",
      "│  ◉ user: more B",
      "└─   user: A",
      "     [milestone] read: seen",
      "     assistant: A is done",
    ]);
  });

  test("records of what happened are hidden, and nobody stands on one", async () => {
    const log = createMemorySession({ cwd: "/" });
    const stopped: NewEntry = {
      type: "event",
      event: { type: "agent_end", end: { reason: "aborted" } },
    };
    await talk(log, user("start"), reply("plan"), stopped, stopped);
    expect(await rowsOf(log)).toEqual(["• user: start", "◉ assistant: plan"]);
    expect((await rowsOf(log, { filter: "all" })).slice(1)).toEqual([
      "◉ assistant: plan",
      "• agent end: Stopped.",
      "• agent end: Stopped.",
    ]);
    const tree = (await readSessionTree(log.entries(), { leafId: log.leafId }))!;
    const rows = tree.rows({ filter: "default", search: "" });
    expect(rows.map(({ text, isLeaf }) => [text, isLeaf])).toEqual([
      ["start", false],
      ["plan", true],
    ]);
    expect(tree.leavesSomething(rows[1]!.id)).toBe(false);
    await talk(log, user("again"));
    expect(await rowsOf(log)).toEqual(["• user: start", "• assistant: plan", "◉ user: again"]);
  });

  test("filters hide entries, never what is below them", async () => {
    const log = await branching();
    const words = async (options: Omit<ProjectionOptions, "leafId">) =>
      (await rowsOf(log, options)).map((row) => row.replace(/^[├└│─•◉ ]+/, ""));
    expect(await words({ filter: "user-only" })).toEqual([
      "user: start",
      "user: B",
      "user: more B",
      "user: A",
    ]);
    expect(await words({ filter: "no-tools" })).not.toContain("[milestone] read: seen");
    expect(await words({ filter: "labeled-only" })).toEqual(["[milestone] read: seen"]);
    expect(await words({ filter: "all" })).toContain("model: x/y");
    expect(await words({ search: "DONE a" })).toEqual([
      "assistant: B is done",
      "assistant: A is done",
    ]);
    expect(await words({ search: "milestone" })).toEqual(["[milestone] read: seen"]);
    expect(await words({ search: "nowhere" })).toEqual([]);
  });

  test("a hundred thousand entries deep, and as many branches, in no time", async () => {
    async function* entries(parentOf: (at: number) => number): AsyncGenerator<SessionEntry> {
      for (let at = 0; at < 100_000; at += 1) {
        const parent = parentOf(at);
        yield {
          ...(user(`${at}`) as Extract<SessionEntry, { type: "message" }>),
          id: `${at}`,
          parentId: parent < 0 ? null : `${parent}`,
          timestamp: "",
        };
      }
    }
    const deep = await projectTree(
      entries((at) => at - 1),
      { leafId: "99999" },
    );
    expect(deep.rows).toHaveLength(100_000);
    expect(deep.rows.every((row) => row.isOnPath && row.gutter === "")).toBe(true);
    // Each entry of a long way has another attempt beside it.
    const comb = await projectTree(
      entries((at) => at - 2 + (at % 2 === 0 ? 0 : 1)),
      {
        leafId: "99998",
      },
    );
    expect(comb.rows).toHaveLength(100_000);
    expect(Math.max(...comb.rows.map((row) => row.gutter.length))).toBeLessThanOrEqual(27);
    const few = await projectTree(
      entries((at) => at - 1),
      { leafId: null, maxEntries: 10 },
    );
    expect([few.rows.length, few.omitted]).toEqual([10, 99_990]);
  }, 60_000);
});
