// A real session on disk with a scripted model, and what a front-end sees of it: for tests that
// hold what was seen live against what is seen when the session is resumed.

import { expect } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { FREE, type Model } from "@tau/ai/model";
import { userText } from "@tau/ai/message";
import { isDelta } from "@tau/ai/event";
import { ReplyAssembler, type OpenBlock } from "@tau/ai/reply-assembler";
import { ReplyStream } from "@tau/ai/reply-stream";
import type { Asker } from "@tau/agent/judge-call";
import type { ModelCaller } from "@tau/agent/model-caller";
import { defineTool, textOutput, ToolError, type Tool } from "@tau/agent/tool";
import { eventsOf, type ScriptedReply } from "@tau/testkit/script";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { strictObject, string } from "valibot";
import {
  createSession,
  type CreatedSession,
  type CreateSessionOptions,
} from "../../../assembly/create-session.ts";
import type { Session } from "../../session.ts";
import { isEnded, type Block, type BlockChange, type CallBlock } from "../block.ts";
import { BlockList } from "../block-list.ts";
import { LiveProjection } from "../live-projection.ts";
import { projectEntries } from "../project-entries.ts";

const model: Model = {
  provider: "scripted",
  id: "m",
  name: "m",
  wire: "in-process",
  baseUrl: "",
  auth: "none",
  contextWindow: 100_000,
  maxOutput: 1000,
  input: ["text"],
  cost: FREE,
};
const origin = { provider: "scripted", model: "m", wire: "in-process" as const };

const OFFER = {
  assessment: { tier: "read" as const, subjects: ["a word"] },
  rules: ["allow it"],
  keep: async () => {},
};

/** What the tools of the run do, by the word they are called with. */
export const WORDS = ["good", "bad", "broken", "asks", "steers", "own", "stops"] as const;
export type Word = (typeof WORDS)[number];

export interface LiveRun extends AsyncDisposable {
  created: CreatedSession;
  session: Session;
  /** What the model says next, in order; then it is done. */
  replies: ScriptedReply[];
  /** What the person says next; no, if they say nothing. */
  answers: ("once" | "session" | "no")[];
  /** The extension throws at the end of the next turn. */
  throwsNext: boolean;
  /** As a front-end has them, in the order in which they came. */
  readonly seen: readonly Block[];
  /** Nothing waits to be written any more: what is told while nothing runs is written beside it. */
  written(): Promise<void>;
  reopened(): Promise<Block[]>;
}

