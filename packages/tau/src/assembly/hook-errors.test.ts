// The law of clumsy handlers, for the points of a session: whoever throws there is told to the
// session's listeners, by name, and the session goes on. The points come from the table of all.

import { expect, test } from "bun:test";
import { SESSION_HOOK_NAMES, type SessionHookName } from "@tau/agent/hook-names";
import type { HookHandlers } from "@tau/agent/hooks";
import { userText } from "@tau/ai/message";
import { FREE, type Model } from "@tau/ai/model";
import { ReplyStream } from "@tau/ai/reply-stream";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { eventsOf } from "@tau/testkit/script";
import { ranInstead } from "../session/own-run.ts";
import { ActiveSession } from "./active-session.ts";
import type { SessionEvent } from "../session/session-event.ts";

const oops = new Error("oops");
const clumsy = { kind: "extension", name: "clumsy" } as const;
const helpful = { kind: "extension", name: "helpful" } as const;

const model: Model = {
  provider: "scripted",
  id: "m",
  name: "m",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 100_000,
  maxOutput: 100,
  input: ["text"],
  cost: FREE,
};

let replies = 0;
let isCut = false;
function call(): ReplyStream {
  const stream = new ReplyStream();
  const origin = { provider: "scripted", model: "m", wire: "in-process" as const };
  const stop = isCut ? "length" : "stop";
  for (const event of eventsOf({ text: "words ".repeat(500), stop }, origin, ++replies)) {
    stream.push(event);
  }
  return stream;
}

interface Stage {
  active: ActiveSession;
  /** Of everything that was said, oldest first. */
  entryIds: string[];
}

const compact = async ({ active }: Stage): Promise<void> => {
  expect(await active.compact()).toMatchObject({ type: "compacted" });
};
const startNew = ({ active }: Stage): Promise<void> => active.startNew();
const branch = async ({ active, entryIds }: Stage): Promise<unknown> => active.branch(entryIds[0]!);
const navigate = async ({ active, entryIds }: Stage): Promise<unknown> =>
  active.session.navigate(entryIds[1]!);

/** What a user does to come by each point. */
const MOMENTS: Record<SessionHookName, (stage: Stage) => Promise<unknown>> = {
  session_start: async () => {},
  session_before_prompt: async () => {},
  session_shorten: compact,
  session_cut_reply: async ({ active }) => {
    isCut = true;
    await active.prompt(userText("at length"));
    isCut = false;
  },
  session_before_switch: startNew,
  session_switch: startNew,
  session_before_branch: branch,
  session_branch: branch,
  session_before_compact: compact,
  session_compacting: compact,
  session_compact: compact,
  session_before_tree: navigate,
  session_summarise_branch: async ({ active, entryIds }) =>
    active.session.navigate(entryIds[1]!, { summarise: true }),
  session_tree: navigate,
  session_handing_over: ({ active }) => active.handOver("what there is to know"),
  own_run: ({ active: { session } }) => {
    const words = { tool: "bash", text: "ls", isTold: false };
    return ranInstead(session, words, new AbortController().signal);
  },
  session_end: startNew,
};

async function open(home: IsolatedHome, handlers: HookHandlers): Promise<Stage> {
  let stage: Stage;
  const summarise: HookHandlers = {
    session_before_compact: () => ({
      compaction: { summary: "short", firstKeptEntryId: stage.entryIds.at(-1)! },
    }),
  };
  const active = await ActiveSession.open({
    cwd: home.root,
    env: home.env,
    session: { kind: "memory" },
    settings: {},
    toolNames: [],
    model: { model, call },
    hooks: [
      { owner: clumsy, handlers },
      { owner: helpful, handlers: summarise },
    ],
  });
  stage = { active, entryIds: [] };
  return stage;
}

const errorsIn = (events: readonly SessionEvent[]) =>
  events.filter((event) => event.type === "hook_error");

test.each([...SESSION_HOOK_NAMES])(
  "a handler that throws at %s is told to the listeners, and the session goes on",
  async (hook) => {
    await using home = await isolatedHome();
    const stage = await open(home, {
      [hook]: () => {
        throw oops;
      },
    });
    await using active = stage.active;
    const events: SessionEvent[] = [];
    active.subscribe((event) => events.push(event));
    for (const words of ["one", "two"]) await active.prompt(userText(words));
    const entries = await active.session.log.branch();
    stage.entryIds = entries.filter(({ type }) => type === "message").map(({ id }) => id);
    await MOMENTS[hook](stage);
    expect(errorsIn(events)[0]).toEqual({
      type: "hook_error",
      behaviour: "clumsy",
      hook,
      error: oops,
    });
    expect(await active.prompt(userText("three"))).toEqual({ reason: "done" });
  },
);

test("a handler that throws when the last session is left is told too", async () => {
  await using home = await isolatedHome();
  const { active } = await open(home, {
    session_end: () => {
      throw oops;
    },
  });
  const events: SessionEvent[] = [];
  active.subscribe((event) => events.push(event));
  await active[Symbol.asyncDispose]();
  expect(errorsIn(events)).toMatchObject([{ behaviour: "clumsy", hook: "session_end" }]);
});

test("what failed before anyone listened is told once, to the first who does", async () => {
  await using home = await isolatedHome();
  const { active } = await open(home, {
    session_start: () => {
      throw oops;
    },
  });
  const heard: string[] = [];
  active.subscribe(({ type }) => heard.push(`first ${type}`));
  active.subscribe(({ type }) => heard.push(`second ${type}`));
  expect(heard).toEqual(["first hook_error"]);
  await active[Symbol.asyncDispose]();
});
