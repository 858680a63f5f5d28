// What a session says it has used: everything that was paid for, also beside the conversation, on
// branches that were left and in replies that failed, and the same after a restart.

import { expect, test } from "bun:test";
import { modelFailure } from "@tau/ai/error";
import { Budget, createSession, userText, type SessionEvent } from "@tau/tau/sdk";
import { ModelServer, type RecordedRequest } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { connect } from "./support/rpc-connection.ts";

const isTitle = ({ decoded }: RecordedRequest): boolean =>
  decoded.tools.some(({ name }) => name === "set_title");
const isSummary = ({ decoded }: RecordedRequest): boolean => decoded.tools.length === 0;

test("titles, summaries, failures and what was left behind, at each model's own price", async () => {
  let breaks = 1;
  await using home = await isolatedHome();
  await using server = await ModelServer.start((request) => {
    const usage = { input: 1000, output: 100 };
    if (isTitle(request)) {
      const toolCalls = [{ name: "set_title", arguments: { title: "Sheep" } }];
      return { toolCalls, usage: { input: 40, output: 4 } };
    }
    if (isSummary(request)) return { text: "A summary.", usage: { input: 2000, output: 10 } };
    const text = "sheep ".repeat(3000);
    if (breaks-- > 0) return { text, usage, streamError: modelFailure("overloaded", "gone") };
    return { text, usage };
  });
  await home.write(
    ".tau/agent/models.yml",
    `providers:
  mine:
    baseUrl: ${server.baseUrl("openai-completions")}
    api: openai-completions
    auth: none
    models:
      - { id: dear, cost: { input: 10, output: 100 } }
      - { id: cheap, cost: { input: 1, output: 1 } }
`,
  );
  await home.write(
    ".tau/agent/config.yml",
    `modelRoles: { smol: mine/cheap }
retry: { baseDelayMs: 1 }
compaction: { keepRecentTokens: 10 }
`,
  );
  const options = { cwd: home.root, env: home.env, model: "mine/dear", titles: "on" as const };
  const budget = new Budget({});
  const { session } = await createSession({ ...options, budget });
  const calls: SessionEvent[] = [];
  session.subscribe((event) => {
    if (event.type === "model_call") calls.push(event);
  });
  await session.prompt(userText("count"));
  while (session.state.title === undefined) await Bun.sleep(5);
  await session.prompt(userText("count on"));
  expect((await session.compact()).type).toBe("compacted");
  const first = (await session.log.branch()).find((entry) => entry.type === "message");
  await session.navigate(first!.id);
  await session.prompt(userText("count otherwise"));
  const summaries = server.requests.filter(isSummary).length;
  // What broke off has not told what it used.
  const replies = 3;
  const used = {
    replies,
    asides: 1 + summaries,
    inputTokens: replies * 1000 + 40 + summaries * 2000,
    outputTokens: replies * 100 + 4 + summaries * 10,
  };
  const costUsd = replies * (1000 * 10 + 100 * 100) + 44 + summaries * (2000 * 10 + 10 * 100);
  const spend = await session.spend();
  expect(spend).toMatchObject(used);
  expect(spend.costUsd).toBeCloseTo(costUsd / 1e6, 10);
  expect(budget.spent).toMatchObject({
    requests: replies + 1 + used.asides,
    tokens: used.inputTokens + used.outputTokens,
  });
  expect(budget.spent.costUsd).toBeCloseTo(spend.costUsd, 10);
  expect(calls[0]).toEqual({
    type: "model_call",
    purpose: "title",
    model: "mine/cheap",
    usage: { input: 40, output: 4, cacheRead: 0, cacheWrite: 0 },
    costUsd: 44 / 1e6,
    requests: 1,
    outcome: "done",
  });
  expect(calls.slice(1)).toHaveLength(summaries);
  const { id } = session;
  await session[Symbol.asyncDispose]();

  const later = await createSession({ ...options, session: { kind: "resume", wanted: id } });
  expect(await later.session.spend()).toEqual(spend);
  await later.session[Symbol.asyncDispose]();
});

test("a client is told the same sums", async () => {
  await using rpc = await connect((request) =>
    isSummary(request) ? { text: "A summary." } : { text: "sheep ".repeat(30_000) },
  );
  const { client } = rpc;
  await client.run("count");
  await client.run("count on");
  await client.send("compact");
  const asides = rpc.events.filter(({ type }) => type === "model_call").length;
  expect(asides).toBeGreaterThan(0);
  expect(await client.send("get_session_stats")).toMatchObject({
    asides,
    tokens: { input: (2 + asides) * 10, output: (2 + asides) * 5 },
  });
});