export async function startLive(): Promise<LiveRun> {
  const home: IsolatedHome = await isolatedHome();
  const replies: ScriptedReply[] = [];
  const answers: LiveRun["answers"] = [];
  let turn = 0;
  const call: ModelCaller = (_request, { signal }) => {
    turn += 1;
    const stream = new ReplyStream();
    void play(replies.shift() ?? { text: "Done." }, turn, stream, signal);
    return stream;
  };
  const ask: Asker = async () => {
    const answer = answers.shift() ?? "no";
    if (answer === "no") return { allowed: false, reason: "not now" };
    return answer === "once" ? { allowed: true } : { allowed: true, remember: answer };
  };
  let run: LiveRun;
  const options: CreateSessionOptions = {
    cwd: home.root,
    env: home.env,
    model: { model, call },
    settings: {},
    toolNames: ["todo"],
    tools: [wordTool(() => run)],
    ask,
    wakes: false,
    hooks: [
      {
        owner: { kind: "extension", name: "ext" },
        handlers: {
          tool_call: ({ arguments: { word } }) =>
            word === "asks" ? { type: "ask", reason: "it asks", offer: OFFER } : undefined,
          failure: ({ attempt }) =>
            attempt === 1 ? { type: "retry", afterMs: 1 } : { type: "give_up" },
          turn_end: () => {
            if (!run.throwsNext) return undefined;
            run.throwsNext = false;
            throw new Error("the extension broke");
          },
        },
      },
    ],
  };
  const created = await createSession(options);
  const { session } = created;
  const list = new BlockList();
  const projection = new LiveProjection((change) => {
    expectFaithful(list, change);
    list.apply(change);
  });
  session.subscribe(projection.handle);
  session.onAppended(projection.appended);
  run = {
    created,
    session,
    replies,
    answers,
    throwsNext: false,
    get seen() {
      return list.blocks;
    },
    written: async () => {
      const isWaiting = (): boolean => list.blocks.some(({ key }) => key.startsWith("preview"));
      for (let tries = 0; isWaiting() && tries < 100; tries += 1) await Bun.sleep(2);
    },
    reopened: async () => {
      const log = await created.store.openForReading(session.log.path!);
      await using _open = log;
      return projectEntries(await log.branch());
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
  return run;
}

/** Event by event; an abort ends it where it is. */
async function play(
  reply: ScriptedReply,
  turn: number,
  stream: ReplyStream,
  signal: AbortSignal,
): Promise<void> {
  const out = new ReplyAssembler(origin, (event) => stream.push(event), 0);
  const open = new Map<number, OpenBlock>();
  for (const event of eventsOf(reply, origin, turn)) {
    await Promise.resolve();
    if (signal.aborted) return out.fail(modelFailure("aborted", "stopped"));
    if (event.type === "text_start") open.set(event.index, out.openText());
    else if (event.type === "thinking_start") open.set(event.index, out.openThinking());
    else if (event.type === "toolcall_start") open.set(event.index, out.openToolCall(event));
    else if (isDelta(event)) open.get(event.index)!.append(event.delta);
    else if ("block" in event) open.get(event.index)!.close();
    else if (event.type === "error") out.fail(event.error);
    else if (event.type === "done") out.finish(event.reason);
  }
}

function wordTool(run: () => LiveRun): Tool {
  return defineTool({
    name: "word",
    description: "Does what its word says.",
    tier: "read",
    concurrency: "exclusive",
    parameters: strictObject({ word: string() }),
    execute: async ({ word }, { update }) => {
      const { session } = run();
      update("working");
      if (word === "bad") throw new ToolError("it went wrong", undefined, undefined, { code: 7 });
      if (word === "broken") throw new Error("a bug");
      if (word === "steers") await session.steer(userText("and another thing"));
      if (word === "own") await ownRun(session);
      if (word === "stops") void session.abort();
      return textOutput(`did ${word}`, { count: word.length, none: undefined });
    },
  });
}

export async function ownRun(session: Session): Promise<void> {
  const { beginOwnRun } = await import("../../own-run.ts");
  const what = { sign: "!", tool: "bash", arguments: { command: "ls" }, isTold: true };
  const report = beginOwnRun(session, what);
  report.printed("a\n");
  report.ended({ content: [{ type: "text", text: "a\nb" }], isError: false, exitCode: 0 });
  await session.addToNext(userText("[the user ran ls]", report.toldAt), { sender: "shell" });
}

/** Where a block takes the place of its preview, it says what was seen before. */
function expectFaithful(list: BlockList, change: BlockChange): void {
  if (change.type !== "changed") return;
  const before = list.get(change.key);
  if (!before) return;
  const { block } = change;
  if (before.kind === "call" && block.kind === "call" && isEnded(before)) {
    expect(endSeen(block)).toEqual(endSeen(before));
  } else if (change.key !== block.key) expect(seenOf(block)).toEqual(seenOf(before));
}

/** As the log has it: what is not there and what is undefined are the same. */
function endSeen({ phase, result, details, durationMs, artifactId }: CallBlock): unknown {
  return JSON.parse(JSON.stringify({ phase, result, details, durationMs, artifactId }));
}

/** What a person has seen of a block once it is over. */
function seenOf(block: Block): unknown {
  switch (block.kind) {
    case "answer":
      return { kind: block.kind, text: block.text };
    case "thinking":
      // Both are measured, by two clocks.
      return { text: block.text, isMeasured: block.durationMs !== undefined };
    case "call":
      return { name: block.name, arguments: block.arguments, phase: block.phase };
    case "own_run": {
      const { key: _key, output: _output, ...rest } = block;
      return rest;
    }
    default: {
      const { key: _key, ...rest } = block;
      return rest;
    }
  }
}
