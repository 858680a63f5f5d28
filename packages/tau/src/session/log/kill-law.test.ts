// Real processes, really killed: whatever one of them was promised is there, and two of
// them never write to one session.

import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { allEntries, expectConsistent, rejection, user } from "./test/support.ts";
import { temporarySession, type TemporarySession } from "./test/temporary-session.ts";

const PROCESS = join(import.meta.dir, "test", "appending-process.ts");
const ROUNDS = 200;
/** How long a process may write before it is killed; most of a round is its start. */
const MAX_LIFE_MS = 12;

function start(session: TemporarySession, count?: number) {
  const { path, blobs } = session;
  return Bun.spawn(
    [
      process.execPath,
      PROCESS,
      path,
      blobs.directory,
      ...(count === undefined ? [] : [`${count}`]),
    ],
    { env: { PATH: process.env.PATH ?? "" }, stdout: "pipe", stderr: "inherit" },
  );
}

type Child = ReturnType<typeof start>;

/** Lets it write for a moment, kills it, and returns all it said. */
async function killed(child: Child, round: number): Promise<string[]> {
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const decoder = new TextDecoder();
  // Every tenth is killed at some moment of its start instead.
  if (round % 10 === 9) setTimeout(() => child.kill("SIGKILL"), Math.random() * 60);
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_LIFE_MS);
  }
  await child.exited;
  clearTimeout(timer);
  // A line without its end was being said when it died.
  return said.split("\n").slice(0, -1);
}

test("a process killed at any moment keeps its promises, 200 times", async () => {
  await using session = await temporarySession();
  await (await session.create({ processes: undefined })).close();
  const promised: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const said = await killed(start(session), round);
    expect(said.filter((line) => line.startsWith("refused"))).toEqual([]);
    promised.push(...said.filter((line) => !line.startsWith("open ")));
    // The next process mends the file; whoever looks in between sees the same.
    await using log = await session.open("read", { processes: undefined });
    const found = new Set((await allEntries(log)).map((entry) => entry.id));
    expect(promised.filter((id) => !found.has(id))).toEqual([]);
    expect(log.repairs.filter(({ kind }) => kind !== "torn_tail")).toEqual([]);
  }
  expect(promised.length).toBeGreaterThan(ROUNDS);
  await using log = await session.open("write", { processes: undefined });
  expect(log.repairs.map((repair) => repair.kind)).toContain("lock_taken");
  await log.append(user("still works"));
  await expectConsistent(log);
}, 60_000);

test("of two processes the second is told who holds the session, and nothing interleaves", async () => {
  await using session = await temporarySession();
  await (await session.create({ processes: undefined })).close();
  const children = [1, 2, 3, 4].map(() => start(session, 150));
  const said = await Promise.all(children.map((child) => child.stdout.text()));
  const winners = children.filter((_, index) => said[index]!.startsWith("open "));
  const refusals = said.filter((text) => text.startsWith("refused "));
  expect(winners.length).toBeGreaterThanOrEqual(1);
  expect(winners.length + refusals.length).toBe(4);
  const pids = winners.map((child) => `${child.pid}`);
  for (const refusal of refusals) {
    const holder = /^refused SessionLocked: .* has been in use by process (\d+) on /.exec(
      refusal,
    )?.[1];
    expect(pids).toContain(holder!);
  }
  await using log = await session.open("read");
  expect(log.repairs).toEqual([]);
  expect(await allEntries(log)).toHaveLength(winners.length * 450);
  expect(await log.branch()).toHaveLength(winners.length * 450);
}, 30_000);

test("a process that holds a session is named to this one, and released by its death", async () => {
  await using session = await temporarySession();
  await (await session.create({ processes: undefined })).close();
  const child = start(session);
  const reader = child.stdout.getReader();
  await reader.read();
  expect(await rejection(session.open("write", { processes: undefined }))).toMatchObject({
    name: "SessionLocked",
    holder: { pid: child.pid },
  });
  child.kill("SIGKILL");
  await child.exited;
  reader.releaseLock();
  await using log = await session.open("write", { processes: undefined });
  expect(log.repairs[0]).toMatchObject({ kind: "lock_taken" });
  expect(log.repairs[0]!.message).toContain(`process ${child.pid} on `);
  await log.append(user("mine now"));
  expect(await readFile(session.path, "utf8")).toEndWith("\n");
});
