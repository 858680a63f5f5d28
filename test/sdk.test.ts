// Sessions in an embedding program: in memory or on disk, several at once, leaving nothing.

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "bun:test";
import {
  ActiveSession,
  createSession,
  defineTool,
  ReplyStream,
  SessionBusy,
  textOf,
  textOutput,
  userText,
  type SessionEvent,
} from "@tau/tau/sdk";
import { findProcesses } from "@tau/testkit/processes";
import { eventsOf } from "@tau/testkit/script";
import { object, string } from "valibot";
import { embed, saidIn } from "./support/embedded.ts";

test("a session in memory answers and writes nothing", async () => {
  await using embedding = await embed([{ text: "Four." }]);
  const { session, notices } = await embedding.open({ session: { kind: "memory" } });
  const end = await session.prompt(userText("two and two?"));
  expect(end).toEqual({ reason: "done" });
  expect(session.messages.map(textOf)).toEqual(["two and two?", "Four."]);
  expect(session.log.path).toBeUndefined();
  await session[Symbol.asyncDispose]();
  expect(notices).toEqual([]);
  expect(existsSync(embedding.home.path(".tau"))).toBe(false);
});

test("a durable session is found again by a later one, with its model and level", async () => {
  await using embedding = await embed(() => ({ text: "noted" }));
  const first = await embedding.open({ thinking: "low" });
  await first.session.prompt(userText("remember seven"));
  const { id } = first.session;
  await first.session.setModel("ollama/y");
  await first.session[Symbol.asyncDispose]();
  const { model: _none, ...rest } = embedding.options({ session: { kind: "resume", wanted: id } });
  const second = await createSession(rest);
  expect(second.session.model.id).toBe("y");
  await second.session.prompt(userText("which number?"));
  expect(saidIn(embedding.server, -1)).toEqual([
    "user: remember seven",
    "assistant: noted",
    "user: which number?",
  ]);
  expect(embedding.server.requests.at(-1)!.decoded.modelId).toBe("y");
  await second.session[Symbol.asyncDispose]();
});

test("two sessions in one process share nothing", async () => {
  await using embedding = await embed((request) => ({
    text: `I am ${request.decoded.modelId} with ${request.decoded.tools.length} tools`,
  }));
  const memory = { kind: "memory" } as const;
  const one = await embedding.open({ session: memory, model: "ollama/one", toolNames: ["read"] });
  const two = await embedding.open({ session: memory, model: "ollama/two", toolNames: [] });
  const [a, b] = await Promise.all([
    one.session.prompt(userText("who?")),
    two.session.prompt(userText("who?")),
  ]);
  expect([a, b]).toEqual([{ reason: "done" }, { reason: "done" }]);
  expect(textOf(one.session.messages.at(-1)!)).toBe("I am one with 1 tools");
  expect(textOf(two.session.messages.at(-1)!)).toBe("I am two with 0 tools");
  await one.session[Symbol.asyncDispose]();
  await two.session[Symbol.asyncDispose]();
});

test("isolated settings leave the user's files unread", async () => {
  await using embedding = await embed([{ text: "fine" }]);
  await embedding.home.write(".tau/agent/config.yml", "compaction: [broken\n");
  await embedding.home.write(".tau/agent/models.yml", "providers: 7\n");
  const read = await embedding.open({ session: { kind: "memory" } });
  expect(read.notices.length).toBeGreaterThan(0);
  await read.session[Symbol.asyncDispose]();
  const isolated = await embedding.open({ session: { kind: "memory" }, settings: {} });
  expect(isolated.notices).toEqual([]);
  expect(await isolated.session.prompt(userText("hi"))).toEqual({ reason: "done" });
  await isolated.session[Symbol.asyncDispose]();
});

test("an own model and own tools need no server and no key", async () => {
  await using embedding = await embed([]);
  const { model } = (await embedding.open({ session: { kind: "memory" } })).session;
  const heard: string[] = [];
  const shout = defineTool({
    name: "shout",
    description: "Says it loudly.",
    parameters: object({ words: string() }),
    tier: "read",
    concurrency: "shared",
    execute: async ({ words }) => textOutput(words.toUpperCase()),
  });
  await using session = await embedding.start({
    session: { kind: "memory" },
    toolNames: [],
    tools: [shout],
    model: {
      model,
      call: ({ messages }) => {
        const stream = new ReplyStream();
        const last = textOf(messages.at(-1)!);
        heard.push(last);
        const reply =
          messages.length === 1
            ? { toolCalls: [{ name: "shout", arguments: { words: last } }] }
            : { text: "done" };
        const origin = { provider: model.provider, model: model.id, wire: model.wire };
        for (const event of eventsOf(reply, origin, messages.length)) stream.push(event);
        return stream;
      },
    },
  });
  expect(await session.prompt(userText("hey"))).toEqual({ reason: "done" });
  expect(heard).toEqual(["hey", "HEY"]);
  await session[Symbol.asyncDispose]();
});

