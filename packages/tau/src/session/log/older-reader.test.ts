// A session goes back and forth between this Tau and an older one, which does not know what
// stands aside: it puts its position onto such entries, and what it says below them.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { userText } from "@tau/ai/message";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { buildContext } from "../context/build-context.ts";
import { ContextView } from "../context/context-view.ts";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { projectEntries } from "../projection/project-entries.ts";
import { movesLeaf } from "../entry-kinds.ts";
import { branchSession } from "../operations/branch-session.ts";
import { forkSession } from "../operations/fork-session.ts";
import { projectTree } from "../operations/project-tree.ts";
import { readContext } from "../read-context.ts";
import type { SessionLog } from "../session-log.ts";
import { decodeLine } from "./line.ts";
import { createMemorySession } from "./open-session.ts";
import { allEntries, expectConsistent, reply, user } from "./test/support.ts";
import { BEFORE_ASIDE, hasCommit, unpackTau } from "./test/older-tau.ts";
import { temporarySession, type TemporarySession } from "./test/temporary-session.ts";

const isThere = hasCommit(BEFORE_ASIDE);
const why = isThere ? "" : ` (skipped: commit ${BEFORE_ASIDE} is not in this clone)`;

/** A kind that neither of the two knows. */
const UNKNOWN = "of_a_newer_tau" as SessionEntry["type"];
const newer = (text: string, aside?: true): NewEntry =>
  ({ type: UNKNOWN, aside, text }) as unknown as NewEntry;

const STEPS = ["message", "title", "move", "compaction"] as const;
type Step = { kind: (typeof STEPS)[number] | "deliver"; pick: number };

/** The first compaction kept from an entry that stands aside, the second from the first. */
const KEPT_BEFORE_THE_BRANCH = {
  own: ["aside" as const],
  older: [
    { kind: "message", pick: 0 },
    { kind: "compaction", pick: 0 },
    { kind: "compaction", pick: 11 },
  ] satisfies Step[],
};

interface Seen {
  leafId: string | null;
  branch: string[];
  context: unknown[];
}

describe.skipIf(!isThere)(`an older reader${why}`, () => {
  let dir: ScratchDirectory;
  let sources: string;

  beforeAll(async () => {
    dir = await createScratchDirectory();
    sources = await unpackTau(BEFORE_ASIDE, dir);
  }, 60_000);
  afterAll(() => dir[Symbol.asyncDispose]());

  function olderWrites(path: string, steps: readonly Step[]): Seen {
    const program = join(import.meta.dir, "test/older-program.ts");
    const command = [process.execPath, program, sources, path, JSON.stringify(steps)];
    const done = Bun.spawnSync(command, { stderr: "pipe" });
    expect(done.stderr.toString()).toBe("");
    return JSON.parse(done.stdout.toString()) as Seen;
  }

  test("what it said below an entry that stands aside is there: branch, tree, index, copies", async () => {
    await using session = await temporarySession();
    {
      await using log = await session.create();
      for (const entry of [user("one"), newer("moves"), newer("aside", true)]) {
        await log.append(entry);
      }
      expect((await log.branch()).map(({ type }) => type)).toEqual(["message", UNKNOWN]);
    }
    const seen = olderWrites(session.path, [
      { kind: "message", pick: 1 },
      { kind: "title", pick: 2 },
    ]);
    // It stands on the entry that it does not know; otherwise this would test nothing.
    expect(seen.branch).toHaveLength(4);
    await expectSeen(session, seen);
    await using log = await session.open("write");
    const { rows } = await projectTree(log.entries(), { leafId: log.leafId });
    expect(rows.map(({ text }) => text)).toEqual(["one", "older 1"]);
    const added = await log.append(reply("two"));
    expect(added.parentId).toBe(seen.leafId);
  });

  test("a command of the user's own that it told the model of is seen once", async () => {
    await using session = await temporarySession();
    const toldAt = 12.5;
    {
      await using log = await session.create();
      const own = { id: "r", sign: "!", tool: "bash", arguments: { command: "ls" }, isTold: true };
      const end = { content: [], isError: false, exitCode: 0, durationMs: 1, toldAt };
      await log.append({ type: "event", event: { type: "own_run_end", ...own, ...end } });
      const message = userText("[the user ran ls]", toldAt);
      const mail = { mailId: "m", delivery: "nextTurn", sender: "shell", message } as const;
      await log.append({ type: "mail", state: "queued", ...mail });
    }
    olderWrites(session.path, [
      { kind: "deliver", pick: 0 },
      { kind: "message", pick: 1 },
    ]);
    await using log = await session.open("read");
    const branch = await log.branch();
    expect(branch.filter(({ type }) => type === "message")).toHaveLength(2);
    expect(projectEntries(branch)).toMatchObject([
      { kind: "own_run", arguments: { command: "ls" } },
      { kind: "user", text: "older 1" },
    ]);
  });

  test("whatever either of them writes, both see the same conversation", async () => {
    const older = fc.array(
      fc.record({ kind: fc.constantFrom(...STEPS), pick: fc.nat(50) }) as fc.Arbitrary<Step>,
      { maxLength: 6 },
    );
    const own = fc.array(fc.constantFrom("message", "moves", "aside", "title"), { maxLength: 4 });
    const rounds = fc.array(fc.record({ own, older }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (given) => {
        await using session = await temporarySession();
        await (await session.create()).close();
        for (const round of given) {
          await using log = await session.open("write");
          for (const kind of round.own) await log.append(ownEntry(kind));
          await log.close();
          await expectSeen(session, olderWrites(session.path, round.older));
        }
      }),
      { numRuns: 15, examples: [[[KEPT_BEFORE_THE_BRANCH]]] },
    );
  }, 120_000);
});

