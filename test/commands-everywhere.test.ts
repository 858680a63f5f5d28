// Slash commands outside a terminal: one definition for every front-end, so that none of them reaches the
// model as text, and none is silent.

import { expect, test } from "bun:test";
import { readdir, readFile, realpath } from "node:fs/promises";
import fc from "fast-check";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { ActiveSession } from "../packages/tau/src/assembly/active-session.ts";
import { EXIT } from "../packages/tau/src/exit-code.ts";
import { ALL_COMMANDS } from "../packages/tau/src/modes/commands/all-commands.ts";
import { say } from "../packages/tau/src/modes/say.ts";
import { isRefusal } from "../packages/tau/src/session/session-command.ts";
import type { SessionEvent } from "../packages/tau/src/session/session-event.ts";
import { UserError } from "../packages/tau/src/user-error.ts";
import { userText } from "@tau/ai/message";
import { embed } from "./support/embedded.ts";
import { connect, ofType } from "./support/rpc-connection.ts";
import { runTau } from "./support/run-tau.ts";

async function printing(script: Script) {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await isolatedHome());
  const server = stack.use(await ModelServer.start(script));
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const tau = (...args: string[]) =>
    runTau(["-p", "-m", "ollama/x", ...args], { cwd: home.root, home, env });
  return { home, server, tau, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("every command, given as a prompt, says something or why it cannot; the model hears of none", async () => {
  await using embedding = await embed([]);
  await using active = await ActiveSession.open(embedding.options());
  const told: SessionEvent[] = [];
  active.subscribe((event) => told.push(event));
  for (const { name, aliases = [], run, from } of ALL_COMMANDS) {
    for (const word of [name, ...aliases]) {
      told.length = 0;
      const end = await say(active, userText(`/${word}`)).catch((error: unknown) => error);
      const output = told.filter((event) => event.type === "command_output");
      expect([word, output.map(({ text }) => text === "")]).toEqual([word, [false]]);
      const isHere = run !== undefined && from !== "person";
      if (end instanceof Error) {
        expect([word, isRefusal(end), end.message]).toEqual([word, true, output[0]!.text]);
        expect([word, (end as UserError).exitCode]).toEqual([
          word,
          isHere ? EXIT.failed : EXIT.usage,
        ]);
      } else expect([word, isHere, end]).toEqual([word, true, { reason: "consumed" }]);
    }
  }
  expect(embedding.server.requests).toEqual([]);
});

test("a word that nobody knows is refused, and a path is words, whatever follows", async () => {
  await using embedding = await embed(() => ({ text: "ok" }));
  await using active = await ActiveSession.open(embedding.options());
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const known = new Set(ALL_COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  await fc.assert(
    fc.asyncProperty(word, word, fc.string(), async (one, two, rest) => {
      fc.pre(!known.has(one) && one !== "init");
      const before = embedding.server.requests.length;
      const refused = await say(active, userText(`/${one} ${rest}`)).catch(
        (error: unknown) => error,
      );
      expect(refused).toBeInstanceOf(UserError);
      expect((refused as UserError).exitCode).toBe(EXIT.usage);
      expect(embedding.server.requests.length).toBe(before);
      expect(await say(active, userText(`/${one}/${two} ${rest}`))).toMatchObject({
        reason: "done",
      });
      expect(embedding.server.requests.length).toBe(before + 1);
    }),
    { numRuns: 20 },
  );
});

test("a handoff goes on in a new session that begins with what the model wrote of this one", async () => {
  await using at = await printing([{ text: "First." }, { text: "All about it." }, { text: "On." }]);
  await at.tau("begin");
  const handed = await at.tau("-c", "/handoff the tests");
  expect(handed).toMatchObject({ exitCode: 0 });
  expect(handed.stdout).toContain("Continuing in a new session");
  expect(JSON.stringify(at.server.requests[1]!.body)).toContain("the tests");
  expect((await at.tau("-c", "go on")).stdout).toBe("On.\n");
  const { messages } = at.server.requests[2]!.decoded;
  expect(JSON.stringify(messages)).toContain("All about it.");
  expect(JSON.stringify(messages)).not.toContain("First.");
});

test("print mode: commands work on the session that -c names, and the next run knows it", async () => {
  await using at = await printing([{ text: "First." }, { text: "Second." }, { text: "Short." }]);
  const { tau, server, home } = at;
  await home.write(".tau/agent/config.yml", "compaction:\n  keepRecentTokens: 10\n");
  expect((await tau("word ".repeat(5000))).stdout).toBe("First.\n");
  expect((await tau("-c", "two")).stdout).toBe("Second.\n");
  const usage = await tau("-c", "/usage");
  expect(usage).toMatchObject({ exitCode: 0, stderr: "" });
  expect(usage.stdout).toStartWith("2 answers; the model is ollama/x\n");
  expect((await tau("-c", "/todo append Write it down")).stdout).toContain("Write it down");
  expect((await tau("-c", "/todo")).stdout).toContain("Write it down");
  expect((await tau("-c", "/jobs")).stdout).toBe("There are no background jobs.\n");
  expect(await tau("-c", "/compact")).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
  expect(server.requests).toHaveLength(3);
  const exported = await tau("-c", "/export talk.md");
  expect(exported.stdout).toBe(`Written to ${await realpath(home.path("talk.md"))}.\n`);
  const talk = await readFile(home.path("talk.md"), "utf8");
  for (const words of ["Second.", "/usage", "2 answers", "Write it down", "/compact"]) {
    expect(talk).toContain(words);
  }
  expect((await tau("-c", "/help")).stdout).toContain("/usage");
});

test("print mode: what cannot be done is said in one sentence", async () => {
  await using at = await printing([{ text: "It is fine." }]);
  const { tau, server } = at;
  expect(await tau("/usge")).toEqual({
    stdout: "",
    stderr: "tau: There is no command /usge; did you mean /usage?\n",
    exitCode: EXIT.usage,
  });
  expect(await tau("/tree")).toMatchObject({
    stdout: "",
    stderr:
      "tau: /tree needs a full terminal: it does not work with -p, in RPC mode or with TERM=dumb\n",
    exitCode: EXIT.usage,
  });
  for (const word of ["logout", "config", "keys"]) {
    expect((await tau(`/${word}`)).stderr).toStartWith(`tau: /${word} needs a full terminal`);
  }
  for (const line of ["/todo edit", "/thinking bogus", "/model nosuch"]) {
    expect([line, (await tau(line)).exitCode]).toEqual([line, EXIT.usage]);
  }
  expect((await tau("/approval yolo")).exitCode).toBe(EXIT.usage);
  expect(await tau("/export /tau-no-such-directory/x.html")).toMatchObject({
    exitCode: EXIT.failed,
  });
  expect(server.requests).toEqual([]);
  expect((await tau("/etc/hosts is wrong")).stdout).toBe("It is fine.\n");
});

test("RPC: a prompt, a steering message or a follow-up may be a command", async () => {
  await using rpc = await connect([{ text: "one" }]);
  const { client, events } = rpc;
  await client.run("hello");
  await client.run("/usage");
  expect(events.findLast(ofType("command_start"))).toMatchObject({ line: "/usage" });
  expect(events.findLast(ofType("command_output"))!.text).toStartWith("1 answer;");
  expect(await client.send("steer", { message: "/rename dials" })).toEqual({ mailId: null });
  expect(await client.send("get_state")).toMatchObject({ sessionName: "dials" });
  // The answer, not the commands after it.
  await client.run("/label here");
  const { sessionFile } = (await client.send("get_state")) as { sessionFile: string };
  const lines = (await readFile(sessionFile, "utf8")).trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const reply = entries.find(({ message }) => message?.role === "assistant");
  expect(entries.find(({ type }) => type === "label")).toMatchObject({ targetId: reply.id });
  for (const [message, words] of [
    ["/usge", "did you mean /usage?"],
    ["/tree", "needs a full terminal"],
  ] as const) {
    const { runId } = (await client.send("prompt", { message })) as { runId: string };
    const end = await rpc.event((event) => event.type === "agent_end" && event.runId === runId);
    expect(end).toMatchObject({ error: { message: expect.stringContaining(words) } });
  }
  expect(rpc.requests()).toHaveLength(1);
});

test("print mode: what was only asked of Tau leaves no session, what was kept does", async () => {
  await using at = await printing([]);
  const { tau, home } = at;
  const files = async (): Promise<string[]> => {
    const all = await readdir(home.path(".tau/agent"), { recursive: true });
    return all.filter((name) => /\.jsonl/.test(name));
  };
  await tau("/help");
  await tau("/tree");
  expect(await files()).toEqual([]);
  await tau("/todo append Write it down");
  expect(await files()).toHaveLength(1);
});

test("print mode: a command in lines of JSON has an end, and an empty answer is told of", async () => {
  await using at = await printing([{ text: "" }]);
  const { tau } = at;
  const lines = (stdout: string) =>
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  expect(lines((await tau("--mode", "json", "/help")).stdout).at(-1)).toMatchObject({
    type: "agent_end",
    end: { reason: "consumed" },
  });
  expect(lines((await tau("--mode", "json", "/tree")).stdout).at(-1)).toMatchObject({
    type: "agent_end",
    end: { reason: "failed" },
  });
  expect(await tau("say nothing")).toEqual({
    stdout: "",
    stderr: "tau: the model's answer was empty\n",
    exitCode: EXIT.done,
  });
  expect((await tau("-c", "/export talk.md")).exitCode).toBe(EXIT.done);
  expect(await readFile(at.home.path("talk.md"), "utf8")).toContain(
    "The model's answer was empty.",
  );
});
