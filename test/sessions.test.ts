// Sessions as a user has them: kept, continued, found, handed on, and never corrupted.

import { describe, expect, test } from "bun:test";
import { textOf } from "@tau/ai/message";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome, type IsolatedHome } from "@tau/testkit/scratch";
import { Glob } from "bun";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTau, spawnTau } from "./support/run-tau.ts";

function envFor(server: ModelServer): Record<string, string> {
  return { OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
}

async function ask(home: IsolatedHome, server: ModelServer, args: string[]) {
  return await runTau(["-p", "-m", "ollama/x", ...args], {
    cwd: home.root,
    home,
    env: envFor(server),
  });
}

async function sessionFiles(home: IsolatedHome): Promise<string[]> {
  const found = await Array.fromAsync(
    new Glob("**/*.jsonl").scan({ cwd: home.path(".tau/agent/sessions"), dot: true }),
  );
  return found.map((path) => join(home.path(".tau/agent/sessions"), path));
}

const tau = (home: IsolatedHome, args: string[]) => runTau(args, { cwd: home.root, home });

describe("continuing", () => {
  test("the next prompt extends what was sent before, byte for byte", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([
      { text: "let me see", toolCalls: [{ name: "bash", arguments: { command: "echo one" } }] },
      { text: "it is one" },
      { text: "still one" },
      { text: "yes" },
    ]);
    expect((await ask(home, server, ["what is it?"])).stdout).toBe("it is one\n");
    expect((await ask(home, server, ["-c", "and now?"])).stdout).toBe("still one\n");
    const [file] = await sessionFiles(home);
    expect((await ask(home, server, ["-r", file!, "sure?"])).stdout).toBe("yes\n");
    const bodies = server.requests.map((request) => request.body.messages as unknown[]);
    for (const [at, body] of bodies.slice(0, -1).entries()) {
      expect(bodies[at + 1]!.slice(0, body.length)).toEqual(body);
    }
    expect(server.requests.map((request) => JSON.stringify(request.body.tools))).toEqual(
      Array.from({ length: 4 }, () => JSON.stringify(server.requests[0]!.body.tools)),
    );
    expect(await sessionFiles(home)).toHaveLength(1);
  });

  test("the model of the session is taken up again", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([{ text: "a" }, { text: "b" }]);
    await ask(home, server, ["hi"]);
    const again = await runTau(["-p", "-c", "more"], { cwd: home.root, home, env: envFor(server) });
    expect(again.stdout).toBe("b\n");
  });

  test("a killed run is continued from what was acknowledged, and no tool runs twice", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([
      { toolCalls: [{ name: "bash", arguments: { command: "echo ran >> log" } }] },
      { text: "never whole", delivery: { silentAfterBytes: 80 } },
      { text: "picked up" },
    ]);
    const child = spawnTau(["-p", "-m", "ollama/x", "--yolo", "go"], {
      cwd: home.root,
      home,
      env: envFor(server),
    });
    await server.request(2);
    child.kill("SIGKILL");
    await child.exited;
    const resumed = await ask(home, server, ["-c", "go on"]);
    expect(resumed).toMatchObject({ stdout: "picked up\n", exitCode: 0 });
    const roles = server.requests[2]!.decoded.messages.map((message) => message.role);
    expect(roles).toEqual(["user", "assistant", "toolResult", "user"]);
    expect(await readFile(home.path("log"), "utf8")).toBe("ran\n");
  });

  test("a prompt is on disk before the model is asked", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([
      { text: "x", delivery: { silentAfterBytes: 10 } },
    ]);
    const child = spawnTau(["-p", "-m", "ollama/x", "remember me"], {
      cwd: home.root,
      home,
      env: envFor(server),
    });
    await server.request(1);
    const [file] = await sessionFiles(home);
    expect(await readFile(file!, "utf8")).toContain("remember me");
    child.kill("SIGKILL");
    await child.exited;
  });

  test("a session in use is refused with who has it; nothing interleaves", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([
      { text: "slow", delivery: { silentAfterBytes: 10 } },
      { text: "never asked" },
    ]);
    const child = spawnTau(["-p", "-m", "ollama/x", "first"], {
      cwd: home.root,
      home,
      env: envFor(server),
    });
    await server.request(1);
    const second = await ask(home, server, ["-c", "second"]);
    expect(second).toMatchObject({ stdout: "", exitCode: 1 });
    expect(second.stderr).toContain(`open in another Tau (process ${child.pid} on `);
    expect(server.requests).toHaveLength(1);
    child.kill("SIGKILL");
    await child.exited;
  });
});