function ownEntry(kind: string): NewEntry {
  if (kind === "message") return user("newer");
  if (kind === "title") return { type: "title", title: "t", source: "auto" };
  return newer("x", kind === "aside" ? true : undefined);
}

/** The session is what the older one saw, without the entries that stand aside. */
async function expectSeen(session: TemporarySession, seen: Seen): Promise<void> {
  // Without the index first, which a small file gets at once: large ones open without it.
  await using hinted = await session.open("read", { eagerIndexBytes: 0 });
  await expectBranch(hinted, seen);
  await using log = await session.open("read");
  await expectBranch(log, seen);
  await expectConsistent(log);
  const entries = await allEntries(log);
  const moving = entries.filter(movesLeaf).map(({ id }) => id);
  const { rows } = await projectTree(log.entries(), { leafId: log.leafId, filter: "all" });
  expect(rows.map(({ id }) => id).toSorted()).toEqual(moving.toSorted());
  const onPath = rows.filter(({ isOnPath }) => isOnPath).map(({ id }) => id);
  const branch = await log.branch();
  expect(onPath.toSorted()).toEqual(branch.map(({ id }) => id).toSorted());
  expect(await childrenBelow(log, null)).toEqual(new Set(moving));
  await expectCopies(session, log, branch);
  // A session in memory that is made of the same lines.
  const lines = (await session.lines())
    .slice(1)
    .map((line) => decodeLine(Buffer.from(line))!.value);
  await using memory = createMemorySession({
    cwd: "/",
    entries: lines as unknown as SessionEntry[],
  });
  expect(await memory.branch()).toEqual(branch);
  expect(await allEntries(memory)).toEqual(entries);
}

async function expectBranch(log: SessionLog, seen: Seen): Promise<void> {
  const branch = await log.branch();
  const asides = new Set<string>();
  for await (const entry of log.entries()) if (!movesLeaf(entry)) asides.add(entry.id);
  expect(branch.map(({ id }) => id)).toEqual(seen.branch.filter((id) => !asides.has(id)));
  const context = buildContext(branch).messages.map(({ content }) => content);
  expect(JSON.parse(JSON.stringify(context))).toEqual(seen.context);
  // As a session resumes: with what the leaf needs and no more.
  const resumed = await readContext(log);
  const view = new ContextView(resumed.branch, resumed.before);
  expect(view.context().messages).toEqual(buildContext(branch).messages);
  expect(log.leafId).toBe(branch.at(-1)?.id ?? null);
}

async function expectCopies(
  session: TemporarySession,
  log: SessionLog,
  branch: readonly SessionEntry[],
): Promise<void> {
  const surroundings = { storage: createDiskStorage(), blobs: session.blobs };
  const target = { directory: session.dir.path("copies"), cwd: "/work" };
  const source = { path: session.path };
  const { log: fork } = await forkSession(source, target, surroundings);
  await using _fork = fork;
  expect(await fork.branch()).toEqual([...branch]);
  expect((await allEntries(fork)).length).toBe((await allEntries(log)).length);
  const last = branch.findLast(({ type }) => type === UNKNOWN || type === "compaction");
  if (!last) return;
  const { log: copy } = await branchSession(source, last.id, target, surroundings);
  await using _copy = copy;
  expect(await copy.branch()).toEqual(await log.branch({ leafId: last.id }));
}

async function childrenBelow(log: SessionLog, id: string | null): Promise<Set<string>> {
  const found = new Set<string>();
  for (const child of await log.childrenOf(id)) {
    found.add(child.id);
    for (const below of await childrenBelow(log, child.id)) found.add(below);
  }
  return found;
}
