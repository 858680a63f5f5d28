// What is seen of agents outside of their screens: the card of a task when the session is resumed, the
// lines of print mode, `/agents` in words, and `tau agents` beside a running Tau.

import { expect, test } from "bun:test";
import { userText, type Session } from "@tau/tau/sdk";
import { AGENT_BOOK } from "../packages/tau/src/feature-api/agent-book.ts";
import { BlockList } from "../packages/tau/src/session/projection/block-list.ts";
import type { Block } from "../packages/tau/src/session/projection/block.ts";
import { LiveProjection } from "../packages/tau/src/session/projection/live-projection.ts";
import { projectEntries } from "../packages/tau/src/session/projection/project-entries.ts";
import { agentScript, handIn, task } from "./support/agent-script.ts";
import { embed, type Embedding } from "./support/embedded.ts";
import { runTau, spawnTau } from "./support/run-tau.ts";

const NEVER = { text: "silence", delivery: { silentAfterBytes: 0 } };

/** One does its work, one fails at it, and one never ends. */
const script = (...names: string[]) =>
  agentScript({
    Main: ({ turn }) => {
      if (turn > 1) return { text: "Noted." };
      const tasks = names.map((id) => ({ id, description: `be ${id}`, assignment: "do it" }));
      return { toolCalls: [task("task", ...tasks)] };
    },
    Good: () => ({ toolCalls: [handIn("# All is well\n\nReally.")] }),
    Bad: () => ({ toolCalls: [{ name: "yield", arguments: { failed: "there is no such file" } }] }),
    Slow: () => NEVER,
  });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

const taskCard = (blocks: readonly Block[]): Block | undefined =>
  blocks.find((block) => block.kind === "call" && block.name === "task");

const words = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => (block.kind === "note" ? [block.text] : []));

function seen(session: Session): BlockList {
  const list = new BlockList();
  const live = new LiveProjection((change) => void list.apply(change));
  session.subscribe(live.handle);
  session.onAppended(live.appended);
  return list;
}

test("a task's card has what came of its agents, live and when the session is resumed", async () => {
  await using embedding = await embed(script("Good", "Bad"));
  await using session = await embedding.start();
  const live = seen(session);
  await session.prompt(userText("go"));
  await until(() => words(live.blocks).filter((text) => /^(Good|Bad)/.test(text)).length === 2);
  await session.whenIdle();
  const expected = {
    Good: { end: "completed", result: "# All is well\n\nReally." },
    Bad: { end: "failed", error: "there is no such file" },
  };
  expect(taskCard(live.blocks)).toMatchObject({ phase: "done", later: expected });
  const resumed = projectEntries(await session.log.branch());
  expect(taskCard(resumed)).toEqual(taskCard(live.blocks)!);
  expect(words(resumed)).toEqual(words(live.blocks));
  expect(words(resumed).join("\n")).toMatch(
    /Good \(task\) finished after [\d.]+ s: be Good\n {2}All is well/,
  );
});

test("whoever opens an agent in the middle of a reply sees all of it, and what follows", async () => {
  const story = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1
          ? { toolCalls: [task("task", { id: "Teller", assignment: "tell" })] }
          : { text: "ok" },
      Teller: ({ turn }) =>
        turn === 1
          ? { text: story, deltaChars: 6, delivery: { delayMs: 10 } }
          : { toolCalls: [handIn("told")] },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const book = session.part(AGENT_BOOK)!;
  await until(() => embedding.server.requests.length > 2);
  await Bun.sleep(150);
  await using transcript = await book.openTranscript("Teller");
  const list = new BlockList(projectEntries(await transcript.log.branch()));
  const unfollow = transcript.follow((change) => void list.apply(change));
  const answer = (): string =>
    list.blocks.flatMap((block) => (block.kind === "answer" ? [block.text] : [])).join("");
  expect(answer()).toStartWith("word0 word1");
  expect(answer().length).toBeLessThan(story.length);
  await until(() => answer() === story);
  unfollow();
  // Of one that sleeps the log is read, and it sleeps on.
  await until(() => book.views()[0]!.state === "idle");
  expect(book.views()[0]).toMatchObject({ model: "ollama/x", end: "completed" });
});

const runIn = ({ home, server }: Embedding, ...args: string[]) =>
  runTau(args, {
    cwd: home.root,
    home,
    env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), TAU_NO_TITLE: "1" },
  });

