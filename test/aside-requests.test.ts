// What exactly is sent when a model is asked beside the conversation: for a title, by each way of
// compacting, for the summary of a branch, by a code cell. Each request is compared as a whole, so
// that a change to any part of it shows.

import { expect, test } from "bun:test";
import { STRATEGY_NAMES } from "@tau/tau/features/compaction/strategies";
import { userText, type CreateSessionOptions, type Session } from "@tau/tau/sdk";
import type { RecordedRequest } from "@tau/testkit/model-server";
import type { ScriptedTurn } from "@tau/testkit/script";
import { embed, type Embedding } from "./support/embedded.ts";

const SHEEP = "sheep ".repeat(600);
const SUMMARY = `<summary>Sheep were counted.</summary>`;

/** The conversation's own requests have its system prompt. */
const SYSTEM = "You count sheep.";
const isAside = ({ decoded }: RecordedRequest): boolean => decoded.system.join() !== SYSTEM;

/** As a whole, but for the length of what is only long. */
function shown({ method, path, decoded }: RecordedRequest): unknown {
  return shortened({ method, path, ...decoded });
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return JSON.parse(text.replaceAll(/(?:sheep ){10,}(?:sheep)?/g, "[many sheep]"));
}

/** What is asked at once may arrive in any order. */
function inOrder(sent: readonly unknown[]): unknown[] {
  return sent.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const settings = (rows: Readonly<Record<string, unknown>> = {}): CreateSessionOptions => ({
  session: { kind: "memory" },
  system: [SYSTEM],
  toolNames: [],
  settings: {
    models: { roles: { smol: "ollama/tiny" } },
    rows: { "compaction.keepRecentTokens": 10, ...rows },
  },
});

/** Answers asides with a summary, and the conversation at length. */
const counting = (request: RecordedRequest): ScriptedTurn => ({
  text: isAside(request) ? SUMMARY : `I count ${SHEEP}`,
});

async function counted(embedding: Embedding, options: CreateSessionOptions): Promise<Session> {
  const session = await embedding.start(options);
  await session.prompt(userText("count the white ones"));
  await session.prompt(userText("and the black ones"));
  return session;
}

test("a title", async () => {
  await using embedding = await embed((request) =>
    isAside(request)
      ? { toolCalls: [{ name: "set_title", arguments: { title: "Counting sheep" } }] }
      : { text: "One sheep." },
  );
  const session = await embedding.start({ ...settings(), titles: "on" });
  await session.prompt(userText("count the white ones"));
  while (session.state.title === undefined) await Bun.sleep(5);
  expect(embedding.server.requests.filter(isAside).map(shown)).toMatchSnapshot();
  await session[Symbol.asyncDispose]();
});

test.each(STRATEGY_NAMES)("compaction by %s", async (strategy) => {
  const posts: unknown[] = [];
  await using remote = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      posts.push(shortened({ method: request.method, body: await request.json() }));
      return Response.json({ summary: SUMMARY });
    },
  });
  await using embedding = await embed(counting);
  const session = await counted(
    embedding,
    settings({ "compaction.remoteEndpoint": remote.url.href }),
  );
  const compact = async (wish: { instructions?: string }) => {
    const { requests } = embedding.server;
    const before = requests.length;
    const { type: outcome } = await session.compact({ strategy, ...wish });
    const sent = [...requests.slice(before).map(shown), ...posts.splice(0)];
    return { outcome, sent: inOrder(sent) };
  };
  const first = await compact({});
  await session.prompt(userText("and the grey ones"));
  const second = await compact({ instructions: "Keep the grey ones." });
  expect([first, second]).toMatchSnapshot();
  await session[Symbol.asyncDispose]();
});

test("the summary of a branch that is left", async () => {
  await using embedding = await embed(counting);
  const session = await counted(embedding, settings());
  const first = (await session.log.branch()).find((entry) => entry.type === "message");
  const { summaryEntry } = await session.navigate(first!.id, { summarise: true });
  expect(summaryEntry?.summary).toStartWith("Sheep were counted.");
  expect(embedding.server.requests.filter(isAside).map(shown)).toMatchSnapshot();
  await session[Symbol.asyncDispose]();
});

test("a code cell", async () => {
  const code = `await completion("How many legs?", { system: "Answer with a number." })`;
  await using embedding = await embed((request, turn) => {
    if (isAside(request)) return { text: "4" };
    return turn === 1
      ? { toolCalls: [{ name: "eval", arguments: { cells: [{ language: "js", code }] } }] }
      : { text: "done" };
  });
  const options = { ...settings(), toolNames: ["eval"], approvalMode: "yolo" as const };
  const session = await embedding.start(options);
  await session.prompt(userText("count the legs"));
  expect(embedding.server.requests.filter(isAside).map(shown)).toMatchSnapshot();
  await session[Symbol.asyncDispose]();
});
