// Agents in working trees of their own: what they do reaches the user's tree when they are done, as a
// whole or not at all.

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { textOf, userText, type Session } from "@tau/tau/sdk";
import { AGENTS } from "../packages/tau/src/features/agents/registry.ts";
import { agentScript, handIn, task, whoAsks, type AgentTurn } from "./support/agent-script.ts";
import { embed, type Embedding } from "./support/embedded.ts";
import { spawnTau } from "./support/run-tau.ts";

const saidIn = (session: Session): string => session.messages.map(textOf).join("\n");
const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });
const bash = (command: string) => ({ name: "bash", arguments: { command } });

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(10);
}

/** A repository with a commit, an uncommitted change and a file that git does not know. */
async function repository(
  scripts: Record<string, AgentTurn>,
  settings = "",
): Promise<Embedding & { work: string }> {
  const embedding = await embed(agentScript(scripts));
  const { home } = embedding;
  await home.write("work/a.txt", "one\ntwo\nthree\n");
  await home.write("work/b.txt", "b\n");
  await home.write("work/.gitignore", "ignored\n");
  const work = home.path("work");
  const git = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync(["git", ...args], { cwd: work, env: home.env });
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  git("init", "-q");
  git("config", "user.email", "t@example.org");
  git("config", "user.name", "T");
  git("add", "-A");
  git("commit", "-qm", "first");
  await home.write("work/a.txt", "one\ntwo\nthree, changed\n");
  await home.write("work/new.txt", "unknown to git\n");
  if (settings !== "") await home.write(".tau/agent/config.yml", settings);
  return { ...embedding, work, options: (given) => embedding.options({ cwd: work, ...given }) };
}

const isolated = (id: string, assignment = "x") => ({ id, assignment, isolated: true });
const start = (embedding: Embedding & { work: string }) => embedding.start({ cwd: embedding.work });
const read = (embedding: { work: string }, path: string) =>
  readFile(join(embedding.work, path), "utf8");
const treesIn = async ({ home }: Embedding) => {
  const directory = home.path(".tau/agent/trees");
  if (!existsSync(directory)) return [];
  return (await readdir(directory)).filter((name) => /-(?:Ann|Bob)$/.test(name));
};

for (const mode of ["auto", "worktree"]) {
  test(`it works on the tree as it is, and what it did is merged when it is done (${mode})`, async () => {
    let seen = "";
    let looked: string[] = [];
    await using embedding = await repository(
      {
        Main: ({ turn }) =>
          turn === 1 ? { toolCalls: [task("task", isolated("Ann"))] } : { text: "ok" },
        Ann: ({ turn, last, messages }) => {
          if (turn === 1)
            return { toolCalls: [bash("cat a.txt new.txt; pwd; git status --short")] };
          if (turn === 2) {
            seen = last;
            const all = { pattern: "three", paths: ["."] };
            return {
              toolCalls: [
                { name: "search", arguments: all },
                { name: "find", arguments: { paths: ["*.txt"] } },
                { name: "read", arguments: { path: "new.txt" } },
                {
                  name: "eval",
                  arguments: { cells: [{ language: "py", code: "print(open('new.txt').read())" }] },
                },
              ],
            };
          }
          if (turn === 3) {
            looked = messages.slice(-4).map(textOf);
            return {
              toolCalls: [
                write("made.txt", "made\n"),
                bash("echo four >> a.txt; rm b.txt; touch ignored"),
              ],
            };
          }
          return { toolCalls: [handIn("done")] };
        },
      },
      `task: { isolation: { mode: ${mode} } }\n`,
    );
    await using session = await start(embedding);
    const before = await read(embedding, "a.txt");
    let during: string | undefined;
    session.part(AGENTS)!.hear(async (event) => {
      if (event.type === "tool_execution_end" && event.call.name === "write") {
        during = existsSync(join(embedding.work, "made.txt"))
          ? "seen"
          : await read(embedding, "a.txt");
      }
    });
    await session.prompt(userText("go"));
    await until(() => saidIn(session).includes("[agent Ann"));
    expect(seen).toContain("three, changed");
    expect(seen).toContain("unknown to git");
    expect(looked[0]).toContain("three, changed");
    expect(looked[1]).toContain("new.txt");
    expect(looked[2]).toContain("unknown to git");
    expect(looked[3]).toContain("unknown to git");
    expect(during).toBe(before);
    expect(await read(embedding, "a.txt")).toBe(`${before}four\n`);
    expect(await read(embedding, "made.txt")).toBe("made\n");
    expect(existsSync(join(embedding.work, "b.txt"))).toBe(false);
    expect(existsSync(join(embedding.work, "ignored"))).toBe(false);
    expect(saidIn(session)).toContain("Its changes are in the working tree, uncommitted:");
    expect(await treesIn(embedding)).toEqual([]);
    const agent = session.part(AGENTS)!.get("Ann")!;
    expect(agent.state).toBe("parked");
    await expect(session.part(AGENTS)!.say("Ann", "more")).rejects.toThrow("cannot come back");
  });
}

