// The other strategies: prune, handoff, remote, snapshot, and how each is found.

import { describe, expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import type { Message } from "@tau/ai/message";
import { buildContext } from "../../session/context/build-context.ts";
import { framesOf } from "../../session/context/preserved-data.ts";
import type { CompactionEntry } from "../../session/entry.ts";
import { compact } from "./compact.ts";
import { handoffEntry } from "./handoff.ts";
import { loadStrategy, STRATEGY_NAMES } from "./strategies.ts";
import { defaultsOf } from "../../config/setting-group.ts";
import { COMPACTION_ROWS } from "./settings.ts";
import {
  call,
  inputOf,
  long,
  MODEL,
  reply,
  result,
  ScriptedAsk,
  sessionOf,
  user,
} from "./test/scenario.ts";

const DEFAULT_COMPACTION = defaultsOf(COMPACTION_ROWS);

const talk = () => sessionOf(user("task"), reply(long(3000)), user("next"), reply("ok"));

async function run(name: string, ...args: Parameters<typeof inputOf>) {
  const scripted = new ScriptedAsk("the summary");
  const strategy = await loadStrategy(name);
  return { outcome: await compact(strategy!, inputOf(...args), scripted.deps), scripted };
}

test("every strategy loads by its name and by its old one", async () => {
  for (const name of STRATEGY_NAMES) expect((await loadStrategy(name))?.name).toBe(name);
  expect((await loadStrategy("context-full"))?.name).toBe("summary");
  expect((await loadStrategy("snapcompact"))?.name).toBe("snapshot");
  expect(await loadStrategy("off")).toBeUndefined();
});

describe("prune", () => {
  test("old output goes, what was read and what is new stays", async () => {
    const session = sessionOf(
      reply([call("1"), call("2", "read")]),
      result("1", long(30_000)),
      result("2", long(10_000), "read"),
      reply([call("3")]),
      result("3", long(39_000)),
    );
    const { outcome, scripted } = await run("prune", session);
    expect(outcome).toMatchObject({ type: "prune", entry: { entryIds: ["e1"] } });
    expect(scripted.requests).toEqual([]);
    if (outcome.type !== "prune") throw new Error(outcome.type);
    expect(outcome.entry.tokensSaved).toBeWithin(29_000, 30_100);
    session.append(outcome.entry);
    expect((await run("prune", session)).outcome).toMatchObject({ reason: "nothing_to_prune" });
  });

  test("what pruning cannot keep within a small window is summarised", async () => {
    const small = { ...MODEL, contextWindow: 40_000 };
    const read = (id: string): Message[] => [
      reply([call(id, "read")]),
      result(id, long(12_000), "read"),
    ];
    const full = sessionOf(user("task"), ...read("1"), ...read("2"), ...read("3"), reply("ok"));
    const { outcome } = await run("prune", full, { model: small, reason: "threshold", keep: 5000 });
    expect(outcome.type).toBe("compaction");
    const printed = sessionOf(
      ...["1", "2", "3"].flatMap((id) => [reply([call(id)]), result(id, long(12_000))]),
    );
    const pruned = await run("prune", printed, { model: small, reason: "threshold" });
    expect(pruned.outcome).toMatchObject({ type: "prune", entry: { entryIds: ["e1", "e3"] } });
    // A model that says that it does not fit gets something shorter in any case.
    const refused = await run("prune", talk(), { model: small, reason: "overflow", keep: 50 });
    expect(refused.outcome.type).toBe("compaction");
  });

  test("nothing is done for little", async () => {
    const results = Array.from({ length: 3 }, (_, at) => result(`${at}`, long(19_000)));
    const session = sessionOf(reply([call("0"), call("1"), call("2")]), ...results);
    expect((await run("prune", session)).outcome).toMatchObject({ reason: "nothing_to_prune" });
  });
});

describe("handoff", () => {
  test("the live request with one message more, and no tools to call", async () => {
    const session = talk();
    const tools = [{ name: "bash", description: "b", parameters: {} }];
    const { outcome, scripted } = await run("handoff", session, { tools });
    expect(outcome).toEqual({ type: "handoff", document: "the summary" });
    const [request] = scripted.requests;
    expect(request).toMatchObject({ system: ["You are Tau."], tools, toolChoice: "none" });
    const { messages } = buildContext(session.branch());
    expect(request!.messages.slice(0, -1)).toEqual(messages as never);
    expect(handoffEntry("doc")).toMatchObject({ customType: "handoff", display: true });
  });

  test("an overflow is summarised: the request would overflow again", async () => {
    const { outcome } = await run("handoff", talk(), { reason: "overflow" });
    expect(outcome.type).toBe("compaction");
  });

  test("an empty document falls back to a summary", async () => {
    const scripted = new ScriptedAsk("", "the summary");
    const strategy = (await loadStrategy("handoff"))!;
    const outcome = await compact(strategy, inputOf(talk(), { keep: 50 }), scripted.deps);
    expect(outcome.type).toBe("compaction");
    expect(scripted.requests).toHaveLength(2);
  });
});

describe("remote", () => {
  const at = (remoteEndpoint: string) => ({
    settings: { ...DEFAULT_COMPACTION, keepRecentTokens: 50, remoteEndpoint },
  });

  test("posts prompt and system prompt, takes the summary", async () => {
    let body: unknown;
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        body = await request.json();
        return Response.json({ summary: "from afar" });
      },
    });
    const { outcome, scripted } = await run("remote", talk(), at(server.url.href));
    expect(outcome).toMatchObject({ entry: { summary: expect.stringMatching(/^from afar/) } });
    expect(scripted.requests).toEqual([]);
    expect(body).toEqual({
      systemPrompt: expect.stringContaining("memory of a coding agent"),
      prompt: expect.stringContaining("[User]: task"),
    });
  });

  test.each([
    ["an error", () => new Response("no", { status: 500 })],
    ["no JSON", () => new Response("no")],
    ["no summary", () => Response.json({})],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/")],
  ])("%s: the model summarises itself", async (_name, answer) => {
    await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
    const { outcome, scripted } = await run("remote", talk(), at(server.url.href));
    expect(outcome.type).toBe("compaction");
    expect(scripted.requests).toHaveLength(1);
  });
});

