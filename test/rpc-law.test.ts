// The laws of the protocol, for any commands in any order and at any pace: every id is echoed exactly
// once, events are numbered without a gap, every run that was named ends exactly once, and the
// process leaves in order.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { ModelServer } from "@tau/testkit/model-server";
import { isolatedHome } from "@tau/testkit/scratch";
import type { ScriptedReply } from "@tau/testkit/script";
import { launcher } from "./support/run-tau.ts";

interface Frame {
  type: string;
  id?: string;
  seq?: number;
  runId?: string;
  command?: string;
  success?: boolean;
  data?: { runId?: string; queued?: string };
}

type Fields = { type: string } & Record<string, unknown>;

const said = (type: string, more: Record<string, unknown> = {}): Fields => ({
  type,
  message: "go",
  ...more,
});

const COMMANDS: readonly Fields[] = [
  said("prompt"),
  said("prompt"),
  said("prompt", { streamingBehavior: "steer" }),
  said("prompt", { streamingBehavior: "followUp" }),
  said("prompt", { message: "/no-such-command" }),
  said("steer"),
  said("follow_up"),
  said("abort_and_prompt"),
  { type: "abort" },
  { type: "abort" },
  { type: "clear_queue" },
  { type: "compact" },
  { type: "new_session" },
  { type: "fork" },
  { type: "branch", entryId: "nowhere" },
  { type: "get_state" },
  { type: "get_messages" },
  { type: "get_branch_messages" },
  { type: "get_session_stats" },
  { type: "set_session_name", name: "a name" },
  { type: "set_thinking_level", level: "low" },
  { type: "set_model", provider: "ollama", modelId: "y" },
  { type: "set_steering_mode", mode: "all" },
  { type: "set_interrupt_mode", mode: "wait" },
  { type: "set_auto_compaction", enabled: false },
  { type: "answer", ask: "ask_1", verdict: "once" },
  { type: "answer", ask: "ask_1", verdict: "abort" },
  { type: "hello", askTimeoutMs: 20 },
  { type: "nonsense" },
];

const REPLIES: readonly ScriptedReply[] = [
  { text: "done" },
  { text: "word ".repeat(200), deltaChars: 3, delivery: { delayMs: 1 } },
  { toolCalls: [{ name: "bash", arguments: { command: "echo hi" } }] },
  // Asked about, because it is outside of the working directory; the test's own, because one of the
  // commands says yes.
  { toolCalls: [{ name: "bash", arguments: { command: "rm ../outside.txt" } }] },
  { text: "and then", delivery: { silentAfterBytes: 300 } },
];

/** `pauseMs`: before it is sent. */
const step = fc.record({
  command: fc.constantFrom(...COMMANDS),
  pauseMs: fc.constantFrom(0, 0, 0, 5, 20, 60, 150),
});

test("any commands in any order keep the laws", async () => {
  await using home = await isolatedHome();
  await home.write(".tau/agent/config.yml", "retry: { enabled: false }\n");
  await home.write("work/here", "");
  let turns: readonly number[] = [0];
  await using server = await ModelServer.start(
    (_request, turn) => REPLIES[turns[turn % turns.length]!]!,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(fc.nat({ max: REPLIES.length - 1 }), { minLength: 1, maxLength: 5 }),
      async (steps, replies) => {
        turns = replies;
        await home.write("outside.txt", "the test's own\n");
        const tau = Bun.spawn([launcher, "--mode", "rpc", "-m", "ollama/x"], {
          cwd: home.path("work"),
          env: { ...home.env, OLLAMA_BASE_URL: server.baseUrl("openai-completions") },
          stdin: "pipe",
          stdout: "pipe",
          stderr: "pipe",
        });
        const output = tau.stdout.text();
        const errors = tau.stderr.text();
        for (const [at, { command, pauseMs }] of steps.entries()) {
          if (pauseMs > 0) await Bun.sleep(pauseMs);
          tau.stdin.write(`${JSON.stringify({ id: `c${at}`, ...command })}\n`);
          await tau.stdin.flush();
        }
        await tau.stdin.end();
        expect({ code: await tau.exited, errors: await errors }).toEqual({ code: 0, errors: "" });
        checkLaws(await output, steps.length);
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

function checkLaws(output: string, sent: number): void {
  const frames = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Frame);
  const responses = frames.filter(({ type }) => type === "response");
  const ids = responses.map(({ id }) => id).toSorted();
  expect(ids).toEqual(Array.from({ length: sent }, (_, at) => `c${at}`).toSorted());

  const events = frames.filter(({ type }) => type !== "response");
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));

  const ended = events.filter(({ type }) => type === "agent_end").map(({ runId }) => runId);
  expect(new Set(ended).size).toBe(ended.length);
  const started = events.filter(({ type }) => type === "agent_start").map(({ runId }) => runId);
  const named = responses.flatMap(({ data }) =>
    data?.runId !== undefined && data.queued === undefined && data.runId !== null
      ? [data.runId]
      : [],
  );
  // A run may be named by its acknowledgement, by its start, and by a state that was asked for.
  expect(new Set(ended)).toEqual(new Set([...started, ...named]));

  for (const [at, frame] of frames.entries()) {
    if (frame.command !== "prompt" || !frame.success || frame.data?.queued) continue;
    const first = frames.findIndex(
      ({ type, runId }) => type !== "response" && runId === frame.data!.runId,
    );
    expect(first).toBeGreaterThan(at);
  }
}
