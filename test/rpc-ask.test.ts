// --mode rpc asks: every answer a client may give, and what counts where it gives none.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "bun:test";
import { codeOf, connect, ofType, remove } from "./support/rpc-connection.ts";

const isAsk = ofType("ask");

interface Answered {
  verdict: "once" | "session" | "always" | "no" | "abort";
  reason?: string;
  isRemoved: boolean;
  /** What the model is told of the call. */
  told: RegExp | undefined;
  end: string;
}

test.each<Answered>([
  { verdict: "once", isRemoved: true, told: undefined, end: "done" },
  { verdict: "session", isRemoved: true, told: undefined, end: "done" },
  { verdict: "always", isRemoved: true, told: undefined, end: "done" },
  { verdict: "no", isRemoved: false, told: /The user said no \(/, end: "done" },
  { verdict: "no", reason: "use trash", isRemoved: false, told: /and: use trash/, end: "done" },
  { verdict: "abort", isRemoved: false, told: undefined, end: "aborted" },
])("a question answered with $verdict $reason", async (answered) => {
  const { verdict, reason, isRemoved, told, end } = answered;
  const again = { toolCalls: [{ name: "bash", arguments: { command: "rm -f ../precious.txt" } }] };
  await using rpc = await connect([remove, again, { text: "done" }], {
    settings: "retry: { enabled: false }\ntools: { rules: ['prompt bash(rm -f *)'] }\n",
  });
  const { client } = rpc;
  const ended = client.run("delete it");
  const ask = await rpc.event(isAsk);
  expect(ask).toMatchObject({
    id: "ask_1",
    runId: "run_1",
    kind: "approval",
    tool: "bash",
    tier: "exec",
    arguments: { command: "rm ../precious.txt" },
    subjects: ["rm ../precious.txt"],
    verdicts: ["once", "session", "always", "no", "abort"],
    rules: ["allow bash(rm ../precious.txt)"],
  });
  expect((ask.reasons as { reason: string }[])[0]!.reason).toContain("precious.txt");
  expect(await client.send("get_state")).toMatchObject({ asks: [{ id: "ask_1" }] });
  expect(existsSync(rpc.home.path("precious.txt"))).toBe(true);
  await client.send("answer", { ask: "ask_1", verdict, ...(reason ? { reason } : {}) });
  const over = await rpc.event(ofType("ask_end"));
  expect(over).toMatchObject({ id: "ask_1", outcome: verdict });
  expect(await codeOf(client.send("answer", { ask: "ask_1", verdict: "once" }))).toBe("refused");
  // The second question, where there is one, is another one.
  client.answerWith(() => ({ verdict: "no" }));
  const second = await rpc.event(
    (event) => event.type === "agent_end" || (event.type === "ask" && event.id === "ask_2"),
  );
  if (second.type === "ask") {
    await client.send("answer", { ask: "ask_2", verdict: "no" }).catch(() => undefined);
  }
  expect(await ended).toMatchObject({ end: { reason: end } });
  expect(existsSync(rpc.home.path("precious.txt"))).toBe(!isRemoved);
  if (told) expect(rpc.requests()[1]!.at(-1)).toMatch(told);
  const settings = await rpc.home.read(".tau/agent/config.yml");
  expect(settings.includes("allow bash(rm ../precious.txt)")).toBe(verdict === "always");
  expect(await client.send("get_state")).toMatchObject({ asks: [] });
});

test("the answer's own id may be the question's; what is kept for the session holds in it", async () => {
  await using rpc = await connect([remove, remove, { text: "done" }], { args: ["--no-session"] });
  const ended = rpc.client.run("delete it twice");
  await rpc.event(isAsk);
  rpc.client.sendLine('{"type":"answer","id":"ask_1","verdict":"session"}');
  await ended;
  expect(rpc.events.filter(isAsk)).toHaveLength(1);
  expect(rpc.requests()[2]!.at(-1)).toContain("No such file");
});

test("a question shows what would change; each call is asked about for itself", async () => {
  const write = (path: string) => ({ name: "write", arguments: { path, content: "new\n" } });
  const read = { name: "bash", arguments: { command: "touch a" } };
  await using rpc = await connect(
    [{ toolCalls: [write("a.txt"), write("b.txt"), read] }, { text: "done" }],
    { args: ["--approval-mode", "always-ask"] },
  );
  const { client } = rpc;
  const ended = client.run("write");
  const seen = new Set<string>();
  client.answerWith((ask) => {
    if (ask.kind !== "approval") throw new Error(`asked for a ${ask.kind}`);
    const { id, tool, preview } = ask;
    seen.add(id);
    if (tool === "write") {
      expect(preview?.files[0]).toMatchObject({ op: "create" });
      expect(preview?.files[0]?.diff).toContain("+new");
    }
    return tool === "write" ? { verdict: "once" } : { verdict: "no" };
  });
  expect(await ended).toMatchObject({ end: { reason: "done" } });
  expect(seen).toEqual(new Set(["ask_1", "ask_2", "ask_3"]));
  expect(await readFile(`${rpc.cwd}/b.txt`, "utf8")).toBe("new\n");
  expect(existsSync(`${rpc.cwd}/a`)).toBe(false);
});

test("a client that cannot answer is not asked: refused as where nobody is", async () => {
  await using rpc = await connect([remove, { text: "I may not." }]);
  const { client } = rpc;
  expect(await client.send("hello", { canAnswer: false })).toEqual({
    v: 1,
    canAnswer: false,
    askTimeoutMs: null,
  });
  await client.run("delete it");
  expect(rpc.events.filter(isAsk)).toEqual([]);
  expect(rpc.requests()[1]!.at(-1)).toContain("needs a person's consent");
});

test("a question that nobody answers in time is refused; an abort makes it void", async () => {
  await using rpc = await connect([remove, { text: "then not" }, remove]);
  const { client } = rpc;
  await client.send("hello", { askTimeoutMs: 50 });
  expect(await client.run("delete it")).toMatchObject({ end: { reason: "done" } });
  expect(rpc.events.find(ofType("ask_end"))).toMatchObject({ id: "ask_1", outcome: "timeout" });
  expect(rpc.requests()[1]!.at(-1)).toContain("nobody answered in time");
  await client.send("hello", { askTimeoutMs: 60_000 });
  const ended = client.run("delete it");
  await rpc.event((event) => event.type === "ask" && event.id === "ask_2");
  await client.send("abort");
  expect(await ended).toMatchObject({ end: { reason: "aborted" } });
  expect(rpc.events.findLast(ofType("ask_end"))).toMatchObject({ id: "ask_2", outcome: "void" });
});

test("a client that leaves with a question open has not consented", async () => {
  await using rpc = await connect([remove, { text: "never" }]);
  void rpc.client.send("prompt", { message: "delete it" });
  await rpc.event(isAsk);
  expect(await rpc.client.close()).toBe(0);
  expect(existsSync(rpc.home.path("precious.txt"))).toBe(true);
  expect(rpc.events.at(-1)).toMatchObject({ type: "agent_end", runId: "run_1" });
});