describe("snapshot", () => {
  const seeing = { ...MODEL, input: ["text", "image"] as const };

  test("pages of text as images, carried on up to eight, the first one pinned", async () => {
    const session = sessionOf(user(`Start. ${long(9000)}`), reply("ok"));
    const shots: CompactionEntry[] = [];
    for (let at = 0; at < 3; at++) {
      session.append({ type: "message", message: user(`Round ${at}. ${long(16_000, `w${at}`)}`) });
      session.append({ type: "message", message: reply("ok") });
      const { outcome } = await run("snapshot", session, { keep: 10, model: seeing });
      if (outcome.type !== "compaction") throw new Error(JSON.stringify(outcome));
      shots.push(session.append(outcome.entry) as CompactionEntry);
    }
    const counts = shots.map((entry) => framesOf(entry).length);
    expect(counts).toEqual([7, 8, 8]);
    expect(framesOf(shots[2]!)[0]).toEqual(framesOf(shots[0]!)[0]!);
    expect(shots[2]!.summary).toContain("8 pages");
    expect(shots[2]!.summary).toMatch(/second, [1-9]\d* were left out/);
    expect(buildContext(session.branch()).messages[0]!.content).toHaveLength(9);
    // Read back: the header, and as many dots as it says.
    const png = Buffer.from(framesOf(shots[0]!)[0]!.data, "base64");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024]);
    const size = png.readUInt32BE(33);
    expect(inflateSync(png.subarray(41, 41 + size))).toHaveLength(1024 * 129);
  });

  test("pages that save little are not taken: the next turn would take them again", async () => {
    const session = sessionOf(user(long(2500)), reply("ok"), user(long(1200)), reply("b"));
    const { outcome, scripted } = await run("snapshot", session, { keep: 1300, model: seeing });
    expect(scripted.requests).toHaveLength(1);
    expect(outcome).toMatchObject({ entry: { summary: expect.stringMatching(/^the summary/) } });
  });

  test("a model that reads text only gets a summary", async () => {
    const { outcome } = await run("snapshot", talk(), { keep: 50 });
    expect(outcome).toMatchObject({ entry: { summary: expect.stringMatching(/^the summary/) } });
  });

  test("what cannot be drawn, and what the user directs, is summarised", async () => {
    const chinese = sessionOf(user("任务".repeat(2000)), reply("好"), user("next"));
    const drawn = await run("snapshot", chinese, { keep: 10, model: seeing });
    expect(drawn.scripted.requests).toHaveLength(1);
    const directed = await run("snapshot", talk(), {
      keep: 50,
      model: seeing,
      instructions: "tests",
    });
    expect(directed.scripted.requests).toHaveLength(1);
  });

  test("a summary after a snapshot is made with its pages", async () => {
    const session = sessionOf(user(long(18_000)), reply("ok"), user("a"), reply("b"));
    const { outcome } = await run("snapshot", session, { keep: 10, model: seeing });
    if (outcome.type !== "compaction") throw new Error(outcome.type);
    session.append(outcome.entry);
    session.append({ type: "message", message: user("c") });
    const { scripted } = await run("summary", session, { keep: 5, model: seeing });
    expect(scripted.requests[0]!.messages[0]!.content.at(-1)).toMatchObject({ type: "image" });
  });
});