describe("what comes while it works", () => {
  test("a second prompt is refused, steering and follow-ups arrive once", async () => {
    await using embedding = await embed((_request, turn) =>
      turn === 1
        ? { text: "working", toolCalls: [{ name: "bash", arguments: { command: "sleep 0.3" } }] }
        : { text: `turn ${turn}` },
    );
    await using session = await embedding.start();
    const running = session.prompt(userText("start"));
    await embedding.server.request(1);
    expect(session.prompt(userText("me too"))).rejects.toBeInstanceOf(SessionBusy);
    await session.steer(userText("use the other file"));
    await session.followUp(userText("then write it down"));
    expect(await running).toEqual({ reason: "done" });
    const said = session.messages
      .filter((message) => message.role === "user")
      .map((message) => textOf(message));
    expect(said).toEqual(["start", "use the other file", "then write it down"]);
    expect(session.mailbox.queued()).toEqual([]);
    await session[Symbol.asyncDispose]();
  });

  test("what waited when the process ended waits again, and is delivered once", async () => {
    await using embedding = await embed(() => ({ text: "ok" }));
    await using session = await embedding.start({ wakes: false });
    await session.prompt(userText("start"));
    await session.followUp(userText("and then this"));
    await session.addToNext(userText("keep in mind"));
    const { id } = session;
    await session[Symbol.asyncDispose]();

    const resume = { kind: "resume", wanted: id } as const;
    const again = await embedding.open({ session: resume, wakes: false });
    expect(again.session.mailbox.queued().map((mail) => textOf(mail.message))).toEqual([
      "and then this",
      "keep in mind",
    ]);
    await again.session.prompt(userText("go on"));
    await again.session[Symbol.asyncDispose]();
    const third = await embedding.open({ session: resume });
    expect(third.session.mailbox.queued()).toEqual([]);
    const said = third.session.messages.filter((message) => message.role === "user").map(textOf);
    expect(said).toEqual(["start", "keep in mind", "go on", "and then this"]);
    await third.session[Symbol.asyncDispose]();
  });

  test("mail that finds nobody at work starts a run; an abort leaves it waiting", async () => {
    await using embedding = await embed((_request, turn) =>
      turn === 2
        ? { text: "long", delivery: { silentAfterBytes: 200 } }
        : { text: `answer ${turn}` },
    );
    await using session = await embedding.start({ session: { kind: "memory" } });
    await session.followUp(userText("wake up"));
    await session.whenIdle();
    expect(session.messages.map(textOf)).toEqual(["wake up", "answer 1"]);

    const running = session.prompt(userText("something long"));
    await embedding.server.request(2);
    await session.followUp(userText("later"));
    await session.abort();
    expect(await running).toEqual({ reason: "aborted" });
    expect(session.mailbox.queued().map((mail) => textOf(mail.message))).toEqual(["later"]);
    const [back] = await session.withdraw();
    expect(textOf(back!.message)).toBe("later");
    await session[Symbol.asyncDispose]();
  });
});

test("a session is named once, beside the conversation", async () => {
  await using embedding = await embed((request) =>
    request.decoded.tools.some(({ name }) => name === "set_title")
      ? { toolCalls: [{ name: "set_title", arguments: { title: '"Counting sheep."' } }] }
      : { text: "One sheep." },
  );
  await using session = await embedding.start({ titles: "on" });
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  await session.prompt(userText("count"));
  await embedding.server.request(2);
  while (session.state.title === undefined) await Bun.sleep(5);
  await session.prompt(userText("again"));
  expect(session.state.title).toBe("Counting sheep");
  expect(events.filter(({ type }) => type === "title_changed")).toHaveLength(1);
  expect(embedding.server.requests).toHaveLength(3);
  await session.rename("Mine");
  const { id } = session;
  await session[Symbol.asyncDispose]();
  const again = await embedding.open({ session: { kind: "resume", wanted: id }, titles: "on" });
  expect(again.session.state.title).toBe("Mine");
  await again.session[Symbol.asyncDispose]();
});

