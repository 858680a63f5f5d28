// Random histories of appends, batches, moves, closings, crashes and power losses: the log
// is always what a plain list of the acknowledged entries is.

import { expect, test } from "bun:test";
import { createDiskStorage } from "@tau/host/storage";
import { StorageError } from "@tau/host/storage-error";
import type { Fault } from "@tau/testkit/fault-plan";
import { Crashed } from "@tau/testkit/fault-state";
import { createFaultyStorage } from "@tau/testkit/faulty-storage";
import fc from "fast-check";
import type { NewEntry, SessionEntry } from "../entry.ts";
import { movesLeaf } from "../entry-kinds.ts";
import type { SessionLog } from "../session-log.ts";
import { allEntries, compaction, expectConsistent, reply, result, user } from "./test/support.ts";
import { temporarySession, type TemporarySession } from "./test/temporary-session.ts";

/** What an entry refers to is chosen among those that are there, by number. */
type Draft = (pick: (number: number) => string | undefined) => NewEntry;

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }).map(
      (text): Draft =>
        () =>
          user(text),
    ),
  },
  { weight: 3, arbitrary: fc.constant<Draft>(() => reply("yes", ["c"])) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 3 }).map(
      (fill): Draft =>
        () =>
          result("c", "img", Buffer.alloc(900, fill).toString("base64")),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string().map((title): Draft => () => ({ type: "title", title, source: "auto" })),
  },
  {
    weight: 1,
    arbitrary: fc
      .jsonValue()
      .map((data): Draft => () => ({ type: "custom", customType: "x", data })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(), fc.option(fc.string(), { nil: undefined }))
      .map(([target, label]): Draft => (pick) => ({
        type: "label",
        targetId: pick(target) ?? "none",
        label,
      })),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map(
      (kept): Draft =>
        (pick) =>
          compaction(pick(kept) ?? "none"),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.option(fc.nat()).map((to): Draft => (pick) => ({
      type: "leaf",
      leafId: to === null ? null : (pick(to) ?? null),
      reason: "r",
    })),
  },
);

interface Step {
  /** Several lists are appended at the same moment. */
  calls: Draft[][];
}

const step: fc.Arbitrary<Step> = fc.record({
  calls: fc.array(fc.array(draft, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
});

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom<Fault>(
    { kind: "fail" },
    { kind: "crash-before" },
    { kind: "crash-after" },
    { kind: "power-loss" },
  ),
  fc.nat({ max: 600 }).map((bytes): Fault => ({ kind: "tear", bytes })),
  fc.nat({ max: 600 }).map((bytes): Fault => ({ kind: "enospc", bytes })),
);

/** From opening to closing, or to the end of a process. */
const life = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  plan: fc.option(fc.record({ at: fc.integer({ min: 1, max: 40 }), fault })),
  eagerIndexBytes: fc.constantFrom(0, 1_000_000),
});
type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

interface Known {
  acknowledged: SessionEntry[];
  /** In the order of calls; each call is there as a whole or not at all. */
  inFlight: NewEntry[][];
}

function isExpected(error: unknown): boolean {
  if (error instanceof SuppressedError)
    return isExpected(error.error) && isExpected(error.suppressed);
  return error instanceof Crashed || error instanceof StorageError;
}

async function runStep(log: SessionLog, { calls }: Step, known: Known): Promise<void> {
  const places = known.acknowledged.filter(movesLeaf);
  const pick = (number: number): string | undefined => places[number % (places.length || 1)]?.id;
  const given = calls.map((drafts) => drafts.map((one) => one(pick)));
  known.inFlight = given;
  const outcomes = await Promise.allSettled(given.map((entries) => log.appendAll(entries)));
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") known.acknowledged.push(...outcome.value);
  }
  known.inFlight = given.filter((_, index) => outcomes[index]?.status === "rejected");
  for (const outcome of outcomes) {
    if (outcome.status === "rejected" && !(outcome.reason instanceof StorageError))
      throw outcome.reason;
  }
  // Refused for good: it must not turn up.
  known.inFlight = [];
}

async function live(
  session: TemporarySession,
  { steps, plan, eagerIndexBytes }: Life,
  known: Known,
): Promise<void> {
  const storage = createFaultyStorage(createDiskStorage(), plan ? [plan] : []);
  try {
    await using log = await session.open("write", { storage, eagerIndexBytes });
    for (const one of steps) {
      await runStep(log, one, known);
      await expectConsistent(log);
    }
  } catch (error) {
    if (!isExpected(error)) throw error;
  }
}

function plain(entries: readonly object[]): unknown[] {
  return entries.map((entry) => {
    const {
      id: _id,
      parentId: _parent,
      timestamp: _time,
      aside: _aside,
      ...rest
    } = entry as SessionEntry;
    return JSON.parse(JSON.stringify(rest)) as unknown;
  });
}

/** Takes over what was in flight and got through: the first so many calls, each whole. */
async function settle(session: TemporarySession, known: Known): Promise<void> {
  await using log = await session.open("read");
  const found = await allEntries(log);
  const { acknowledged, inFlight } = known;
  expect(plain(found.slice(0, acknowledged.length))).toEqual(plain(acknowledged));
  const more = plain(found.slice(acknowledged.length));
  const possible = [
    [] as NewEntry[],
    ...inFlight.map((_, index) => inFlight.slice(0, index + 1).flat()),
  ];
  expect(possible.map((entries) => JSON.stringify(plain(entries)))).toContain(JSON.stringify(more));
  await expectConsistent(log);
  known.acknowledged = found;
  known.inFlight = [];
}

test("a log is the list of what was acknowledged, through all its lives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
      await using session = await temporarySession();
      await (await session.create()).close();
      const known: Known = { acknowledged: [], inFlight: [] };
      for (const one of lives) {
        await live(session, one, known);
        await settle(session, known);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);
