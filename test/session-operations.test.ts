// What can be done with sessions besides talking in them, as a user does it: looked at as a
// tree, forked, branched, named, moved, imported, removed, and found again after a directory
// was renamed.

import { describe, expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { Glob } from "bun";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openHistory } from "../packages/tau/src/session/history/open-history.ts";
import { runTau, spawnTau } from "./support/run-tau.ts";

interface Session {
  id: string;
  path: string;
  cwd: string;
  name: string;
  parentSession?: string;
}

interface Row {
  id: string;
  parentId: string | null;
  kind: string;
  text: string;
  label?: string;
  isOnPath: boolean;
  isLeaf: boolean;
}

interface Where {
  cwd?: string;
  env?: Record<string, string>;
}

const tau = (home: IsolatedHome, args: string[], { cwd = home.root, env = {} }: Where = {}) =>
  runTau(args, { cwd, home, env });

/** Fails with what was said, where it fails. */
async function done(home: IsolatedHome, args: string[], where: Where = {}): Promise<string> {
  const { stdout, stderr, exitCode } = await tau(home, args, where);
  expect({ args, stderr, exitCode }).toEqual({ args, stderr: "", exitCode: 0 });
  return stdout;
}

async function json<T>(home: IsolatedHome, args: string[], where: Where = {}): Promise<T> {
  return JSON.parse(await done(home, [...args, "--json"], where)) as T;
}

const sessions = (home: IsolatedHome) => json<Session[]>(home, ["sessions", "list", "--all"]);

async function rowsOf(home: IsolatedHome, id: string): Promise<Row[]> {
  return (await json<{ rows: Row[] }>(home, ["sessions", "tree", id])).rows;
}

async function say(home: IsolatedHome, args: string[], where: Where = {}): Promise<void> {
  const { exitCode, stderr } = await tau(home, ["-p", "-q", "-m", "tau/demo", ...args], where);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
}

/** Of two turns. */
async function talked(home: IsolatedHome): Promise<Session> {
  await say(home, ["what are you?"]);
  await say(home, ["-c", "what can you do?"]);
  const [session] = await sessions(home);
  return session!;
}

const userRows = (rows: readonly Row[]): string[] =>
  rows.filter((row) => row.kind === "user").map((row) => row.text);