test("of two that conflict one is merged; the other's patch is kept, and nothing of it is applied", async () => {
  await using embedding = await repository({
    Main: ({ turn }) =>
      turn === 1 ? { toolCalls: [task("task", isolated("Ann"), isolated("Bob"))] } : { text: "ok" },
    "*": ({ turn, who }) =>
      turn === 1
        ? { toolCalls: [write("b.txt", `${who}\n`), write(`${who}.txt`, "mine\n")] }
        : { toolCalls: [handIn(`${who} is done`)] },
  });
  await using session = await start(embedding);
  await session.prompt(userText("go"));
  await until(() => ["Ann", "Bob"].every((id) => saidIn(session).includes(`[agent ${id}`)));
  const winner = (await read(embedding, "b.txt")).trim();
  const loser = winner === "Ann" ? "Bob" : "Ann";
  expect(existsSync(join(embedding.work, `${winner}.txt`))).toBe(true);
  expect(existsSync(join(embedding.work, `${loser}.txt`))).toBe(false);
  const [, patch] =
    /conflict with yours in b\.txt: nothing was changed\. They are kept as (\S+)/.exec(
      saidIn(session),
    )!;
  expect(await readFile(patch!, "utf8")).toContain(`+${loser}`);
});

test("as a branch: a commit, and uncommitted work stays uncommitted", async () => {
  await using embedding = await repository(
    {
      Main: ({ turn }) =>
        turn === 1
          ? { toolCalls: [task("task", { ...isolated("Ann"), description: "makes it" })] }
          : { text: "ok" },
      Ann: ({ turn }) =>
        turn === 1 ? { toolCalls: [write("made.txt", "made\n")] } : { toolCalls: [handIn("done")] },
    },
    "task: { isolation: { merge: branch } }\n",
  );
  await using session = await start(embedding);
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("were committed as"));
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", ...args], {
      cwd: embedding.work,
      env: embedding.home.env,
    }).stdout.toString();
  expect(git("log", "--format=%s", "-1").trim()).toBe("makes it");
  expect(git("status", "--short")).toBe(" M a.txt\n?? new.txt\n");
});

test("without git it is refused in a sentence, and the others are told of what they do", async () => {
  await using embedding = await embed(
    agentScript({
      Main: ({ turn }) =>
        turn === 1 ? { toolCalls: [task("task", isolated("Ann"))] } : { text: "ok" },
    }),
  );
  await using session = await embedding.start();
  await session.prompt(userText("go"));
  await until(() => saidIn(session).includes("[agent Ann"));
  expect(saidIn(session)).toContain("Failed: An isolated tree needs a git repository");
  expect(embedding.server.requests.every((request) => whoAsks(request) === "Main")).toBe(true);
});

test("killed with two at work in trees: nothing is left, and one goes on in a new tree", async () => {
  await using embedding = await repository({
    Main: ({ turn }) =>
      turn === 1 ? { toolCalls: [task("task", isolated("Ann"), isolated("Bob"))] } : { text: "ok" },
    "*": ({ turn, last }) => {
      if (turn === 1) return { toolCalls: [write("made.txt", "made\n")] };
      if (last.includes("go on")) return { toolCalls: [write("again.txt", "again\n")] };
      if (turn > 3) return { toolCalls: [handIn("done")] };
      return { text: "…", delivery: { firstByteDelayMs: 60_000 } };
    },
  });
  const { server, home, work } = embedding;
  const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const args = ["-p", "go", "-m", "ollama/x", "--mode", "json"];
  const child = spawnTau(args, { cwd: work, home, env });
  const turnsOf = (id: string) =>
    server.requests.filter((request) => whoAsks(request) === id).length;
  await until(() => turnsOf("Ann") === 2 && turnsOf("Bob") === 2);
  expect(await treesIn(embedding)).toHaveLength(2);
  child.kill("SIGKILL");
  await child.exited;
  const [first] = (await child.stdout.text()).split("\n");
  const { id } = JSON.parse(first!) as { id: string };
  await using session = await embedding.start({
    cwd: work,
    session: { kind: "resume", wanted: id },
  });
  await until(async () => (await treesIn(embedding)).length === 0);
  expect(existsSync(join(work, "made.txt"))).toBe(false);
  const registry = session.part(AGENTS)!;
  expect(registry.views().map(({ end, isIsolated }) => [end, isIsolated])).toEqual([
    ["interrupted", true],
    ["interrupted", true],
  ]);
  await registry.say("Ann", "go on");
  await until(() => saidIn(session).includes("[agent Ann"));
  expect(await readFile(join(work, "again.txt"), "utf8")).toBe("again\n");
  expect(await treesIn(embedding)).toEqual([]);
});