test("a handoff goes on in a fresh session that knows where it comes from", async () => {
  await using embedding = await embed((request) => {
    const last = textOf(request.decoded.messages.at(-1)!);
    return { text: last === "next step" ? "I know the plan." : `Plan: ${last.length} characters` };
  });
  await using active = await ActiveSession.open(embedding.options());
  const events: SessionEvent[] = [];
  active.subscribe((event) => events.push(event));
  await active.prompt(userText("make a plan"));
  const first = active.session.id;
  const report = await active.compact({ strategy: "handoff" });
  expect(report.type).toBe("handoff");
  expect(active.session.id).not.toBe(first);
  expect(active.session.log.header.parentSession).toBe(first);
  await active.prompt(userText("next step"));
  const said = saidIn(embedding.server, -1);
  expect(said[0]).toContain("Plan: ");
  expect(said.at(-1)).toBe("user: next step");
  expect(events.filter(({ type }) => type === "session_changed")).toHaveLength(1);
});

test("forks, branches and moves in the tree go on with what is on their way", async () => {
  await using embedding = await embed((request) => {
    const said = textOf(request.decoded.messages.at(-1)!);
    const isSummary = request.decoded.tools.length === 0;
    return { text: isSummary ? "SUMMARY: the third way was tried." : `re: ${said}` };
  });
  await using active = await ActiveSession.open(embedding.options());
  for (const words of ["first", "second", "third"]) await active.prompt(userText(words));
  const original = active.session.id;
  const branch = await active.session.log.branch();
  const third = branch.find(
    (entry) => entry.type === "message" && textOf(entry.message) === "third",
  );
  const navigation = await active.session.navigate(third!.id, { summarise: true });
  expect(navigation).toMatchObject({ isMoved: true, editorText: "third" });
  await active.prompt(userText("another third"));
  const said = saidIn(embedding.server, -1);
  expect(said.filter((line) => line.startsWith("user: "))).toHaveLength(4);
  expect(said.join("\n")).toContain("SUMMARY: the third way was tried.");
  expect(said.join("\n")).not.toContain("re: third");

  await active.fork();
  expect(active.session.id).not.toBe(original);
  await active.prompt(userText("only in the fork"));
  const second = branch.find(
    (entry) => entry.type === "message" && textOf(entry.message) === "second",
  );
  expect(await active.branch(second!.id)).toBe("second");
  await active.prompt(userText("differently"));
  expect(saidIn(embedding.server, -1)).toEqual([
    "user: first",
    "assistant: re: first",
    "user: differently",
  ]);
  await active.resume(original);
  expect(active.session.messages.map(textOf)).not.toContain("only in the fork");
  expect(textOf(active.session.messages.at(-1)!)).toBe("re: another third");
});

test("output that is too long for the model is kept whole and named", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 1
      ? { toolCalls: [{ name: "bash", arguments: { command: "seq 1 200000" } }] }
      : { text: "long list" },
  );
  await using session = await embedding.start();
  await session.prompt(userText("count far"));
  const result = session.messages.find((message) => message.role === "toolResult")!;
  const [, id] = /artifact:\/\/(\d+)/.exec(textOf(result))!;
  expect(id).toBe("0");
  const directory = session.log.path!.replace(/\.jsonl$/, "");
  expect(await readdir(directory)).toContain("0.bash.log");
  await session[Symbol.asyncDispose]();
});

test("leaving a session in the middle of everything ends everything", async () => {
  await using embedding = await embed([
    { toolCalls: [{ name: "bash", arguments: { command: "sleep 100 & echo $! > pid; wait" } }] },
  ]);
  await using session = await embedding.start({ approvalMode: "yolo" });
  const running = session.prompt(userText("hang"));
  const pidFile = embedding.home.path("pid");
  while (!existsSync(pidFile)) await Bun.sleep(10);
  await session[Symbol.asyncDispose]();
  expect(await running).toEqual({ reason: "aborted" });
  const pid = Number(await Bun.file(pidFile).text());
  const left = await findProcesses((one) => one.pid === pid);
  expect(left).toEqual([]);
});

test("what is said while a stop takes effect is answered", async () => {
  await using embedding = await embed((_request, turn) =>
    turn === 1 ? { text: "x", delivery: { silentAfterBytes: 1 } } : { text: "answered" },
  );
  await using session = await embedding.start();
  const running = session.prompt(userText("begin"));
  await embedding.server.request(1);
  const stopping = session.abort();
  const said = session.steer(userText("since"));
  expect(await running).toEqual({ reason: "aborted" });
  await Promise.all([stopping, said]);
  await session.whenIdle();
  expect(saidIn(embedding.server, -1)).toContain("user: since");
  await session[Symbol.asyncDispose]();
});
