// Random lives of sessions: said, navigated, labelled, renamed, forked, branched, moved,
// deleted and reopened in any order, each is always what a plain list of entries would be.

import { expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import fc from "fast-check";
import { existsSync } from "node:fs";
import { createBlobStore } from "../log/blob-store.ts";
import { createSessionLog, openSession } from "../log/open-session.ts";
import { expectConsistent, reply, result, user } from "../log/test/support.ts";
import type { SessionLog } from "../session-log.ts";
import { openArtifacts } from "../artifacts/open-artifacts.ts";
import { branchSession } from "./branch-session.ts";
import { deleteSession } from "./delete-session.ts";
import { forkSession } from "./fork-session.ts";
import { moveSession } from "./move-session.ts";
import { labelEntry, renameSession } from "./name-session.ts";
import { navigateTree } from "./test/navigate-tree.ts";
import { projectTree } from "./project-tree.ts";
import { expectModel, SessionModel } from "./test/session-model.ts";

type Action =
  | { kind: "say"; text: string; image: boolean }
  | { kind: "spill"; text: string }
  | { kind: "navigate"; to: number; summarise: boolean }
  | { kind: "label"; to: number; label: string | undefined }
  | { kind: "rename"; title: string }
  | { kind: "fork" }
  | { kind: "branch"; at: number }
  | { kind: "move"; to: number }
  | { kind: "delete" };

const name = fc.stringMatching(/^[a-zé ]{0,8}[a-z]$/);
const action: fc.Arbitrary<{ session: number; action: Action }> = fc.record({
  session: fc.nat(),
  action: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("say" as const),
        text: fc.string({ unit: "grapheme", maxLength: 12 }),
        image: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("spill" as const), text: fc.string() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("navigate" as const),
        to: fc.nat(),
        summarise: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant("label" as const),
        to: fc.nat(),
        label: fc.option(name, { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("rename" as const), title: name }) },
    { weight: 2, arbitrary: fc.constant<Action>({ kind: "fork" }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("branch" as const), at: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("move" as const), to: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.constant<Action>({ kind: "delete" }) },
  ),
});

interface Known {
  path: string;
  model: SessionModel;
  /** By number. */
  artifacts: string[];
}

const storage = createDiskStorage();

class World {
  readonly #dir: ScratchDirectory;
  readonly #surroundings;
  readonly sessions: Known[] = [];

  constructor(dir: ScratchDirectory) {
    this.#dir = dir;
    this.#surroundings = { storage, blobs: createBlobStore(storage, dir.path("agent/blobs")) };
  }

