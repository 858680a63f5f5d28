// Every run id that is given out ends exactly once, whatever becomes of its prompt.

import { expect, test } from "bun:test";
import type { OutgoingEvent } from "./frame-writer.ts";
import { Runs } from "./runs.ts";

function watched() {
  const told: OutgoingEvent[] = [];
  return { told, runs: new Runs((event) => told.push(event)) };
}

const start = { type: "agent_start" } as const;
const done = { type: "agent_end", end: { reason: "done" } } as const;
const failure = { code: "failed", message: "the disk is full" } as const;

test("a prompt's run has its id from the acknowledgement to the end", () => {
  const { runs, told } = watched();
  const id = runs.begin();
  const events = [{ type: "turn_start", turn: 1 } as const, start];
  expect(events.map((event) => runs.follow(event))).toEqual([id, id]);
  expect(runs.isPrompting).toBe(true);
  expect(runs.follow(done)).toBe(id);
  // The next one may begin, though the last of this one may not be on disk yet.
  expect(runs.isPrompting).toBe(false);
  runs.settle(id, { end: { reason: "done" } });
  expect({ current: runs.current, isPrompting: runs.isPrompting, told }).toEqual({
    current: undefined,
    isPrompting: false,
    told: [],
  });
});

test("a prompt that came to no run ends all the same", () => {
  const { runs, told } = watched();
  const consumed = runs.begin();
  runs.settle(consumed, { end: { reason: "consumed" } });
  const failed = runs.begin();
  runs.settle(failed, { error: failure });
  expect(told).toEqual([
    { type: "agent_end", runId: consumed, end: { reason: "consumed" } },
    { type: "agent_end", runId: failed, end: { reason: "failed" }, error: failure },
  ]);
});

test("a failure behind the end is told beside it, not as a second end", () => {
  const { runs, told } = watched();
  const id = runs.begin();
  runs.follow(start);
  runs.follow({ type: "agent_end", end: { reason: "failed" } });
  runs.settle(id, { error: failure });
  expect(told).toEqual([{ type: "run_error", runId: id, error: failure }]);
});

test("a run that begins by itself has an id of its own, also before the prompt came back", () => {
  const { runs, told } = watched();
  const id = runs.begin();
  runs.follow(start);
  runs.follow(done);
  const own = runs.follow(start);
  expect(own).not.toBe(id);
  runs.settle(id, { end: { reason: "done" } });
  expect(runs.current).toBe(own!);
  expect(runs.follow(done)).toBe(own!);
  expect(told).toEqual([]);
});

test("a run that is left behind in another session is over", () => {
  const { runs, told } = watched();
  const own = runs.follow(start)!;
  runs.leave();
  expect(told).toEqual([{ type: "agent_end", runId: own, end: { reason: "aborted" } }]);
  const id = runs.begin();
  runs.leave();
  expect(runs.current).toBe(id);
  expect(told).toHaveLength(1);
});

test("a run that began under the name of a prompt which came to nothing ends once, as itself", () => {
  const { runs, told } = watched();
  const id = runs.begin();
  // A message that waited begins a run while the prompt is looked at.
  expect(runs.follow(start)).toBe(id);
  runs.settle(id, { error: failure });
  expect(told).toEqual([{ type: "run_error", runId: id, error: failure }]);
  expect(runs.follow(done)).toBe(id);
  expect(runs.current).toBeUndefined();
  const next = runs.begin();
  runs.settle(next, { end: { reason: "consumed" } });
  expect(told).toHaveLength(2);
});
