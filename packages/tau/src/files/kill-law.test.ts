// Real processes, really killed at any moment: their files always belong together afterwards.
// And several at once: none loses what another has written.

import { expect, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createScratchDirectory, type ScratchDirectory } from "@tau/testkit/scratch";
import { recoverEdits, type RecoveryOutcome } from "./recover-edits.ts";
import { COUNTED_FILES, countText } from "./test/counted-files.ts";

const PROCESS = join(import.meta.dir, "test", "changing-process.ts");
const ROUNDS = 120;
/** Side by side, each in a place of its own: most of a round is a start. */
const PLACES = 4;
/** A change takes a few milliseconds; this hits the first ones at every point. */
const MAX_LIFE_MS = 25;

async function plant(scratch: ScratchDirectory): Promise<void> {
  for (const name of COUNTED_FILES) await scratch.write(`files/${name}`, countText(0));
}

function start(scratch: ScratchDirectory, count?: number) {
  const args = [scratch.path("files"), scratch.path("agent")];
  return Bun.spawn([process.execPath, PROCESS, ...args, ...(count ? [`${count}`] : [])], {
    env: { PATH: process.env.PATH ?? "" },
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function killOne(scratch: ScratchDirectory): Promise<void> {
  const child = start(scratch);
  for await (const _chunk of child.stdout) {
    setTimeout(() => child.kill("SIGKILL"), Math.random() * MAX_LIFE_MS);
  }
  await child.exited;
}

/** The number that all files have. */
async function expectTogether(scratch: ScratchDirectory): Promise<number> {
  const texts = await Promise.all(COUNTED_FILES.map((name) => scratch.read(`files/${name}`)));
  const count = Number.parseInt(texts[0]!, 10);
  expect(texts).toEqual(COUNTED_FILES.map(() => countText(count)));
  const names = await readdir(scratch.path("files"), { recursive: true });
  expect(names.toSorted()).toEqual([...COUNTED_FILES, "sub"].toSorted());
  return count;
}

async function killedRounds(
  rounds: number,
): Promise<{ outcomes: RecoveryOutcome[]; count: number }> {
  await using scratch = await createScratchDirectory();
  await plant(scratch);
  const outcomes: RecoveryOutcome[] = [];
  let count = 0;
  for (let round = 0; round < rounds; round += 1) {
    await killOne(scratch);
    const recovered = await recoverEdits(scratch.path("agent"));
    outcomes.push(...recovered.map(({ outcome }) => outcome));
    const now = await expectTogether(scratch);
    expect(now).toBeGreaterThanOrEqual(count);
    count = now;
  }
  expect(await readdir(scratch.path("agent/edits"))).toEqual(["lock"]);
  expect((await stat(scratch.path("agent/edits/lock"))).size).toBe(0);
  return { outcomes, count };
}

test(`${ROUNDS} processes killed at any moment leave whole changes`, async () => {
  const each = ROUNDS / PLACES;
  const all = await Promise.all(Array.from({ length: PLACES }, () => killedRounds(each)));
  const outcomes = all.flatMap((one) => one.outcomes);
  // The kills did hit changes under way, and changes were made.
  expect(outcomes.length).toBeGreaterThan(ROUNDS / 10);
  expect(new Set(outcomes).difference(new Set(["undone", "finished"]))).toEqual(new Set());
  expect(all.every(({ count }) => count > 0)).toBe(true);
}, 60_000);

test("several processes at once lose nothing of each other", async () => {
  await using scratch = await createScratchDirectory();
  await plant(scratch);
  const children = [1, 2, 3].map(() => start(scratch, 15));
  expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0]);
  expect(await expectTogether(scratch)).toBe(45);
}, 30_000);
