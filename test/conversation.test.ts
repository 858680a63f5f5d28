// The conversation in a real terminal: what is on the screen, what keys do.

import { expect, test } from "bun:test";
import { ModelServer } from "@tau/testkit/model-server";
import { createScratchRepository, isolatedHome } from "@tau/testkit/scratch";
import { runInTerminal } from "@tau/testkit/terminal";
import { launcher, runTau } from "./support/run-tau.ts";

async function openRepository() {
  return createScratchRepository({
    files: {
      "README.md": "# Sundial\n\nTells the time by the sun.\n",
      "src/dial.ts": "export const x = 1;\n",
    },
  });
}

/** The prompt stands between two lines. */
const PROMPT = /─\n›/;

test("offline, the first thing asked is answered from the real directory", async () => {
  await using repository = await openRepository();
  await using home = await isolatedHome();
  await using terminal = runInTerminal([launcher], { cwd: repository.root, env: { ...home.env } });
  await terminal.waitFor("No model is connected");
  expect(terminal.screen()[0]).toStartWith("Tau 0.1.0 · tau/demo · ");
  await terminal.waitFor(PROMPT);
  terminal.send("look around");
  terminal.press("enter");
  await terminal.waitFor("Next, try:");
  const shown = terminal.scrollback().join("\n");
  expect(shown).toContain("› look around");
  expect(shown).toContain("✓ read  .");
  expect(shown).toContain("Sundial");
  expect(shown).toContain("src/");
  terminal.press("ctrl+d");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  expect(terminal.text()).toMatch(/tau -r \S+ resumes this session\./);
});

test("words are shown as they come, Esc stops the answer and the conversation goes on", async () => {
  await using repository = await openRepository();
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    { text: "One moment please, this takes long.", delivery: { silentAfterBytes: 900 } },
    { text: "Here I am again." },
  ]);
  await using terminal = runInTerminal([launcher, "-m", "ollama/x", "hello"], {
    cwd: repository.root,
    env: { ...home.env, TAU_NO_TITLE: "1", OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  });
  await terminal.waitFor("One mo");
  expect(terminal.screen().join("\n")).toContain("› hello");
  expect(terminal.text()).toMatch(/Answering [\d.]+s · Esc stops/);
  terminal.press("escape");
  await terminal.waitFor("Stopped.");
  expect(terminal.text()).not.toContain("· Esc stops");
  terminal.send("and now?");
  terminal.press("enter");
  await terminal.waitFor("Here I am again.");
  const [, second] = server.requests;
  expect(second!.decoded.messages.map((message) => message.role)).toEqual([
    "user",
    // The state of the repository, as its wire says it.
    "user",
    "assistant",
    "user",
  ]);
  terminal.send("/exit");
  terminal.press("enter");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
});

test("a session that is gone on with shows where it stands", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([{ text: "Forty-two." }, { text: "Because." }]);
  const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  const first = Bun.spawn([launcher, "-p", "-m", "ollama/x", "what is it?"], {
    cwd: home.root,
    env,
    stdin: "ignore",
    stdout: "ignore",
  });
  expect(await first.exited).toBe(0);
  await using terminal = runInTerminal([launcher, "-c"], { cwd: home.root, env });
  await terminal.waitFor(/› what is it\?\n\nForty-two\.\n/);
  terminal.send("why?");
  terminal.press("enter");
  await terminal.waitFor("Because.");
  expect(server.requests[1]!.decoded.messages).toHaveLength(3);
});

test("whoever settled for it goes on where the last session ended", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "autoResume: true\n");
  await using server = await ModelServer.start([{ text: "Forty-two." }]);
  const env = { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") };
  {
    await using terminal = runInTerminal([launcher, "-m", "ollama/x", "what?"], {
      cwd: home.root,
      env: { ...env, TAU_NO_TITLE: "1" },
    });
    await terminal.waitFor("Forty-two.");
    terminal.press("ctrl+d");
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
  }
  await using again = runInTerminal([launcher], { cwd: home.root, env });
  await again.waitFor(/› what\?\n\nForty-two\./);
});

test("a failure is shown and the next prompt works", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  await using server = await ModelServer.start([
    { httpError: { status: 503, body: '{"error":{"message":"too busy"}}' } },
    { text: "better" },
  ]);
  await using terminal = runInTerminal([launcher, "-m", "ollama/x", "hello"], {
    cwd: home.root,
    env: { ...home.env, TAU_NO_TITLE: "1", OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  });
  await terminal.waitFor("ollama/x: too busy (try again in a moment)");
  terminal.send("again");
  terminal.press("enter");
  await terminal.waitFor("better");
});

test("a session of another directory is not gone on with unasked", async () => {
  await using repository = await openRepository();
  await using home = await isolatedHome();
  const env = { ...home.env };
  const asked = await runTau(["-p", "hello"], { cwd: repository.root, home });
  expect(asked.exitCode).toBe(0);
  const listed = await runTau(["sessions", "list", "--all", "--json"], { cwd: home.root, home });
  const [{ id }] = JSON.parse(listed.stdout) as [{ id: string }];
  await using terminal = runInTerminal([launcher, "-r", id], { cwd: home.root, env });
  await terminal.waitFor("belongs to");
  await terminal.waitFor("❯ Leave it");
  terminal.press("down");
  terminal.press("enter");
  await terminal.waitFor("What I can do:");
  expect(terminal.scrollback()).toContain("› hello");
  terminal.press("ctrl+d");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
  const after = await runTau(["sessions", "list", "--all", "--json"], { cwd: home.root, home });
  expect(JSON.parse(after.stdout)).toHaveLength(2);
});

test("a terminal that can only print gets plain lines", async () => {
  await using home = await isolatedHome();
  await using terminal = runInTerminal([launcher], {
    cwd: home.root,
    env: { ...home.env, TERM: "dumb" },
  });
  await terminal.waitFor(/\n›/);
  terminal.send("hello\r");
  await terminal.waitFor("What I can do:");
  await terminal.waitFor(/everything else\.\n\n›/);
  terminal.press("ctrl+d");
  expect(await terminal.exited).toEqual({ code: 0, signal: null });
});

test("there, lines for the shell are refused and do not reach the model", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(() => ({ text: "an answer" }));
  await using terminal = runInTerminal([launcher, "-m", "ollama/x"], {
    cwd: home.root,
    env: {
      ...home.env,
      TERM: "dumb",
      TAU_NO_TITLE: "1",
      OLLAMA_BASE_URL: server.baseUrl("openai-completions"),
    },
  });
  await terminal.waitFor(/\n›/);
  terminal.send("!!echo private\r");
  await terminal.waitFor(/full terminal[\s\S]*\n›/);
  terminal.send("$ 6 * 7\r");
  await terminal.waitFor(/full terminal[\s\S]*full terminal[\s\S]*\n›/);
  terminal.send("hello\r");
  await terminal.waitFor(/an answer[\s\S]*\n›/);
  expect(server.requests.map(({ text }) => text).join("\n")).not.toContain("private");
});
