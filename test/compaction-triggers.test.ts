// When a conversation is made shorter other than by filling up: by hand, while nobody is there,
// after a reply that a full window cut off; and that nothing said meanwhile is lost.

import { expect, test } from "bun:test";
import { textOf, userText } from "@tau/tau/sdk";
import type { RecordedRequest } from "@tau/testkit/model-server";
import { defaultsOf } from "@tau/tau/config/setting-group";
import { COMPACTION_ROWS } from "@tau/tau/features/compaction/settings";
import { embed, saidIn } from "./support/embedded.ts";

const DEFAULT_COMPACTION = defaultsOf(COMPACTION_ROWS);

const long = (word: string): string => `${word} `.repeat(9000);
const isSummary = (request: RecordedRequest): boolean => request.decoded.tools.length === 0;
const compacting = (settings: Partial<typeof DEFAULT_COMPACTION>) => ({
  rows: Object.fromEntries(
    Object.entries({ keepRecentTokens: 500, ...settings }).map(([name, value]) => [
      `compaction.${name}`,
      value,
    ]),
  ),
});

test("by hand: what is to be kept is said, and what was queued meanwhile is answered", async () => {
  let whileSummarising: () => void = () => {};
  await using embedding = await embed((request) => {
    if (!isSummary(request)) return { text: long("sheep") };
    whileSummarising();
    return { text: "SUMMARY: sheep were counted." };
  });
  await using session = await embedding.start({ settings: compacting({}) });
  await session.prompt(userText("count alpha"));
  await session.prompt(userText("count beta"));
  let posted: Promise<string | undefined> | undefined;
  whileSummarising = () => {
    posted ??= session.followUp(userText("count gamma"));
  };
  const report = await session.compact({ instructions: "remember the black one" });
  expect(report.type).toBe("compacted");
  const asked = embedding.server.requests.find(isSummary);
  expect(textOf(asked!.decoded.messages.at(-1)!)).toContain("remember the black one");
  await posted;
  await session.whenIdle();
  const last = saidIn(embedding.server, -1).join("\n");
  expect(last).toContain("SUMMARY: sheep were counted.");
  expect(last).toContain("user: count gamma");
  expect(last.length).toBeLessThan(long("sheep").length * 2);
  await session[Symbol.asyncDispose]();
});

test("nothing to summarise is said, and changes nothing", async () => {
  await using embedding = await embed([]);
  await using session = await embedding.start();
  const before = session.log.leafId;
  const report = await session.compact();
  expect(report).toMatchObject({ type: "dropped" });
  expect(session.log.leafId).toBe(before);
  expect(embedding.server.requests).toHaveLength(0);
  await session[Symbol.asyncDispose]();
});

test("while nobody is there, once it is worth it", async () => {
  await using embedding = await embed((request) =>
    isSummary(request)
      ? { text: "SUMMARY: idle sheep." }
      : { text: long("sheep"), usage: { input: 20_000, output: 9000 } },
  );
  await using session = await embedding.start({
    settings: compacting({
      idleEnabled: true,
      idleThresholdTokens: 5000,
      idleTimeoutSeconds: 0.05,
    }),
  });
  await session.prompt(userText("count"));
  await session.prompt(userText("count on"));
  while (!embedding.server.requests.some(isSummary)) await Bun.sleep(10);
  await session.whenIdle();
  expect(session.messages.map(textOf).join("\n")).toContain("SUMMARY: idle sheep.");
  await session[Symbol.asyncDispose]();
});

test("a reply that a full window cut off is asked for again, after room was made", async () => {
  let cuts = 1;
  await using embedding = await embed((request) => {
    if (isSummary(request)) return { text: "SUMMARY: room." };
    const isLast = textOf(request.decoded.messages.at(-1)!).includes("last");
    if (isLast && cuts-- > 0) {
      return { text: "I was about to s", stop: "length", usage: { input: 127_000, output: 900 } };
    }
    return { text: isLast ? "whole again" : long("sheep") };
  });
  await using session = await embedding.start({ settings: compacting({}) });
  await session.prompt(userText("count"));
  await session.prompt(userText("count on"));
  expect(await session.prompt(userText("the last one"))).toEqual({ reason: "done" });
  const texts = session.messages.map(textOf);
  expect(texts.at(-1)).toBe("whole again");
  expect(texts.join("\n")).toContain("SUMMARY: room.");
  // What was cut is in the log, beside the conversation.
  expect(texts.join("\n")).not.toContain("I was about to s");
  const all: string[] = [];
  for await (const entry of session.log.entries()) {
    if (entry.type === "message") all.push(textOf(entry.message));
  }
  expect(all).toContain("I was about to s");
  await session[Symbol.asyncDispose]();
});

test("each request extends the one before it: through tools, steering and a restart", async () => {
  await using embedding = await embed((_request, turn) =>
    turn % 3 === 1
      ? { thinking: "hm", toolCalls: [{ name: "bash", arguments: { command: "echo hi" } }] }
      : { text: `reply ${turn}` },
  );
  const first = await embedding.open();
  const running = first.session.prompt(userText("one"));
  await first.session.steer(userText("and this"));
  await running;
  await first.session.prompt(userText("two"));
  const { id } = first.session;
  await first.session[Symbol.asyncDispose]();
  const second = await embedding.open({ session: { kind: "resume", wanted: id } });
  await second.session.prompt(userText("three"));
  await second.session[Symbol.asyncDispose]();
  const bodies = embedding.server.requests.map((request) => {
    const { messages, ...rest } = request.body as { messages: unknown[] };
    return { head: JSON.stringify(rest), said: JSON.stringify(messages).slice(1, -1) };
  });
  expect(bodies.length).toBeGreaterThan(4);
  for (const [at, { head, said }] of bodies.entries()) {
    expect(head).toBe(bodies[0]!.head);
    if (at > 0) expect(said.startsWith(bodies[at - 1]!.said)).toBe(true);
  }
});