test("--no-session leaves nothing behind; a run that never began neither", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "a" }]);
  expect((await ask(home, server, ["--no-session", "hi"])).stdout).toBe("a\n");
  expect((await tau(home, ["-p", "hi", "-m", "anthropic/x"])).exitCode).toBe(3);
  expect(await sessionFiles(home)).toEqual([]);
  const both = await tau(home, ["-p", "hi", "-c", "--no-session"]);
  expect(both.stderr).toStartWith("tau: choose one of --resume, --continue and --no-session");
  expect(both.exitCode).toBe(2);
});

describe("tau sessions", () => {
  test("lists, shows, exports and removes", async () => {
    await using home = await isolatedHome();
    await using server = await ModelServer.start([{ text: "the **answer** <b>" }]);
    expect((await tau(home, ["sessions"])).stderr).toContain("no sessions in this directory");
    await ask(home, server, ["what <i>is</i> it?"]);
    const list = await tau(home, ["sessions"]);
    expect(list.stdout).toMatch(
      /^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {3}what <i>is<\/i> it\?\n$/,
    );
    const id = list.stdout.slice(0, 8);
    const shown = await tau(home, ["sessions", "show", id]);
    expect(shown.stdout).toContain("## You\n\nwhat <i>is</i> it?");
    expect(shown.stdout).toContain("## ollama/x\n\nthe **answer** <b>");
    const html = await tau(home, ["sessions", "export", id, "--format", "html"]);
    expect(html.stdout).toContain("what &lt;i&gt;is&lt;/i&gt; it?");
    const json = JSON.parse(
      (await tau(home, ["sessions", "export", id, "--format", "json"])).stdout,
    );
    expect(json.entries.map((entry: { type: string }) => entry.type)).toEqual([
      "model_change",
      "message",
      "message",
    ]);
    const removed = await tau(home, ["sessions", "rm", id]);
    expect(removed.stdout).toStartWith("removed ");
    expect(await sessionFiles(home)).toEqual([]);
    expect((await tau(home, ["sessions", "gc"])).stdout).toBe(
      "removed 0 images that no session uses, 0 bytes\n",
    );
  });

  test("what cannot be meant is refused with a sentence", async () => {
    await using home = await isolatedHome();
    for (const [args, sentence] of [
      [["sessions", "shw"], 'unknown subcommand "shw"; did you mean "show"?'],
      [["sessions", "show"], "name one session"],
      [["sessions", "show", "zzz"], 'there is no session "zzz"'],
      [["sessions", "rm"], "name a session"],
      [["-p", "x", "-r", "./nope.jsonl"], "does not exist"],
    ] as const) {
      const { stderr, exitCode } = await tau(home, [...args]);
      expect(stderr.split("\n")[0]).toContain(sentence);
      expect(exitCode).toBe(2);
    }
  });
});

describe("files that are no sessions", () => {
  test.each([
    ["an empty file", ""],
    ["prose", "just some text\n"],
    ["another program's lines", '{"type":"other"}\n{"a":1}\n'],
    ["binary", "\u0000\u0001\u0002"],
    ["ten megabytes in one line", "x".repeat(10 * 1024 * 1024)],
    ["another encoding", Buffer.from('{"type":"session"}\n', "utf16le").toString("latin1")],
  ])("%s is refused with a reason and stays as it is", async (_name, content) => {
    await using home = await isolatedHome();
    const path = home.path("thing.jsonl");
    await writeFile(path, content, "latin1");
    const result = await tau(home, ["-p", "hi", "-r", path, "-m", "tau/demo"]);
    expect(result).toMatchObject({ stdout: "", exitCode: 2 });
    expect(result.stderr).toContain(path);
    expect(result.stderr).not.toContain("    at ");
    expect(await readFile(path, "latin1")).toBe(content);
  });
});

test("a disk that cannot be written is one sentence, and the model is not asked", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "never" }]);
  await home.write(".tau/agent/sessions", "a file where a directory belongs");
  const result = await ask(home, server, ["hi"]);
  expect(result.exitCode).toBe(1);
  expect(result.stdout).toBe("");
  expect(result.stderr).not.toContain("a bug in Tau");
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(server.requests).toHaveLength(0);
  await chmod(home.path(".tau/agent/sessions"), 0o600);
});

test("what the demo says is kept too", async () => {
  await using home = await isolatedHome();
  await tau(home, ["-p", "what are you?"]);
  const [file] = await sessionFiles(home);
  const lines = (await readFile(file!, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
    "session",
    "model_change",
    "message",
    "message",
  ]);
  const { message } = JSON.parse(lines[3]!);
  expect(textOf(message)).toContain("tau/demo");
});