test("print mode: a line when an agent begins and ends, on standard error, and none with --quiet", async () => {
  await using embedding = await embed(script("Good", "Bad"));
  const told = await runIn(embedding, "-p", "go", "-m", "ollama/x");
  expect(told.exitCode).toBe(0);
  const lines = told.stderr.split("\n").filter((line) => line.startsWith("tau: "));
  expect(lines.slice(0, 2)).toEqual([
    "tau: Good (task) begins: be Good",
    "tau: Bad (task) begins: be Bad",
  ]);
  expect(told.stderr).toMatch(/tau: Good \(task\) finished after [\d.]+ s: be Good\n/);
  expect(told.stderr).toMatch(/tau: Bad \(task\) failed after .*: be Bad: there is no such file\n/);
  await using other = await embed(script("Good"));
  const quiet = await runIn(other, "-p", "go", "-m", "ollama/x", "--quiet");
  expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
});

test("tau agents: who works in another Tau, what came of the others, and what one did", async () => {
  await using embedding = await embed(script("Good", "Bad", "Slow"));
  const { home, server } = embedding;
  const none = await runIn(embedding, "agents");
  expect(none).toMatchObject({ exitCode: 0, stdout: "" });
  expect(none.stderr).toBe("tau: no agents in the sessions of this directory\n");
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions"), TAU_NO_TITLE: "1" };
  const child = spawnTau(["-p", "go", "-m", "ollama/x"], { cwd: home.root, home, env });
  const list = async () =>
    JSON.parse((await runIn(embedding, "agents", "--json")).stdout || "[]") as Record<
      string,
      unknown
    >[];
  const states = async () => Object.fromEntries((await list()).map(({ id, state }) => [id, state]));
  await until(async () => {
    const now = await states();
    return now.Good === "idle" && now.Bad === "idle" && now.Slow === "running";
  });
  const table = await runIn(embedding, "agents");
  expect(table.stdout).toMatch(/\n {2}Slow +task +running +\d+s +0 calls +be Slow\n/);
  const before = await Array.fromAsync(
    new Bun.Glob("**/*.lock*").scan({ cwd: home.root, dot: true }),
  );
  child.kill("SIGKILL");
  await child.exited;
  expect(await states()).toEqual({ Good: "completed", Bad: "failed", Slow: "interrupted" });
  const after = await Array.fromAsync(
    new Bun.Glob("**/*.lock*").scan({ cwd: home.root, dot: true }),
  );
  expect(after.toSorted()).toEqual(before.toSorted());
  const shown = await runIn(embedding, "agents", "show", "good");
  expect(shown.stdout).toContain("do it");
  expect(shown.stdout).toContain("All is well");
  const [{ session }] = (await list()) as [{ session: string }];
  const one = await runIn(embedding, "agents", "--session", session);
  expect(one.stdout).toMatch(/Bad +task +failed .* there is no such file\n/);
  for (const [args, sentence] of [
    [["show", "Godo"], 'tau: there is no agent "Godo"; did you mean Good?'],
    [["show"], "tau: say which agent to show"],
    [["lits"], 'tau: there is no "lits"'],
    [["--all", "--session", session], "tau: --all and --session exclude one another"],
  ] as const) {
    const result = await runIn(embedding, "agents", ...args);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toStartWith(sentence);
  }
}, 60_000);

test("whoever is stopped does not come back, and says so", async () => {
  await using embedding = await embed(script("Good", "Slow"));
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  const book = session.part(AGENT_BOOK)!;
  await until(() => book.views()[0]?.end === "completed");
  expect(book.atWork).toBe(1);
  await book.stop("Slow");
  expect(book.views().map(({ id, state }) => [id, state])).toEqual([
    ["Good", "idle"],
    ["Slow", "aborted"],
  ]);
  await expect(book.say("Slow", "hello")).rejects.toThrow("Slow cannot come back");
});

test("/agents without a screen is a list in words", async () => {
  await using embedding = await embed([]);
  const said = await runIn(embedding, "-p", "/agents", "-m", "ollama/x");
  expect(said).toMatchObject({ exitCode: 0, stderr: "" });
  expect(said.stdout).toBe("There are no agents. The model starts them with the task tool.\n");
  const unknown = await runIn(embedding, "-p", "/agents Nobody", "-m", "ollama/x");
  expect(unknown.stderr).toContain('there is no agent "Nobody"');
});
