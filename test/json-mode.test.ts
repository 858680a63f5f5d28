// --mode json: everything that happens, one event a line, for programs.

import { expect, test } from "bun:test";
import { open } from "node:fs/promises";
import { modelFailure } from "@tau/ai/error";
import { ModelServer, type Script } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import { launcher, runTau } from "./support/run-tau.ts";

interface Line {
  v: number;
  seq: number;
  type: string;
  [field: string]: unknown;
}

async function run(script: Script) {
  await using home = await isolatedHome();
  await using server = await ModelServer.start(script);
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  const result = await runTau(["--mode", "json", "-m", "ollama/x", "hi"], {
    cwd: home.root,
    home,
    env: { OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
  });
  const lines = result.stdout.trimEnd().split("\n");
  return { ...result, events: lines.map((line) => JSON.parse(line) as Line) };
}

test("one event a line, numbered and versioned, from the prompt to the end", async () => {
  const { events, exitCode, stderr } = await run([
    { text: "look", toolCalls: [{ name: "bash", arguments: { command: "echo a\nb" } }] },
    { text: "done \u2028 日本" },
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  expect(new Set(events.map((event) => event.v))).toEqual(new Set([1]));
  expect(events[0]).toMatchObject({ type: "session", model: { provider: "ollama", id: "x" } });
  const types = events.map((event) => event.type).filter((type) => type !== "message_update");
  expect(types.filter((type) => type !== "tool_execution_update")).toEqual([
    "session",
    "agent_start",
    "message_end",
    "turn_start",
    "message_start",
    "message_end",
    "tool_execution_start",
    "tool_execution_end",
    "message_end",
    "turn_end",
    "turn_start",
    "message_start",
    "message_end",
    "turn_end",
    "agent_end",
  ]);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", end: { reason: "done" } });
  const deltas = events.filter(({ event }) => (event as { type?: string })?.type === "text_delta");
  expect(deltas.map(({ event }) => (event as { delta: string }).delta).join("")).toBe(
    "lookdone \u2028 日本",
  );
});

test("a failure is an event and an exit code", async () => {
  const failure = modelFailure("auth", "no such key", { status: 401 });
  const { events, exitCode } = await run([{ httpError: { failure } }]);
  expect(exitCode).toBe(3);
  expect(events.at(-1)).toMatchObject({ type: "agent_end", end: { reason: "failed" } });
  const last = events.findLast((event) => event.type === "message_end");
  expect(last).toMatchObject({ message: { error: { kind: "auth", message: "no such key" } } });
});

test("a reader that leaves stops the run", async () => {
  await using home = await isolatedHome();
  await using server = await ModelServer.start([
    { text: "word ".repeat(50_000), deltaChars: 5 },
    { text: "never asked" },
  ]);
  const child = Bun.spawn(
    ["bash", "-c", `"${launcher}" --mode json -m ollama/x hi | head -1 | wc -l`],
    {
      cwd: home.root,
      env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: "1", stderr: "" });
});

test.each(["json", "text"])(
  "a reader that does not read holds up no %s run, nor its end",
  async (mode) => {
    await using home = await isolatedHome();
    const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<void>();
    await using server = await ModelServer.start((request) => {
      if (request.decoded.messages.at(-1)?.role === "toolResult") {
        onAsked();
        return { text: "word ".repeat(50_000) };
      }
      return {
        // More than a pipe holds.
        text: "word ".repeat(50_000),
        toolCalls: [{ name: "bash", arguments: { command: "echo ran" } }],
      };
    });
    // Open at both ends and never read.
    await Bun.$`mkfifo ${home.path("unread")}`.quiet();
    await using unread = await open(home.path("unread"), "r+");
    await using child = Bun.spawn([launcher, "--mode", mode, "-m", "ollama/x", "hi"], {
      cwd: home.root,
      env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
      stdin: "ignore",
      stdout: unread.fd,
      stderr: "ignore",
    });
    await isAsked;
    child.kill("SIGTERM");
    await child.exited;
    expect({ exitCode: child.exitCode, signal: child.signalCode }).toEqual({
      exitCode: 130,
      signal: null,
    });
  },
);
