// Sample calls for the gallery: tasks that begin and tasks that are over, messages, and a result.

import type { SampleCall } from "../../feature-api/sample-call.ts";

const TASKS = [
  {
    id: "SwiftOtter",
    description: "where sessions are locked",
    assignment: "Find out where sessions are locked, and by whom.",
  },
  {
    id: "CalmHeron",
    description: "what the last commit changed",
    assignment: "Review the last commit.",
  },
  { id: "BoldFinch", description: "セッションのロックを調べる", assignment: "調べてください。" },
];
const WRITTEN = { agent: "explore", tasks: [{ id: "SwiftOtter", description: "where sess" }] };
const STARTED = TASKS.map(({ id, description }) => ({ id, description }));
const NAMES = TASKS.map(({ id }) => id);
const TEXT = "Started 3 explore agents:\n- SwiftOtter\n- CalmHeron\n- BoldFinch";
const REFUSED = 'There is no agent "explorer". Did you mean explore?';

const ENDED = {
  SwiftOtter: {
    end: "completed",
    durationMs: 12_300,
    result:
      "Locks are in `packages/host/src/lock/`.\n- owner-lock.ts: for hours\n- file-lock.ts: for a moment",
  },
  CalmHeron: { end: "failed", durationMs: 3200, error: "the model could not be reached" },
  BoldFinch: { end: "completed", durationMs: 65_000, result: "ロックは二種類あります。" },
};

const MANY = Array.from({ length: 12 }, (_, at) => ({
  id: `Mover${at + 1}`,
  description: `move package ${at + 1} over`,
}));

export const SAMPLES: readonly SampleCall[] = [
  {
    name: "task",
    arguments: { agent: "explore", tasks: TASKS },
    written: WRITTEN,
    done: { text: TEXT, details: { agent: "explore", tasks: STARTED, expects: NAMES } },
    failed: REFUSED,
  },
  {
    name: "task",
    variant: "task-over",
    arguments: { agent: "explore", tasks: TASKS },
    written: WRITTEN,
    done: {
      text: TEXT,
      details: { agent: "explore", tasks: STARTED, expects: NAMES },
      later: ENDED,
    },
    failed: REFUSED,
  },
  {
    name: "task",
    variant: "task-many",
    arguments: { agent: "task", tasks: MANY.map((one) => ({ ...one, assignment: "Move it." })) },
    written: { agent: "task", tasks: [{ id: "Mover1" }] },
    done: {
      text: "Started 12 task agents",
      details: { agent: "task", tasks: MANY, expects: MANY.map(({ id }) => id) },
    },
    failed: "Task 3 has no assignment.",
  },
  {
    name: "task",
    variant: "task-blocking",
    arguments: { agent: "oracle", tasks: [{ id: "Sage", assignment: "Which of the two?" }] },
    written: { agent: "oracle" },
    done: {
      text: "[agent Sage (oracle) finished after 3.2 s]\nThe second, because it names its owner.",
      details: { agent: "oracle", tasks: [{ id: "Sage" }] },
    },
    failed: "You cannot start oracle. You may start none.",
  },
  {
    name: "irc",
    arguments: {
      op: "send",
      to: "SwiftOtter",
      message: "Which of them survives kill -9?",
      await: true,
    },
    written: { op: "send", to: "SwiftO" },
    done: {
      text: "SwiftOtter: sent; it hears of it at its next step [message a1]\n[message b2 from SwiftOtter]\nThe one that names its owner.",
      details: { receipts: [], waited: { id: "b2", from: "SwiftOtter" } },
    },
    failed: 'There is no agent "SwiftOter". Did you mean SwiftOtter?',
  },
  {
    name: "irc",
    variant: "irc-wait",
    arguments: { op: "wait", from: "CalmHeron" },
    written: { op: "wait" },
    done: { text: "No message from CalmHeron within 120 s.", details: { waited: null } },
    failed: "Stopped waiting.",
  },
  {
    name: "yield",
    arguments: { result: "# Locks\n\nThere are two kinds:\n- for a moment\n- for hours" },
    written: { result: "# Lo" },
    done: { text: "Handed in." },
    failed: "Not yet: CalmHeron still at work for you. Wait for them with job, or cancel them.",
  },
  {
    name: "yield",
    variant: "yield-failed",
    arguments: { failed: "there is no such file" },
    written: { failed: "there" },
    done: { text: "Handed in." },
    failed: "Say what came of it: `result`, or `failed` with the reason.",
  },
];