  #directory(number: number): string {
    return this.#dir.path("agent", "sessions", `project-${number}`);
  }

  async begin(): Promise<void> {
    const place = { directory: this.#directory(0) };
    await using log = await createSessionLog({ ...this.#surroundings, place, cwd: "/project-0" });
    this.sessions.push({ path: log.path!, model: new SessionModel(), artifacts: [] });
  }

  open(known: Known, mode: "read" | "write"): Promise<SessionLog> {
    return openSession(known.path, { ...this.#surroundings, mode });
  }

  async #adopt(log: SessionLog, model: SessionModel, artifacts: string[]): Promise<void> {
    await expectModel(log, model);
    const path = log.path!;
    await log.close();
    this.sessions.push({ path, model, artifacts: [...artifacts] });
  }

  async act(known: Known, { kind, ...rest }: Action): Promise<void> {
    const given = { kind, ...rest } as Action;
    const { model } = known;
    const pick = (number: number): string | undefined =>
      model.nodes[number % (model.nodes.length || 1)]?.id;
    const source = { path: known.path };
    switch (given.kind) {
      case "say": {
        await using log = await this.open(known, "write");
        const image = given.image ? Buffer.alloc(900, given.text).toString("base64") : undefined;
        for (const entry of [user(given.text), reply("yes", ["c"]), result("c", "r", image)]) {
          model.add(await log.append(entry));
        }
        return;
      }
      case "spill": {
        await using log = await this.open(known, "read");
        const written = await openArtifacts(log, storage).write("bash", given.text);
        expect(written).toEqual({ ok: true, id: String(known.artifacts.length) });
        known.artifacts.push(given.text.toWellFormed());
        return;
      }
      case "navigate": {
        const target = pick(given.to);
        if (target === undefined) return;
        await using log = await this.open(known, "write");
        const entry = (await log.entry(target))!;
        const isOwn = entry.type === "message" && entry.message.role === "user";
        const old = model.leafId;
        const landing = isOwn && target !== old ? model.parentOf(target) : target;
        const summarise = async () => ({ summary: "what was left" });
        const moved = await navigateTree(log, target, given.summarise ? { summarise } : {});
        expect(moved.isMoved).toBe(landing !== old);
        expect(moved.oldLeafId).toBe(old);
        expect(moved.editorText !== undefined).toBe(isOwn && target !== old);
        model.leafId = landing;
        if (moved.summaryEntry) {
          expect(moved.summaryEntry).toMatchObject({ fromId: old, parentId: landing });
          model.add(moved.summaryEntry);
        }
        return;
      }
      case "label": {
        const target = pick(given.to);
        if (target === undefined) return;
        await using log = await this.open(known, "write");
        await labelEntry(log, target, given.label);
        const label = given.label?.replace(/\s+/g, " ").trim();
        if (label) model.labels.set(target, label);
        else model.labels.delete(target);
        return;
      }
      case "rename": {
        await using log = await this.open(known, "write");
        model.title = (await renameSession(log, given.title)).title;
        return;
      }
      case "fork": {
        const target = { directory: this.#directory(1), cwd: "/project-1" };
        // While its writer has it.
        await using _held = await this.open(known, "write");
        const { log } = await forkSession(source, target, this.#surroundings);
        return this.#adopt(log, SessionModel.of(model), known.artifacts);
      }
      case "branch": {
        const at = pick(given.at);
        if (at === undefined) return;
        const directory = this.#directory(0);
        const { log, editorText } = await branchSession(
          source,
          at,
          { directory },
          this.#surroundings,
        );
        const leafId = editorText === undefined ? at : model.parentOf(at);
        return this.#adopt(log, model.branchedAt(leafId), known.artifacts);
      }
      case "move": {
        const target = { directory: this.#directory(given.to), cwd: `/project-${given.to}` };
        known.path = await moveSession(known.path, target, this.#surroundings);
        await using log = await this.open(known, "read");
        expect(log.header.cwd).toBe(target.cwd);
        return;
      }
      case "delete":
        if (this.sessions.length === 1) return;
        await deleteSession(known.path, this.#surroundings);
        this.sessions.splice(this.sessions.indexOf(known), 1);
        expect(existsSync(known.path)).toBe(false);
        expect(existsSync(known.path.replace(".jsonl", ""))).toBe(false);
    }
  }

  /** Every session is what its model says, also to whoever opens it anew. */
  async expectAll(): Promise<void> {
    for (const known of this.sessions) {
      await using log = await this.open(known, "read");
      await expectModel(log, known.model);
      await expectConsistent(log);
      expect(log.repairs).toEqual([]);
      const store = openArtifacts(log, storage);
      expect((await store.list()).map(({ id }) => id)).toEqual(
        [...known.artifacts.keys()].map(String),
      );
      for (const [id, text] of known.artifacts.entries()) {
        expect((await store.read(String(id))).text).toBe(text);
      }
      const { rows } = await projectTree(log.entries(), { leafId: log.leafId, filter: "all" });
      expect(rows.map(({ id }) => id).sort()).toEqual(known.model.nodes.map(({ id }) => id).sort());
      const onPath = rows.filter((row) => row.isOnPath).map(({ id }) => id);
      expect(onPath).toEqual(known.model.pathTo(known.model.leafId));
      for (const row of rows) {
        expect(row.parentId).toBe(known.model.parentOf(row.id));
        expect(row.label).toBe(known.model.labels.get(row.id));
      }
    }
  }
}

test("whatever is done to sessions, each is what a plain list would be", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), async (actions) => {
      await using dir = await createScratchDirectory();
      const world = new World(dir);
      await world.begin();
      for (const { session, action: next } of actions) {
        const known = world.sessions[session % world.sessions.length]!;
        await world.act(known, next);
      }
      await world.expectAll();
    }),
    { numRuns: 60 },
  );
}, 120_000);