describe("tau sessions", () => {
  test("tree, label, branch: back to a prompt, and on from there in a session of its own", async () => {
    await using home = await isolatedHome();
    const { id, path } = await talked(home);
    const rows = await rowsOf(home, id);
    expect(userRows(rows)).toEqual(["what are you?", "what can you do?"]);
    const second = rows.find((row) => row.text === "what can you do?")!;
    const first = rows.find((row) => row.kind === "assistant")!;
    expect(await done(home, ["sessions", "label", id, first.id.slice(-6), "good", "start"])).toBe(
      `${first.id} is now [good start]\n`,
    );
    const shown = await done(home, ["sessions", "tree", id]);
    expect(shown.split("\n").every((line) => Bun.stringWidth(line) <= 80)).toBe(true);
    expect(shown).toContain("• user: what are you?");
    expect(shown).toContain("[good start] assistant: ");
    expect(shown.trimEnd().split("\n").at(-1)).toContain("◉ assistant: ");

    const before = await readFile(path);
    const branch = await json<Session & { editorText: string }>(home, [
      "sessions",
      "branch",
      id,
      second.id,
    ]);
    expect(branch).toMatchObject({ editorText: "what can you do?", parentSession: id });
    expect(await readFile(path)).toEqual(before);
    await say(home, ["-r", branch.id, "what are you for?"]);
    const branched = await rowsOf(home, branch.id);
    expect(userRows(branched)).toEqual(["what are you?", "what are you for?"]);
    expect(branched.find((row) => row.id === first.id)?.label).toBe("good start");
    expect(userRows(await rowsOf(home, id))).toEqual(["what are you?", "what can you do?"]);
    // A label names its entry, too.
    const text = await done(home, ["sessions", "branch", id, "good start"]);
    expect(text).toMatch(/^branched [0-9a-f]{8}: tau -r [0-9a-f]{8}\n$/);
    await done(home, ["sessions", "label", id, "good start"]);
    expect((await rowsOf(home, id)).some((row) => row.label)).toBe(false);
  });

  test("fork and rename: two that go on by themselves", async () => {
    await using home = await isolatedHome();
    const { id } = await talked(home);
    await mkdir(home.path("other"));
    const fork = await json<Session>(home, ["sessions", "fork", id, "--to", "other"]);
    expect(fork).toMatchObject({ cwd: home.path("other"), parentSession: id });
    await say(home, ["-r", fork.id, "what are you for?"], { cwd: home.path("other") });
    expect(userRows(await rowsOf(home, fork.id))).toHaveLength(3);
    expect(userRows(await rowsOf(home, id))).toHaveLength(2);
    expect(await done(home, ["sessions", "rename", fork.id, "Another", "attempt"])).toBe(
      `${fork.id.slice(-8)} is now "Another attempt"\n`,
    );
    const named = (await sessions(home)).find((session) => session.id === fork.id);
    expect(named?.name).toBe("Another attempt");
  });

  test("move: the session is another directory's, with all that it had", async () => {
    await using home = await isolatedHome();
    const { id, path } = await talked(home);
    await home.write(path.slice(home.root.length + 1).replace(".jsonl", "/0.bash.log"), "whole");
    await mkdir(home.path("new place"));
    await done(home, ["sessions", "move", id, "new place"]);
    const [moved, ...more] = await sessions(home);
    expect(more).toEqual([]);
    expect(moved).toMatchObject({ id, cwd: home.path("new place") });
    expect([existsSync(path), existsSync(path.replace(".jsonl", ""))]).toEqual([false, false]);
    expect(await readFile(moved!.path.replace(".jsonl", "/0.bash.log"), "utf8")).toBe("whole");
    await say(home, ["-c", "what are you for?"], { cwd: home.path("new place") });
    expect(userRows(await rowsOf(home, id))).toHaveLength(3);
    await done(home, ["sessions", "rm", id]);
    expect(
      await Array.fromAsync(new Glob("*").scan({ cwd: dirname(moved!.path), onlyFiles: false })),
    ).toEqual([]);
  });

  test("import: from elsewhere, under its own id or a new one", async () => {
    await using home = await isolatedHome();
    await using other = await isolatedHome();
    const { id, path } = await talked(other);
    const file = await home.write("usb/talk.jsonl", await readFile(path));
    const text = await done(home, ["sessions", "import", "usb/talk.jsonl", "--to", "."]);
    expect(text).toBe(`imported into ${home.root}: tau -r ${id.slice(-8)}\n`);
    expect(userRows(await rowsOf(home, id))).toHaveLength(2);
    const again = await tau(home, ["sessions", "import", file, "--to", "."]);
    expect(again).toMatchObject({ stdout: "", exitCode: 1 });
    expect(again.stderr).toContain("already exists");
    const copy = await json<Session>(home, ["sessions", "import", file, "--to", ".", "--new-id"]);
    expect(copy.id).not.toBe(id);
    expect(await readFile(file)).toEqual(await readFile(path));
    expect(await sessions(home)).toHaveLength(2);
  });

  test("a session in use is not moved, removed or written, and may be forked", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([
      { text: "x", delivery: { silentAfterBytes: 10 } },
    ]);
    const child = spawnTau(["-p", "-m", "ollama/x", "first"], {
      cwd: home.root,
      home,
      env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
    });
    await server.request(1);
    const [{ id, path }] = (await sessions(home)) as [Session];
    for (const args of [
      ["sessions", "rm", id],
      ["sessions", "move", id, "/"],
      ["sessions", "rename", id, "x"],
    ]) {
      const { stderr, exitCode } = await tau(home, args);
      expect(stderr).toContain(`open in another Tau (process ${child.pid} on `);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(exitCode).toBe(1);
    }
    const fork = await json<Session>(home, ["sessions", "fork", id]);
    expect(userRows(await rowsOf(home, fork.id))).toEqual(["first"]);
    child.kill("SIGKILL");
    await child.exited;
    // The lock of a process that is gone is nobody's.
    expect(await done(home, ["sessions", "rm", id])).toBe(`removed ${path}\n`);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("gc removes the lock of a process that is gone, and no other", async () => {
    await using home = await isolatedHome();
    const { path } = await talked(home);
    await using server = await ModelServer.start([
      { text: "slow", delivery: { silentAfterBytes: 10 } },
    ]);
    const env = { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
    const child = spawnTau(["-p", "-c", "-m", "ollama/x", "more"], { cwd: home.root, home, env });
    await server.request(1);
    expect(await done(home, ["sessions", "gc"])).not.toContain("lock");
    const lock = JSON.parse(await readFile(`${path}.lock`, "utf8")) as object;
    child.kill("SIGKILL");
    await child.exited;
    expect(await done(home, ["sessions", "gc"])).toContain("removed 1 lock of");
    expect(existsSync(`${path}.lock`)).toBe(false);
    await writeFile(`${path}.lock`, JSON.stringify({ ...lock, host: "elsewhere.invalid" }));
    expect(await done(home, ["sessions", "gc"])).not.toContain("lock");
    expect(existsSync(`${path}.lock`)).toBe(true);
  });

  test("gc sweeps up what interrupted work left, and nothing that is young", async () => {
    await using home = await isolatedHome();
    const { path } = await talked(home);
    const directory = dirname(path);
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    const gone = "2026-01-01T00-00-00-000Z_gone";
    const names = [gone, `${gone}.jsonl.lock`, ".x.0123456789ab.tau-tmp"];
    await mkdir(join(directory, gone));
    for (const name of names.slice(1)) await writeFile(join(directory, name), "");
    await mkdir(path.replace(".jsonl", ""));
    const others = [path.replace(".jsonl", ""), join(directory, "2026-01-01T00-00-00-000Z_young")];
    await mkdir(others[1]!);
    for (const name of names) await utimes(join(directory, name), old, old);
    await utimes(others[0]!, old, old);
    expect(await done(home, ["sessions", "gc"])).toContain(
      "removed 3 files left by interrupted operations",
    );
    expect(names.filter((name) => existsSync(join(directory, name)))).toEqual([]);
    expect(others.filter((name) => !existsSync(name))).toEqual([]);
  });

  test("what cannot be meant is refused with a sentence and exit code 2", async () => {
    await using home = await isolatedHome();
    const { id } = await talked(home);
    for (const [args, sentence] of [
      [["sessions", "brnch"], 'unknown subcommand "brnch"; did you mean "branch"?'],
      [["sessions", "branch", id], "name the entry to branch from"],
      [["sessions", "branch", id, "zzz"], 'the session has no entry "zzz"'],
      [["sessions", "label", id, "1"], "is ambiguous: "],
      [["sessions", "tree"], "name one session"],
      [["sessions", "tree", "zzz"], 'there is no session "zzz"'],
      [["sessions", "tree", id, "--filter", "odd"], "--filter takes one of default, no-tools"],
      [["sessions", "rename", id], "give the session a title"],
      [["sessions", "move", id], "name the session's new directory"],
      [["sessions", "move", id, "nowhere"], "does not exist; name the directory to work in"],
      [["sessions", "import"], "name a session file"],
      [["sessions", "import", "nowhere.jsonl"], "does not exist"],
      [["sessions", "list", "--to", "."], "--to does not apply to list"],
      [["history", "--limit", "many"], "--limit takes a whole number"],
    ] as const) {
      const { stdout, stderr, exitCode } = await tau(home, [...args]);
      expect(stderr.split("\n")[0]).toContain(sentence);
      expect([stdout, exitCode]).toEqual(["", 2]);
    }
  }, 60_000);
});

describe("which session goes on", () => {
  const pane = (number: number): Where["env"] => ({ TMUX_PANE: `%${number}` });

  test("each terminal's own", async () => {
    await using home = await isolatedHome();
    await say(home, ["what are you?"], { env: pane(1)! });
    await say(home, ["what can you do?"], { env: pane(2)! });
    await say(home, ["-c", "hello from one"], { env: pane(1)! });
    const all = await Promise.all((await sessions(home)).map(({ id }) => rowsOf(home, id)));
    expect(all.map(userRows).sort()).toEqual([
      ["what are you?", "hello from one"],
      ["what can you do?"],
    ]);
  });

  test("a renamed directory's session follows it; another directory's does not", async () => {
    await using home = await isolatedHome();
    await mkdir(home.path("project"));
    await mkdir(home.path("stranger"));
    await say(home, ["what are you?"], { cwd: home.path("project"), env: pane(1)! });
    // It is still there, so that nothing is taken away from it.
    await say(home, ["-c", "hello"], { cwd: home.path("stranger"), env: pane(1)! });
    expect(await sessions(home)).toHaveLength(2);
    await say(home, ["-c", "hi again"], { cwd: home.path("project"), env: pane(1)! });
    await rename(home.path("project"), home.path("renamed"));
    const where = { cwd: home.path("renamed"), env: pane(1)! };
    const result = await tau(home, ["-p", "-q", "-m", "tau/demo", "-c", "and on"], where);
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toBe(
      `tau: The session was moved here from ${home.path("project")}, which no longer exists.\n`,
    );
    const all = await sessions(home);
    expect(all.map(({ cwd }) => cwd).sort()).toEqual([home.path("renamed"), home.path("stranger")]);
    const moved = all.find(({ cwd }) => cwd === home.path("renamed"))!;
    expect(userRows(await rowsOf(home, moved.id))).toEqual(["what are you?", "hi again", "and on"]);
  });

  test("by id, one of another directory is refused with what to do", async () => {
    await using home = await isolatedHome();
    await mkdir(home.path("project"));
    await mkdir(home.path("here"));
    await say(home, ["what are you?"], { cwd: home.path("project") });
    const [{ id, path }] = (await sessions(home)) as [Session];
    const before = await readFile(path);
    const here = { cwd: home.path("here") };
    const resume = () => tau(home, ["-p", "-m", "tau/demo", "-r", id, "hello"], here);
    const refused = await resume();
    expect(refused).toMatchObject({ stdout: "", exitCode: 2 });
    expect(refused.stderr).toContain(`belongs to ${home.path("project")}; resume it there with`);
    await rename(home.path("project"), home.path("renamed"));
    expect((await resume()).stderr).toContain(
      `which no longer exists; move it here with: tau sessions move`,
    );
    expect(await readFile(path)).toEqual(before);
    await done(home, ["sessions", "move", id, "."], here);
    await say(home, ["-r", id, "hello"], here);
    expect(userRows(await rowsOf(home, id))).toEqual(["what are you?", "hello"]);
  });
});

test("tau history finds what was asked, here or everywhere", async () => {
  await using home = await isolatedHome();
  expect((await tau(home, ["history"])).stderr).toContain("no prompts in this directory");
  {
    using history = await openHistory({ agentDirectory: home.path(".tau/agent") });
    history.add({ prompt: "fix the\nflaky test", cwd: home.root, sessionId: "s", at: 0 });
    history.add({
      prompt: `flaky ${"long ".repeat(40)}`,
      cwd: "/elsewhere",
      sessionId: "s",
      at: 1,
    });
  }
  expect(await done(home, ["history"])).toBe("1970-01-01 00:00  fix the ⏎ flaky test\n");
  const all = await done(home, ["history", "--all", "flak"]);
  expect(
    all
      .trimEnd()
      .split("\n")
      .map((line) => Bun.stringWidth(line) <= 80),
  ).toEqual([true, true]);
  expect(await json<unknown[]>(home, ["history", "fix"])).toEqual([
    { prompt: "fix the\nflaky test", cwd: home.root, sessionId: "s", at: 0 },
  ]);
  expect((await tau(home, ["history", "nothing"])).stderr).toContain('no prompts with "nothing"');
});

test("tau history has what was asked with -p, if the session is kept", async () => {
  await using home = await isolatedHome();
  await say(home, ["what are you?"]);
  await say(home, ["--mode", "json", "and what else?"]);
  await say(home, ["--no-session", "a secret question"]);
  await say(home, ["/help"]);
  const asked = await json<{ prompt: string; cwd: string }[]>(home, ["history"]);
  expect(asked.map(({ prompt }) => prompt)).toEqual(["and what else?", "what are you?"]);
  expect(asked[0]!.cwd).toBe(home.root);
});
