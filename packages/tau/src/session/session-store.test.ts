import { describe, expect, test } from "bun:test";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import type { Elsewhere, ElsewhereChoice } from "./listing/elsewhere.ts";
import { rejection, user } from "./log/test/support.ts";
import { SessionStore, type SessionStoreOptions } from "./session-store.ts";
import { UserError } from "../user-error.ts";

async function storeIn(
  dir: ScratchDirectory,
  name: string,
  options: Partial<SessionStoreOptions> = {},
): Promise<SessionStore> {
  await mkdir(dir.path(name), { recursive: true });
  const env = { HOME: dir.path("home"), TMPDIR: dir.path("tmp") };
  return new SessionStore({ env, cwd: dir.path(name), ...options });
}

async function said(store: SessionStore, text: string) {
  await using log = await store.open({ kind: "new" });
  await log.append(user(text));
  return { id: log.header.id, path: log.path! };
}

describe("a session of another directory, by id", () => {
  const choosing = (choice: ElsewhereChoice, asked: Elsewhere[] = []) => ({
    whenElsewhere: async (found: Elsewhere) => {
      asked.push(found);
      return choice;
    },
  });

  test("whoever is there is asked: a copy here, or nothing", async () => {
    await using dir = await createScratchDirectory();
    const { id, path } = await said(await storeIn(dir, "there"), "hi");
    const asked: Elsewhere[] = [];
    const forking = await storeIn(dir, "here", choosing("fork", asked));
    await using copy = await forking.open({ kind: "resume", wanted: id });
    expect(asked).toEqual([{ path, id, cwd: dir.path("there"), isGone: false }]);
    expect(copy.header).toMatchObject({ cwd: dir.path("here"), parentSession: id });
    expect(copy.leafId).not.toBeNull();
    const cancelling = await storeIn(dir, "third", choosing("cancel"));
    const error = await rejection(cancelling.open({ kind: "resume", wanted: id }));
    expect(error).toBeInstanceOf(UserError);
    expect(existsSync(path)).toBe(true);
    // A path is a path, and nobody is asked.
    await using opened = await cancelling.open({ kind: "resume", wanted: path });
    expect(opened.header.id).toBe(id);
  });

  test("one whose directory is gone may be taken along, and says so", async () => {
    await using dir = await createScratchDirectory();
    const { id, path } = await said(await storeIn(dir, "there"), "hi");
    await rename(dir.path("there"), dir.path("here"));
    const asked: Elsewhere[] = [];
    const store = await storeIn(dir, "here", choosing("move", asked));
    await using log = await store.open({ kind: "resume", wanted: id });
    expect(asked[0]?.isGone).toBe(true);
    expect(log.header).toMatchObject({ id, cwd: dir.path("here") });
    expect(log.repairs.map((repair) => repair.kind)).toEqual(["moved"]);
    expect(existsSync(path)).toBe(false);
  });
});

describe("continue", () => {
  const TTY = { tty: "/dev/pts/7" };

  test("a renamed directory's session comes along, unless something was begun here", async () => {
    await using dir = await createScratchDirectory();
    const { id } = await said(await storeIn(dir, "old", TTY), "hi");
    await rename(dir.path("old"), dir.path("new"));
    {
      const other = await storeIn(dir, "new", { tty: "/dev/pts/8" });
      await using fresh = await other.open({ kind: "continue" });
      expect(fresh.leafId).toBeNull();
      await other.withdraw(fresh);
    }
    {
      await using log = await (await storeIn(dir, "new", TTY)).open({ kind: "continue" });
      expect(log.header).toMatchObject({ id, cwd: dir.path("new") });
    }
    await using again = await (await storeIn(dir, "new", TTY)).open({ kind: "continue" });
    expect([again.header.id, again.repairs]).toEqual([id, []]);
    const own = await said(await storeIn(dir, "busy"), "mine");
    await again.close();
    await rename(dir.path("new"), dir.path("newer"));
    await using mine = await (await storeIn(dir, "busy", TTY)).open({ kind: "continue" });
    expect(mine.header.id).toBe(own.id);
  });

  test("one that is in use where its directory was renamed is refused with who has it", async () => {
    await using dir = await createScratchDirectory();
    const store = await storeIn(dir, "old", TTY);
    await using _held = await store.open({ kind: "new" });
    await rename(dir.path("old"), dir.path("new"));
    const error = await rejection((await storeIn(dir, "new", TTY)).open({ kind: "continue" }));
    expect(error).toBeInstanceOf(UserError);
    expect((error as Error).message).toContain(`process ${process.pid}`);
  });
});
